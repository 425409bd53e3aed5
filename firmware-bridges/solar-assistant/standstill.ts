import { MINUTE_MS } from "hemgate/sdk";
import type { BridgeMessage } from "../kit/bridge.ts";

/** None of the published values changes for this long, */
const STILL_MS = 3 * MINUTE_MS;
/** and in so many rounds at least, */
const LEAST_ROUNDS = 10;
/** while a power of this much flows: a house that draws nothing may well stand still, W. */
const LEAST_W = 100;

interface LastMessage {
  text: string;
  repeats: number;
  isFlowing: boolean;
}

/**
 * Finds a unit that broadcasts its last values for ever: single values that stand still while others move are caught
 * elsewhere, but here all of them stand still together, which a house with some load never does.
 */
export class Standstill {
  readonly #last = new Map<string, LastMessage>();
  #movedAtMs = 0;

  /** Takes a live message; answers whether everything stands still. */
  tell({ topic, text, atMs = 0 }: BridgeMessage, value: number | null): boolean {
    const known = this.#last.get(topic);
    const isFlowing = /_power\//.test(topic) && value !== null && Math.abs(value) >= LEAST_W;
    if (known === undefined || known.text !== text) {
      for (const each of this.#last.values()) each.repeats = 0;
      this.#last.set(topic, { text, repeats: 0, isFlowing });
      this.#movedAtMs = atMs;
      return false;
    }
    known.repeats += 1;
    const all = [...this.#last.values()];
    if (atMs - this.#movedAtMs < STILL_MS || all.some(({ repeats }) => repeats < LEAST_ROUNDS)) return false;
    return all.some((each) => each.isFlowing);
  }
}
