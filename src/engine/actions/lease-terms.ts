import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { Control } from "../../sdk/driver.ts";

/** A held value is written again after this part of the device's own timer; below half, so that one slow turn is no loss. */
const RENEW_AT = 0.4;
/** The states in which a device decides by itself. */
const BY_ITSELF: readonly PointValue[] = ["SELF_RELIANCE", "AUTO"];

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
    return safe === "as-found" ? this.backTo(point, values[point] ?? null) : safe;
  }

  /**
   * Returns what gives a found value back: the value itself, the nearest number that the device takes, or for a state that
   * it only reports the safe default, or the state in which it decides by itself. It would refuse anything else for ever.
   */
  backTo(point: ControlPoint, found: PointValue | null): PointValue | null {
    const { values = [], range, safeDefault = null } = this.#of(point) ?? {};
    if (found === null || values.includes(found)) return found;
    if (typeof found === "number" && range !== undefined) return Math.min(Math.max(found, range.min), range.max);
    const safe = safeDefault === "as-found" ? null : safeDefault;
    return [safe, ...BY_ITSELF].find((each) => each !== null && values.includes(each)) ?? found;
  }

  #of(point: ControlPoint): Control | undefined {
    return this.#controls.find((control) => control.point === point);
  }
}
