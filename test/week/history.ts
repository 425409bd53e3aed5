/** What was so, and since when: the last half hour of it. */

const KEPT_MS = 30 * 60_000;

interface Entry<Value> {
  readonly fromMs: number;
  readonly value: Value;
}

export class History<Value> {
  #entries: Entry<Value>[] = [];

  /** From now on this is so. Monotonic ms. */
  note(atMs: number, value: Value): void {
    this.#entries.push({ fromMs: atMs, value });
    if (this.#entries.length < 3 || (this.#entries[1]?.fromMs ?? atMs) > atMs - 2 * KEPT_MS) return;
    const first = this.#entries.findLastIndex(({ fromMs }) => fromMs <= atMs - KEPT_MS);
    this.#entries = this.#entries.slice(Math.max(0, first));
  }

  get newest(): Value | null {
    return this.#entries.at(-1)?.value ?? null;
  }

  /** All that was so at some moment of the time from `sinceMs` until `untilMs`, newest first. */
  during(sinceMs: number, untilMs = Number.POSITIVE_INFINITY): readonly Value[] {
    const found: Value[] = [];
    for (let at = this.#entries.length - 1; at >= 0; at -= 1) {
      const entry = this.#entries[at];
      if (entry === undefined || entry.fromMs > untilMs) continue;
      found.push(entry.value);
      if (entry.fromMs <= sinceMs) break;
    }
    return found;
  }
}
