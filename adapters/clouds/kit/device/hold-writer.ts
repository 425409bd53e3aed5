/** Commands of thermostats behind clouds: their parts are written one by one, and vendors take them in one piece. */
import { type Clock, type Control, type ControlPoint, type HvacMode, MINUTE_MS, type PointValue } from "hemgate/sdk";
import type { CloudReading, Tempo } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";

/** What a unit is to aim for, complete. Setpoints in °C. */
export type Hold =
  | { readonly mode: "SCHEDULE" }
  | { readonly mode: "OFF" }
  | { readonly mode: "HEAT"; readonly heat: number }
  | { readonly mode: "COOL"; readonly cool: number }
  | { readonly mode: "AUTO"; readonly heat: number; readonly cool: number };

/** Parts that follow each other within this time belong to one command, ms: retries and backoff of a request included. */
const COMMAND_MS = 60_000;
/** How long the unit is looked at more often after a command, ms. */
const ACTIVE_MS = 5 * MINUTE_MS;

const SCHEDULE = { mode: "SCHEDULE" } as const;

export interface HoldSettings {
  readonly clock: Clock;
  readonly controls: readonly Control[];
  /** Sends a permanent hold, or hands the unit back to its schedule. */
  readonly send: (hold: Hold, signal: AbortSignal) => Promise<void>;
  /** The hold of a mode at the setpoint that the unit has, where it has no schedule; null: it has none for it. */
  readonly atOwnSetpoint?: (mode: PointValue) => Hold | null;
}

/**
 * Gathers what is written of a command and sends it once it is complete: a mode waits for its setpoints, so that the unit
 * never aims for a new mode at an old temperature, or the other way round. The order of the parts does not matter. That
 * the hold is permanent needs no separate request: there is no other kind that is sent.
 */
export class HoldWriter {
  readonly #settings: HoldSettings;
  readonly #parts = new Map<ControlPoint, PointValue>();
  /** Monotonic ms. */
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #sent: string | null = null;
  #isOffByModeAlone = false;
  /** What was read last. */
  #readings: ReadonlyMap<string, unknown> = new Map();
  /** The permanent hold that a limit has switched off; null: there was none. */
  #holdBefore: Hold | null = null;
  /** The mode that was written last to end a limit, although it cannot be asked for. */
  #tookBack: PointValue | null = null;

  constructor(settings: HoldSettings) {
    this.#settings = settings;
  }

