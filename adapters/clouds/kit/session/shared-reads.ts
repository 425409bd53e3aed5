import type { CloudReading, CloudSession } from "../connector.ts";

/** Devices that are read at the same moment, or again to see what a command did, take the same answer, ms. */
const LEAST_MS = 20_000;
/** Of the time since a device was last read: an answer that another device brought in that time is new to it. */
const NEW_TO_IT = 0.9;

/**
 * A device's part in an answer that tells of several devices. Each is read in its own time, so an answer serves all who
 * have not seen a newer one: however many there are, one request a period is made.
 */
export class SharedReads {
  readonly #session: Pick<CloudSession, "clock" | "sharedTickMs">;
  readonly #devices: ReadonlySet<string>;
  /** Monotonic ms. */
  #readAtMs: number;
  /** When the answer was asked for that the last reading took, monotonic ms; null: it took none. */
  #tookTickMs: number | null;

  private constructor(session: Pick<CloudSession, "clock" | "sharedTickMs">, devices: ReadonlySet<string>) {
    this.#session = session;
    this.#devices = devices;
    this.#readAtMs = session.clock.monotonicMs();
    this.#tookTickMs = this.#readAtMs;
  }

  /** Takes part in what is shared under a key of the account. */
  static async join(
    session: CloudSession,
    { key, device }: { readonly key: string; readonly device: string },
    signal: AbortSignal,
  ): Promise<SharedReads> {
    const fetch = async () => new Set<string>();
    const devices = await session.shared(`readers of ${key}`, Number.POSITIVE_INFINITY, fetch, signal);
    devices.add(device);
    return new SharedReads(session, devices);
  }

  /** The part of a request that one read costs. */
  get share(): number {
    return 1 / this.#devices.size;
  }

  /** How old an answer may be that is read now, ms; asked once a read. */
  freshMs(): number {
    const nowMs = this.#session.clock.monotonicMs();
    const sinceMs = nowMs - this.#readAtMs;
    this.#readAtMs = nowMs;
    this.#tookTickMs = null;
    return Math.max(LEAST_MS, sinceMs * NEW_TO_IT);
  }

  /** True: another device brought an answer under this key since the device was last read: it costs nothing to take it. */
  isBehind(key: string): boolean {
    const tickMs = this.#session.sharedTickMs(key);
    if (tickMs === null) return false;
    return this.#tookTickMs === null ? tickMs >= this.#readAtMs : tickMs > this.#tookTickMs;
  }

  /** To be called once a reading has its answer: when that was asked for, monotonic ms; null: nobody knows any more. */
  took(key: string): number | null {
    const tickMs = this.#session.sharedTickMs(key);
    this.#tookTickMs = tickMs ?? this.#readAtMs;
    return tickMs;
  }

  /** What says nothing of its time is as old as the answer under its key, whichever device fetched that. */
  dated(readings: readonly CloudReading[], key: string): readonly CloudReading[] {
    const readTickMs = this.took(key);
    if (readTickMs === null) return readings;
    return readings.map((reading) => (reading.measuredAtMs === undefined ? { ...reading, readTickMs } : reading));
  }
}
