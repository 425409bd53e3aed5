/** How long a unit may take, ms: before anything is known of it, at least, and at most. */
export interface Patience {
  readonly startMs: number;
  readonly floorMs: number;
  readonly capMs: number;
}

/**
 * Over a network a timeout costs the connection, radio links stall, gateways to RS-485 take more than a second for the
 * first answer, and libmodbus waits 500 ms before some exception answers. The cap is the most that a silent unit may
 * delay its neighbours.
 */
export const NETWORK_PATIENCE: Patience = { startMs: 3_000, floorMs: 1_000, capMs: 6_000 };
/** On a dedicated line nothing else is in between; the time that the bytes take is counted beside it. */
export const SERIAL_PATIENCE: Patience = { startMs: 1_000, floorMs: 600, capMs: 3_000 };

const LATENCY_FACTOR = 4;
/** Share of a faster answer that the filter takes over; a slower one counts in full at once. */
const FALL_SHARE = 1 / 16;
/** A unit that stayed silent may have become slower: the next wait is longer by this. */
const SILENCE_FACTOR = 1.5;

/** How long to wait for a unit, learned from how fast it answers. */
export class LearnedTimeout {
  readonly #usual: Patience;
  #patience: Patience;
  #latencyMs: number | null = null;
  #timeoutMs: number;

  constructor(usual: Patience) {
    this.#usual = usual;
    this.#patience = usual;
    this.#timeoutMs = usual.startMs;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /** Takes over what is known of the device: how long an answer may take, ms; null for nothing. */
  allow(knownMs: number | null): void {
    const { capMs } = this.#usual;
    const patience =
      knownMs === null ? this.#usual : { startMs: knownMs, floorMs: knownMs, capMs: Math.max(capMs, knownMs) };
    if (patience.startMs === this.#patience.startMs && patience.floorMs === this.#patience.floorMs) return;
    this.#patience = patience;
    if (this.#latencyMs === null) this.#timeoutMs = patience.startMs;
    else this.#timeoutMs = this.#limited(LATENCY_FACTOR * this.#latencyMs);
  }

  answered(latencyMs: number): void {
    const known = this.#latencyMs;
    this.#latencyMs = known === null || latencyMs > known ? latencyMs : known + (latencyMs - known) * FALL_SHARE;
    this.#timeoutMs = this.#limited(LATENCY_FACTOR * this.#latencyMs);
  }

  stayedSilent(): void {
    this.#timeoutMs = this.#limited(this.#timeoutMs * SILENCE_FACTOR);
  }

  #limited(ms: number): number {
    const { floorMs, capMs } = this.#patience;
    return Math.min(capMs, Math.max(floorMs, ms));
  }
}
