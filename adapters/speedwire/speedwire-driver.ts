import { type Clock, type Control, DeviceError, type Driver, type PointName, type Reading } from "hemgate/sdk";
import type { MetersOnLan, SeenMeter } from "./meters-on-lan.ts";
import { sightingOf } from "./sighting.ts";

/** Meters send once to ten times a second; the engine fetches the last one, ms. */
const FETCH_MS = 1_000;

/** So long without a datagram is too long, ms. */
export const SILENT_MS = 10_000;

/** Answers with the last datagram of one meter. */
export class SpeedwireDriver implements Driver {
  readonly identity: Driver["identity"];
  readonly vendors: readonly string[] = ["SMA"];
  readonly controls: readonly Control[] = [];
  readonly pollMs = FETCH_MS;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #meters: MetersOnLan;
  readonly #serial: number;
  readonly #share: Disposable;
  readonly #host: string | null;
  #answered: SeenMeter | null = null;

  constructor(parts: {
    readonly clock: Pick<Clock, "monotonicMs">;
    readonly meters: MetersOnLan;
    readonly meter: SeenMeter;
    /** The only address that is believed; null: any. */
    readonly host: string | null;
    readonly share: Disposable;
  }) {
    this.#clock = parts.clock;
    this.#meters = parts.meters;
    this.#serial = parts.meter.datagram.serial;
    this.#host = parts.host;
    this.#share = parts.share;
    this.identity = sightingOf(parts.meter.datagram);
  }

  get points(): readonly PointName[] {
    return [...(this.#meters.of(this.#serial, this.#host)?.points ?? [])];
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    const meter = this.#meters.of(this.#serial, this.#host);
    const ageMs = meter === null ? Number.POSITIVE_INFINITY : this.#clock.monotonicMs() - meter.atMs;
    if (meter === null || ageMs > SILENT_MS) throw new DeviceError("unreachable", this.#absence(ageMs));
    if (scope === "due" && meter === this.#answered) return [];
    this.#answered = meter;
    return this.points.map((point): Reading => ({ point, value: meter.datagram.points.get(point) ?? null }) as Reading);
  }

  async write(): Promise<never> {
    throw new DeviceError("rejected", "a meter cannot be written to");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#share[Symbol.dispose]();
  }

  #absence(ageMs: number): string {
    const { failure } = this.#meters;
    if (failure !== null) return failure;
    return `meter ${this.#serial}: no datagram for ${Math.round(ageMs / 1_000)} s; a switch may hold multicast back (IGMP snooping)`;
  }
}