  /** `shown`: the mode that the unit was last read in; what is written without a mode applies to it. */
  async write(point: ControlPoint, value: PointValue, shown: HvacMode, signal: AbortSignal): Promise<void> {
    const isBack = this.takesBack(point, value, shown);
    if (!isBack) this.#refuseOdd(point, value);
    // The schedule may have another mode: whatever the unit does by then is not changed again.
    else if (this.#tookBack === value && shown !== "OFF") return;
    const isAgain = this.#parts.size === 1 && this.#parts.get(point) === value;
    this.#take(point, value);
    const asked = completeHold(this.#parts, shown) ?? this.#ofModeAlone(point, value, isAgain);
    const hold = isBack ? SCHEDULE : asked;
    const isSent = hold !== null && this.#sent === JSON.stringify(hold);
    if (hold === null || isSent || value === "PERMANENT") return;
    await this.#settings.send(hold, signal);
    this.#sent = JSON.stringify(hold);
    this.#isOffByModeAlone = hold.mode === "OFF" && this.#parts.size === 1;
    this.#tookBack = isBack ? value : null;
    if (!this.#isOffByModeAlone) this.#holdBefore = null;
    else if (this.#readings.get("hvac.mode") !== "OFF") this.#holdBefore = permanentHold(this.#readings);
    this.#sentAtMs = this.#settings.clock.monotonicMs();
  }

  /** Takes what was read, and returns it. */
  noted(readings: readonly CloudReading[]): readonly CloudReading[] {
    this.#readings = new Map(readings.map(({ point, value }) => [point, value]));
    return readings;
  }

  /** True for a mode that is only shown, such as one that dries: it is written where a limit that switched the unit off has ended. */
  takesBack(point: ControlPoint, value: PointValue, shown: HvacMode): boolean {
    const isExpected = shown === "OFF" || this.#isOffByModeAlone || this.#tookBack === value;
    const isShownOnly = value === "AUTO" || value === "UNKNOWN";
    return point === "hvac.mode" && isExpected && isShownOnly && !this.#isListed(point, value);
  }

  tempo(): Tempo {
    return this.#settings.clock.monotonicMs() - this.#sentAtMs < ACTIVE_MS ? "active" : "usual";
  }

  /**
   * A mode that is given back after a limit comes without a setpoint. A unit with a schedule goes back to its permanent hold,
   * else to the schedule: at once where a limit has switched it off, because a command of its owner's says that it is a hold.
   * Else the mode has to be asked for once more, since a setpoint may follow; a unit without a schedule gets it at the
   * setpoint that it has.
   */
  #ofModeAlone(point: ControlPoint, value: PointValue, isAgain: boolean): Hold | null {
    if (point !== "hvac.mode" || this.#parts.size > 1) return null;
    const { controls, atOwnSetpoint } = this.#settings;
    const hasSchedule = controls.some((control) => control.point === "hvac.holdType");
    const before = this.#holdBefore?.mode === value ? this.#holdBefore : SCHEDULE;
    if (hasSchedule) return isAgain || this.#isOffByModeAlone ? before : null;
    return isAgain ? (atOwnSetpoint?.(value) ?? null) : null;
  }

  /** A part that is there already begins a new command. */
  #take(point: ControlPoint, value: PointValue): void {
    const nowMs = this.#settings.clock.monotonicMs();
    if (this.#parts.has(point) || nowMs - this.#writtenAtMs > COMMAND_MS) {
      this.#parts.clear();
      this.#sent = null;
    }
    this.#parts.set(point, value);
    this.#writtenAtMs = nowMs;
  }

  #isListed(point: ControlPoint, value: PointValue): boolean {
    return this.#settings.controls.find((each) => each.point === point)?.values?.includes(value) ?? false;
  }

  #refuseOdd(point: ControlPoint, value: PointValue): void {
    const control = this.#settings.controls.find((each) => each.point === point);
    const { range } = control ?? {};
    const isWithin = typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
    if (!this.#isListed(point, value) && !isWithin) {
      throw new CloudError("refused", `${point}: ${String(value)} is not what this unit can be set to`);
    }
  }
}

function permanentHold(readings: ReadonlyMap<string, unknown>): Hold | null {
  const [mode, type] = [readings.get("hvac.mode"), readings.get("hvac.holdType")];
  const [heat, cool] = [readings.get("hvac.heatSetpoint"), readings.get("hvac.coolSetpoint")];
  if (type !== "PERMANENT") return null;
  if (mode === "HEAT") return typeof heat === "number" ? { mode, heat } : null;
  if (mode === "COOL") return typeof cool === "number" ? { mode, cool } : null;
  return mode === "AUTO" && typeof heat === "number" && typeof cool === "number" ? { mode, heat, cool } : null;
}

function completeHold(parts: ReadonlyMap<ControlPoint, PointValue>, shown: HvacMode): Hold | null {
  if (parts.get("hvac.holdType") === "SCHEDULED") return { mode: "SCHEDULE" };
  const mode = parts.get("hvac.mode") ?? shown;
  const [heat, cool] = [parts.get("hvac.heatSetpoint"), parts.get("hvac.coolSetpoint")];
  if (mode === "OFF") return parts.has("hvac.mode") ? { mode } : null;
  if (mode === "HEAT") return typeof heat === "number" ? { mode, heat } : null;
  if (mode === "COOL") return typeof cool === "number" ? { mode, cool } : null;
  if (mode !== "AUTO" || typeof heat !== "number" || typeof cool !== "number") return null;
  return { mode, heat, cool };
}
