import { HOUR_MS, type RegisterPoint, restOfMissing } from "hemgate/sdk";
import type { Block } from "./block-plan.ts";

/** So often in a row must a block stay silent in a round in which the device answered other requests. */
const STRIKES_TO_SPLIT = 2;
const STRIKES_TO_REFUSE = 3;

/** Registers that stay silent cost a timeout when they are tried again; ms. */
const LONGEST_REST_MS = HOUR_MS;

interface Suspicion {
  /** Silences while the device answered otherwise. */
  readonly strikes: number;
  /** Which silence it was, of all. */
  readonly silence: number;
  /** Monotonic ms of the first of them. */
  readonly sinceMs: number;
}

/** What to do about a block that stayed silent. */
export type SilentVerdict = "wait" | "split" | "refuse";

/**
 * Some devices stay silent on an address that they do not have, where others answer with an exception. A silence means
 * mostly that the device is away, so a block is under suspicion at first: it is read last, after the others have shown
 * that the device answers.
 */
export class SilentBlocks {
  readonly #suspects = new Map<RegisterPoint<string>, Suspicion>();
  #silences = 0;

  /** The blocks that are under no suspicion, and the others, the one whose silence is longest ago first. */
  sorted(blocks: readonly Block[]): { readonly usual: readonly Block[]; readonly suspects: readonly Block[] } {
    if (this.#suspects.size === 0) return { usual: blocks, suspects: [] };
    const last = (block: Block): number =>
      Math.max(0, ...block.points.map((point) => this.#suspects.get(point)?.silence ?? 0));
    return {
      usual: blocks.filter((block) => last(block) === 0),
      suspects: blocks.filter((block) => last(block) > 0).sort((a, b) => last(a) - last(b)),
    };
  }

  answered({ points }: Block): void {
    if (this.#suspects.size > 0) for (const point of points) this.#suspects.delete(point);
  }

  /** `isAwake`: the device answered another request of the same round. `isOneValue`: the block cannot be split. */
  silent({ points }: Block, isAwake: boolean, isOneValue: boolean, nowMs: number): SilentVerdict {
    this.#silences += 1;
    const before = Math.max(0, ...points.map((point) => this.#suspects.get(point)?.strikes ?? 0));
    const strikes = before + (isAwake ? 1 : 0);
    const isSplit = !isOneValue && strikes >= STRIKES_TO_SPLIT;
    const suspicion = {
      strikes: isSplit ? 1 : strikes,
      silence: this.#silences,
      sinceMs: this.#sinceMs(points, nowMs),
    };
    for (const point of points) this.#suspects.set(point, suspicion);
    if (isSplit) return "split";
    return isOneValue && isAwake && strikes >= STRIKES_TO_REFUSE ? "refuse" : "wait";
  }

  /** How long registers that are refused for their silence are left alone, ms. */
  restMs({ points }: Block, isKnown: boolean, nowMs: number): number {
    return restOfMissing(nowMs - this.#sinceMs(points, nowMs), isKnown, LONGEST_REST_MS);
  }

  #sinceMs(points: Block["points"], nowMs: number): number {
    return Math.min(nowMs, ...points.map((point) => this.#suspects.get(point)?.sinceMs ?? nowMs));
  }
}
