import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { Control } from "../../sdk/driver.ts";

/** A held value is written again after this part of the device's own timer; below half, so that one slow turn is no loss. */
const RENEW_AT = 0.4;

/** What the connected device says of its controls. */
export class LeaseTerms {
  #controls: readonly Control[] = [];

  connected(controls: readonly Control[]): void {
    this.#controls = controls;
  }

  /** The device's own timer, ms; null where it has none. */
  holdMs(point: ControlPoint): number | null {
    return this.#of(point)?.holdMs ?? null;
  }

  /** Half of that timer, ms: by then a value is to be written again. Infinite where there is none. */
  renewByMs(point: ControlPoint): number {
    return (this.holdMs(point) ?? Number.POSITIVE_INFINITY) / 2;
  }

  /** After how long a held value is written again, ms; infinite: never. */
  renewMs(point: ControlPoint): number {
    const timerMs = (this.holdMs(point) ?? Number.POSITIVE_INFINITY) * RENEW_AT;
    return Math.min(timerMs, this.#of(point)?.renewMs ?? Number.POSITIVE_INFINITY);
  }

  /** What the device shows when its timer ran out; null when that is its safe value, or not known. */
  fallback(point: ControlPoint): PointValue | null {
    return this.#of(point)?.fallsBackTo ?? null;
  }

  /** What an orderly stop leaves behind, as the driver declares it. */
  safeValue(point: ControlPoint, values: Readonly<PointValues>): PointValue | null {
    const safe = this.#of(point)?.safeDefault ?? null;
    return safe === "as-found" ? (values[point] ?? null) : safe;
  }

  #of(point: ControlPoint): Control | undefined {
    return this.#controls.find((control) => control.point === point);
  }
}
