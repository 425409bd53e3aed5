import type { JournalEntry } from "../../../src/store/records.ts";

export type JournalPosition = Pick<JournalEntry, "epoch" | "seq">;

/** Each journal record is found exactly once and in order: within an epoch no number is left out. */
export class JournalOrder {
  #last: JournalPosition | null = null;
  #count = 0;

  /** Where the next entries are asked from. */
  get last(): JournalPosition | null {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes the entries after `last`, as the journal gave them. */
  take(entries: readonly JournalPosition[]): readonly string[] {
    return entries.flatMap((entry) => {
      const breach = this.#judge(entry);
      this.#last = { epoch: entry.epoch, seq: entry.seq };
      this.#count += 1;
      return breach === null ? [] : [breach];
    });
  }

  #judge({ epoch, seq }: JournalPosition): string | null {
    const last = this.#last;
    if (last === null || epoch > last.epoch) return null;
    const place = `journal record (${epoch}, ${seq}) after (${last.epoch}, ${last.seq})`;
    if (epoch < last.epoch || seq <= last.seq) return `${place}: out of order or twice`;
    return seq === last.seq + 1 ? null : `${place}: records are missing`;
  }
}
