import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";

/** Writes that wait for the disk. What it refuses waits for the next try, so nothing that was recorded is lost. */
export class PendingWrites {
  readonly #store: Pick<Store, "commit">;
  #writes = new Map<string, Write>();
  #journal: readonly NewJournalEntry[] = [];
  readonly #mutex = new KeyedMutex({ maxWaiting: null });

  constructor(store: Pick<Store, "commit">) {
    this.#store = store;
  }

  get isEmpty(): boolean {
    return this.#writes.size === 0 && this.#journal.length === 0;
  }

  /** Adds a write; it replaces an earlier one of the same record. */
  add(write: Write): void {
    this.#writes.set(`${write.table}/${write.key}`, write);
  }

  addEvent(entry: NewJournalEntry): void {
    this.#journal = [...this.#journal, entry];
  }

  /** Writes what waits, after an earlier call has ended. Rejects if the disk refuses. */
  flush(): Promise<void> {
    return this.#mutex.run("store", () => this.#write());
  }

  async #write(): Promise<void> {
    if (this.isEmpty) return;
    const [writes, journal] = [this.#writes, this.#journal];
    this.#writes = new Map();
    this.#journal = [];
    try {
      await this.#store.commit([...writes.values()], journal, "urgent");
    } catch (error) {
      this.#writes = new Map([...writes, ...this.#writes]);
      this.#journal = [...journal, ...this.#journal];
      throw error;
    }
  }
}
