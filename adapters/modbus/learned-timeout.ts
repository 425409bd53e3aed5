/** Before anything is known of a unit. Some gateways to RS-485 take more than a second for the first answer. */
const TIMEOUT_START_MS = 3_000;
/** A timeout costs the connection, and radio links stall; libmodbus waits 500 ms before some exception answers. */
const TIMEOUT_FLOOR_MS = 1_000;
/** The most that a silent unit may delay its neighbours. */
const TIMEOUT_CAP_MS = 6_000;
const LATENCY_FACTOR = 4;
/** Share of a faster answer that the filter takes over; a slower one counts in full at once. */
const FALL_SHARE = 1 / 16;
/** A unit that stayed silent may have become slower: the next wait is longer by this. */
const SILENCE_FACTOR = 1.5;

/** How long to wait for a unit, learned from how fast it answers. */
export class LearnedTimeout {
  #latencyMs: number | null = null;
  #timeoutMs = TIMEOUT_START_MS;

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  answered(latencyMs: number): void {
    const known = this.#latencyMs;
    this.#latencyMs = known === null || latencyMs > known ? latencyMs : known + (latencyMs - known) * FALL_SHARE;
    this.#timeoutMs = Math.min(TIMEOUT_CAP_MS, Math.max(TIMEOUT_FLOOR_MS, LATENCY_FACTOR * this.#latencyMs));
  }

  stayedSilent(): void {
    this.#timeoutMs = Math.min(TIMEOUT_CAP_MS, this.#timeoutMs * SILENCE_FACTOR);
  }
}
