import type { Clock } from "../platform/ports/ports.ts";
import type { ControlPoint, PointValue } from "../points/points.ts";

/** What was last written to each control, and for how long the device keeps it: for what cannot be read back. */
export class WrittenValues {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #values = new Map<ControlPoint, { readonly value: PointValue; readonly untilMs: number }>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** `holdMs` null: the device keeps it until something else is written. */
  set(point: ControlPoint, value: PointValue, holdMs: number | null): void {
    const untilMs = holdMs === null ? Number.POSITIVE_INFINITY : this.#clock.monotonicMs() + holdMs;
    this.#values.set(point, { value, untilMs });
  }

  /** Null when nothing was written, or the device has let go of it. */
  get(point: ControlPoint): PointValue | null {
    const written = this.#values.get(point);
    return written === undefined || this.#clock.monotonicMs() >= written.untilMs ? null : written.value;
  }
}
