import type { LiveEntry } from "./live-entry.ts";

/** Actions, events and assets that are gone: so many are remembered for readers that come back. */
const MAX_PASSING = 1_000;

/** A change without its place. */
export type LiveChange = LiveEntry extends infer Entry ? (Entry extends LiveEntry ? Omit<Entry, "seq"> : never) : never;

/**
 * What readers can be told, the newest state of each thing once. Assets stay; what passes is forgotten when there is
 * much of it, and then nobody can go on from before that place.
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

  get(key: string): LiveEntry | undefined {
    return this.#entries.get(key);
  }

  /** Notes a change under its key and answers its place. */
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

  /** The keys of what changed after a place, oldest first; null when some of it is forgotten, or the place is none. */
  after(seq: number): readonly string[] | null {
    if (seq < this.#floor || seq > this.#seq) return null;
    return [...this.#entries].filter(([, entry]) => entry.seq > seq).map(([key]) => key);
  }

  /** The assets that are there, with their keys. */
  assets(): readonly (readonly [string, LiveEntry])[] {
    return [...this.#entries].filter(([, entry]) => entry.type === "asset" && !entry.isGone);
  }

  /** The keys of what houses use. */
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
