import { type Clock, type DeviceError, type PointName, type Reading, within } from "hemgate/sdk";

/** Longer than a read takes until it is given up, ms. */
const LONGEST_READ_MS = 30_000;

/**
 * The last readings of a device, across its connections: a new one shows it, with its age, until it is time to read the device
 * again.
 */
export class LastReadings {
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #readings = new Map<PointName, Reading>();
  #underWay: Promise<unknown> | null = null;
  /** Why the last read brought nothing; null: it brought something, or there was none. */
  fault: DeviceError | null = null;

  constructor(clock: Pick<Clock, "monotonicMs" | "timer">) {
    this.#clock = clock;
  }

  /** Keeps what a read that began tells. */
  async from(read: Promise<readonly Reading[]>): Promise<readonly Reading[]> {
    this.#underWay = read;
    try {
      return this.keep(await read);
    } finally {
      if (this.#underWay === read) this.#underWay = null;
    }
  }

  /** Answers what it was given. */
  keep(readings: readonly Reading[]): readonly Reading[] {
    const tickMs = this.#clock.monotonicMs();
    for (const reading of readings) {
      const { point, measuredAtMs, readTickMs = tickMs } = reading;
      this.#readings.set(point, measuredAtMs === undefined ? { ...reading, readTickMs } : reading);
    }
    return readings;
  }

  /** The device does not answer: nobody can say that any of it still holds. */
  forget(): void {
    this.#readings.clear();
  }

  /** Once a read that is under way is over. Empty: nothing is known. Rejects with the signal's reason only. */
  async known(signal: AbortSignal): Promise<readonly Reading[]> {
    const underWay = this.#underWay;
    if (underWay !== null) await within(this.#clock, LONGEST_READ_MS, signal, () => underWay).catch(() => undefined);
    signal.throwIfAborted();
    return [...this.#readings.values()];
  }
}
