import { type Control, DeviceError, type DeviceIdentity, type Driver, type PointName, type Reading } from "hemgate/sdk";
import type { MeterLine } from "./meter-line.ts";

/** How often the engine fetches what came, ms: meters tell something once a second at most. */
const FETCH_MS = 1_000;

/** Answers with the last telegram of a line. */
export class MeterDriver implements Driver {
  readonly identity: DeviceIdentity;
  readonly vendors: readonly string[];
  readonly controls: readonly Control[] = [];
  readonly pollMs = FETCH_MS;
  readonly points: readonly PointName[];
  readonly #line: MeterLine;
  readonly #share: Disposable;
  #answered = 0;

  constructor(parts: {
    readonly line: MeterLine;
    readonly share: Disposable;
    readonly identity: DeviceIdentity;
    readonly vendors: readonly string[];
  }) {
    this.#line = parts.line;
    this.#share = parts.share;
    this.identity = parts.identity;
    this.vendors = parts.vendors;
    this.points = parts.line.points;
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    signal.throwIfAborted();
    const absence = this.#line.absence();
    const { latest } = this.#line;
    if (absence !== null || latest === null) throw new DeviceError("unreachable", absence ?? "no telegram came");
    const { serial } = latest.identity;
    if (serial !== null && this.identity.serial !== null && serial !== this.identity.serial) {
      throw new DeviceError("malformed", `another meter is on the line: ${serial} in place of ${this.identity.serial}`);
    }
    if (this.#line.points.length > this.points.length) {
      // As after a PIN was entered. The engine has to connect again to see the new points.
      throw new DeviceError("unreachable", "the meter reports more values than before; reconnecting");
    }
    if (scope === "due" && latest.number === this.#answered) return [];
    this.#answered = latest.number;
    return this.points.map((point): Reading => ({ point, value: latest.points.get(point) ?? null }) as Reading);
  }

  async write(): Promise<never> {
    throw new DeviceError("rejected", "a meter cannot be written to");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#share[Symbol.dispose]();
  }
}
