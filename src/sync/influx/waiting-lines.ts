/** What waits for a server, oldest first, in at most so many bytes of memory. */
export interface Batch {
  readonly lines: readonly string[];
  readonly bytes: number;
}

export class WaitingLines {
  readonly #maxBytes: number;
  #batches: Batch[] = [];
  #lines = 0;
  #bytes = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get lines(): number {
    return this.#lines;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Lines that were dropped, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds lines behind the others, and drops the oldest while there are too many. */
  add(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const batch = { lines, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0) };
    this.#batches.push(batch);
    this.#count(batch, 1);
    while (this.#bytes > this.#maxBytes) {
      const [oldest] = this.#batches;
      if (oldest === undefined) break;
      this.remove([oldest]);
      this.#dropped += oldest.lines.length;
    }
  }

  /** Returns the oldest batches up to so many bytes together, and one at least; none if nothing waits. */
  first(maxBytes: number): readonly Batch[] {
    let bytes = 0;
    const end = this.#batches.findIndex((batch, index) => {
      bytes += batch.bytes;
      return index > 0 && bytes > maxBytes;
    });
    return this.#batches.slice(0, end < 0 ? this.#batches.length : end);
  }

  /** Removes batches; one that was dropped meanwhile is gone already. */
  remove(batches: readonly Batch[]): void {
    const gone = new Set(batches);
    for (const batch of this.#batches) if (gone.has(batch)) this.#count(batch, -1);
    this.#batches = this.#batches.filter((batch) => !gone.has(batch));
  }

  #count({ lines, bytes }: Batch, sign: 1 | -1): void {
    this.#lines += sign * lines.length;
    this.#bytes += sign * bytes;
  }
}
