import type { TableName, Tables, Write } from "../../../src/store/records.ts";
import type { Store } from "../../../src/store/store.ts";

/** The critical tables in memory. `copy` is what a restart finds. */
export class FakeStore implements Store {
  readonly epoch: number;
  readonly recovered = [];
  readonly locked = [];
  isWritable = true;
  readonly isCopyFailing = false;
  readonly space = { freeBytes: null, isShort: false };
  readonly #rows: Map<string, unknown>;

  constructor(epoch = 1, rows = new Map<string, unknown>()) {
    this.epoch = epoch;
    this.#rows = rows;
  }

  copy(): FakeStore {
    return new FakeStore(this.epoch + 1, new Map(this.#rows));
  }

  async commit(writes: readonly Write[]): Promise<void> {
    if (!this.isWritable) throw new Error("the disk is full");
    for (const write of writes) {
      if ("put" in write) this.#rows.set(`${write.table}/${write.key}`, write.put);
      else this.#rows.delete(`${write.table}/${write.key}`);
    }
  }

  all<Name extends TableName>(table: Name): readonly Tables[Name][] {
    return [...this.#rows].filter(([key]) => key.startsWith(`${table}/`)).map(([, row]) => row as Tables[Name]);
  }

  get<Name extends TableName>(table: Name, key: string): Tables[Name] | null {
    return (this.#rows.get(`${table}/${key}`) as Tables[Name] | undefined) ?? null;
  }

  async journalAfter() {
    return [];
  }

  readonly journalEnd = { epoch: 1, seq: 0 };

  commitAlong(writes: readonly Write[]): void {
    void this.commit(writes);
  }

  watchJournal(): Disposable {
    return { [Symbol.dispose]: () => {} };
  }

  record(): void {}

  async history() {
    return [];
  }

  async historyHoles() {
    return [];
  }

  async energy() {
    return [];
  }

  async forgetHistory(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
