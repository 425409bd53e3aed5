/**
 * Adds up what comes in parts, of which a house has some only: a part that never had a number is not there, and one that
 * lost its number makes the sum unknown.
 */
export class KnownSum {
  readonly #values = new Map<string, number | null>();
  readonly #present = new Set<string>();
  readonly #required: readonly string[];

  /** Parts that have to be reported, if only as null, before there is a sum. */
  constructor(required: readonly string[]) {
    this.#required = required;
  }

  tell(part: string, value: number | null): void {
    this.#values.set(part, value);
    if (value !== null) this.#present.add(part);
  }

  /** Undefined: no part is there, or one was not reported yet. */
  get value(): number | null | undefined {
    if (this.#present.size === 0 || this.#required.some((part) => !this.#values.has(part))) return undefined;
    let sum = 0;
    for (const part of this.#present) {
      const value = this.#values.get(part);
      if (value === undefined || value === null) return null;
      sum += value;
    }
    return Number(sum.toPrecision(12));
  }
}
