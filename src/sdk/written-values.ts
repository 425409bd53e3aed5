import type { Clock } from "../platform/ports/ports.ts";
import type { ControlPoint, PointValue } from "../points/points.ts";

/** The values last written to controls that cannot be read back, with the time for which the device keeps them. */
export class WrittenValues {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #values = new Map<ControlPoint, { readonly value: PointValue; readonly untilMs: number }>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Notes a written value. `holdMs` is the device's reversion timer; `null` if it keeps the value until the next write. */
  set(point: ControlPoint, value: PointValue, holdMs: number | null): void {
    const untilMs = holdMs === null ? Number.POSITIVE_INFINITY : this.#clock.monotonicMs() + holdMs;
    this.#values.set(point, { value, untilMs });
  }

  /** Returns the last value; `null` if nothing was written, or if the device no longer keeps it. */
  get(point: ControlPoint): PointValue | null {
    const written = this.#values.get(point);
    return written === undefined || this.#clock.monotonicMs() >= written.untilMs ? null : written.value;
  }
}
