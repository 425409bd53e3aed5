import type { LiveEntry } from "./live-entry.ts";

/** Stored entries of actions, events and removed assets, for readers that reconnect. */
const MAX_PASSING = 1_000;

/** A change without its place in the order. */
export type LiveChange = LiveEntry extends infer Entry ? (Entry extends LiveEntry ? Omit<Entry, "seq"> : never) : never;

/**
 * Stores the newest state of everything that live streams report. Assets and house powers stay; of actions, events and
 * removed assets the oldest are deleted, and a reader cannot resume from before a deleted one.
 */
export class LiveMemory {
  /** By key, ordered by place. */
  readonly #entries = new Map<string, LiveEntry>();
  readonly #passing = new Set<string>();
  #seq = 0;
  #floor = 0;

  /** The newest place. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns the entry of a key. */
  get(key: string): LiveEntry | undefined {
    return this.#entries.get(key);
  }

  /** Stores a change under its key. Returns the entry with its place. */
  note(key: string, change: LiveChange): LiveEntry {
    this.#seq += 1;
    const entry: LiveEntry = { ...change, seq: this.#seq };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#passing.delete(key);
    const isLasting = entry.type === "house" || (entry.type === "asset" && !entry.isGone);
    if (!isLasting) {
      this.#passing.add(key);
      this.#forgetOldest();
    }
    return entry;
  }

  /**
   * Returns the keys that changed after a place, oldest first; `null` if some of them are deleted, or if the place does
   * not exist.
   */
  after(seq: number): readonly string[] | null {
    if (seq < this.#floor || seq > this.#seq) return null;
    return [...this.#entries].filter(([, entry]) => entry.seq > seq).map(([key]) => key);
  }

  /** Returns the entries of all existing assets, with their keys. */
  assets(): readonly (readonly [string, LiveEntry])[] {
    return [...this.#entries].filter(([, entry]) => entry.type === "asset" && !entry.isGone);
  }

  /** Returns the entries of all house powers, with their keys. */
  houses(): readonly (readonly [string, LiveEntry])[] {
    return [...this.#entries].filter(([, entry]) => entry.type === "house");
  }

  #forgetOldest(): void {
    const [oldest] = this.#passing;
    if (oldest === undefined || this.#passing.size <= MAX_PASSING) return;
    this.#floor = this.#entries.get(oldest)?.seq ?? this.#floor;
    this.#passing.delete(oldest);
    this.#entries.delete(oldest);
  }
}
