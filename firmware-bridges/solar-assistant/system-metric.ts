const TOTAL = "total";

/** One metric of a system: the unit's own total, or where it tells none the sum of its inverters. */
export class SystemMetric {
  readonly #values = new Map<string, number | null>();
  #hasRound = false;

  /** What is known of the system after the message; undefined while some inverter may still be to come. */
  tell(device: string, value: number | null): number | null | undefined {
    // The same inverter again: all of them spoke in between.
    this.#hasRound ||= this.#values.has(device);
    this.#values.set(device, value);
    if (device === TOTAL) return value;
    if (this.#values.has(TOTAL) || !this.#hasRound) return undefined;
    const values = [...this.#values.values()];
    if (values.includes(null)) return null;
    return Number(values.reduce<number>((sum, each) => sum + (each ?? 0), 0).toPrecision(12));
  }
}
