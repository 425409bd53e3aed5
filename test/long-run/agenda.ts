interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => Promise<void>;
}

/** What is to happen when. Entries of one instant run in the order they were made. */
export class Agenda {
  readonly #entries: Entry[] = [];
  #order = 0;

  at(atMs: number, run: () => Promise<void>): void {
    this.#entries.push({ atMs, run, order: this.#order++ });
  }

  /** When the next entry is due; null when none is left. */
  nextMs(): number | null {
    return this.#next()?.atMs ?? null;
  }

  /** Runs and drops the next entry. */
  async runNext(): Promise<void> {
    const next = this.#next();
    if (next === null) return;
    this.#entries.splice(this.#entries.indexOf(next), 1);
    await next.run();
  }

  #next(): Entry | null {
    return this.#entries.reduce<Entry | null>((first, entry) => {
      const isFirst =
        first === null || entry.atMs < first.atMs || (entry.atMs === first.atMs && entry.order < first.order);
      return isFirst ? entry : first;
    }, null);
  }
}
