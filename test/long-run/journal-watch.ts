import type { JournalEntry } from "../../src/store/records.ts";
import type { World } from "../../src/testing/world.ts";
import type { GatewayBox } from "./gateway-box.ts";
import { ActionLife } from "./invariants/action-life.ts";
import { JournalOrder, type JournalPosition } from "./invariants/journal-order.ts";
import { Tally } from "./tally.ts";

const PAGE = 1_000;
const ANSWER_WITHIN_MS = 20_000;

/** Reads the journal as a webhook does, and checks its order and what it says of each action. */
export class JournalWatch {
  /** How often each event came. */
  readonly events = new Tally();
  readonly #world: World;
  readonly #box: Pick<GatewayBox, "running">;
  readonly #order = new JournalOrder();
  readonly #actions = new ActionLife();

  constructor(world: World, box: Pick<GatewayBox, "running">) {
    this.#world = world;
    this.#box = box;
  }

  get records(): number {
    return this.#order.count;
  }

  get actions(): number {
    return this.#actions.count;
  }

  /** Reads what came since the last time. */
  async read(onEntry: (entry: JournalEntry) => void = () => undefined): Promise<readonly string[]> {
    const entries = (await this.after(this.#order.last)) ?? [];
    for (const entry of entries) {
      this.events.count(entry.event);
      onEntry(entry);
    }
    return [...this.#order.take(entries), ...this.#actions.take(entries)];
  }

  /** A page of the journal; `null` if no gateway runs, its disk refuses, or its power was cut meanwhile. */
  async after(position: JournalPosition | null): Promise<readonly JournalEntry[] | null> {
    const { running } = this.#box;
    if (running === null) return null;
    const { store } = running.gateway;
    try {
      return await this.#world.clock.resolve(store.journalAfter(position, PAGE), ANSWER_WITHIN_MS);
    } catch (error) {
      if (this.#box.running === running && store.isWritable) throw error;
      return null;
    }
  }
}
