/** The controls of a profile: which of them may be used, and the requests that set them. */
import {
  type Clock,
  type Control,
  type ControlPoint,
  DeviceError,
  type FormulaScope,
  isTrue,
  type PointValue,
  type Provenance,
} from "hemgate/sdk";
import type { HttpControl, HttpProfile, HttpWrite } from "./http-profile.ts";
import type { HttpUnit } from "./http-unit.ts";
import { settingsIn } from "./path-settings.ts";

/** A control with the requests that set it. */
export interface HttpMapControl extends Control {
  write(value: PointValue, signal: AbortSignal): Promise<void>;
}

/** What decides about controls, and what they are sent with. */
export interface ControlParts {
  readonly unit: HttpUnit;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly scope: FormulaScope;
  isTrusted(what: Provenance, point: ControlPoint): boolean;
  setting(name: string): string | null;
  /** Reads what the device holds now for a point. */
  readCurrent(point: ControlPoint, signal: AbortSignal): Promise<unknown>;
  /** Called with what was written, and for how long the device keeps it. */
  written(point: ControlPoint, value: PointValue, holdMs: number | null): void;
}

/** The controls that may be used now, and the points of those that wait for the owner. */
export function offeredControls(
  { controls }: HttpProfile,
  parts: ControlParts,
): { readonly controls: readonly HttpMapControl[]; readonly unconfirmed: readonly ControlPoint[] } {
  const offered = controls.map((control) => offer(control, parts));
  return {
    controls: offered.filter((each) => each !== null),
    unconfirmed: controls.filter((_control, index) => offered[index] === null).map(({ point }) => point),
  };
}

/** Whether a control takes a value: one of its states, or a number within its range. */
export function acceptsValue({ values, range }: Pick<Control, "values" | "range">, value: PointValue): boolean {
  if (values?.includes(value) === true) return true;
  return typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
}

/** Null when the control, or each of its cases, is not trusted or lacks a setting. */
function offer(control: HttpControl, parts: ControlParts): HttpMapControl | null {
  const { point, range, safeDefault, step, renewMs, shownWithinMs } = control;
  const write = usable(control, parts);
  if (write === null || !parts.isTrusted(control, point)) return null;
  const hold = control.hold !== undefined && parts.isTrusted(control.hold, point) ? control.hold : null;
  const writer = new ControlWriter(control, parts);
  return {
    point,
    ...(range === undefined ? {} : { range }),
    ...(step === undefined ? {} : { step }),
    ...("cases" in write ? { values: write.cases.map(({ value }) => value) } : {}),
    holdMs: hold?.holdMs ?? null,
    ...(renewMs === undefined ? {} : { renewMs }),
    safeDefault,
    async write(value, signal) {
      const setpoint = typeof value === "number" && step !== undefined ? floorTo(value, step) : value;
      const steps = "steps" in write ? write.steps : write.cases.find((each) => each.value === setpoint)?.steps;
      if (steps === undefined) throw new DeviceError("rejected", `${point} does not take ${setpoint}`);
      await writer.send(steps, setpoint, signal);
      parts.written(point, setpoint, hold?.holdMs ?? shownWithinMs ?? null);
    },
  };
}

function usable({ write, ...control }: HttpControl, parts: ControlParts): HttpControl["write"] | null {
  const isSet = (steps: readonly HttpWrite[]): boolean =>
    settingsOf(steps).every((name) => parts.setting(name) !== null);
  if ("steps" in write) return isSet(write.steps) ? write : null;
  const cases = write.cases.filter(
    (each) => parts.isTrusted({ ...control, ...each }, control.point) && isSet(each.steps),
  );
  return cases.length === 0 ? null : { cases };
}

function settingsOf(steps: readonly HttpWrite[]): readonly string[] {
  const inPaths = steps.flatMap(({ path, values = {} }) => settingsIn(path).filter((name) => !(name in values)));
  return [...inPaths, ...steps.flatMap(({ values, body, when }) => settingsInside([values, body, when]))];
}

function settingsInside(what: unknown): readonly string[] {
  if (Array.isArray(what)) return what.flatMap(settingsInside);
  if (typeof what !== "object" || what === null) return [];
  if ("setting" in what) return [String(what.setting)];
  return Object.values(what).flatMap(settingsInside);
}

function floorTo(value: number, step: number): number {
  return Number((Math.floor(value / step + 1e-9) * step).toPrecision(12));
}

/** Sends one control's requests. All are worked out before the first is sent. */
class ControlWriter {
  readonly #control: HttpControl;
  readonly #parts: ControlParts;
  #lastStoredMs = Number.NEGATIVE_INFINITY;

  constructor(control: HttpControl, parts: ControlParts) {
    this.#control = control;
    this.#parts = parts;
  }

  async send(steps: readonly HttpWrite[], setpoint: PointValue, signal: AbortSignal): Promise<void> {
    const { unit, clock } = this.#parts;
    const scope: FormulaScope = { ...this.#parts.scope, setpoint };
    const applicable = steps.filter(({ when }) => when === undefined || isTrue(when, scope) === true);
    for (const step of applicable) unit.encode(step, scope);
    for (const step of applicable) {
      if (step.isStored === true && !(await this.#mayStore(setpoint, signal))) continue;
      await unit.write(step, scope, signal);
      if (step.isStored === true) this.#lastStoredMs = clock.monotonicMs();
      if (step.pauseMs !== undefined) await clock.sleep(step.pauseMs, signal);
    }
  }

  /** False when the device holds the value already. Waits until a further write is harmless to its memory. */
  async #mayStore(setpoint: PointValue, signal: AbortSignal): Promise<boolean> {
    const { clock, readCurrent } = this.#parts;
    if ((await readCurrent(this.#control.point, signal)) === setpoint) return false;
    const gapMs = this.#lastStoredMs + (this.#control.minGapMs ?? 0) - clock.monotonicMs();
    if (gapMs > 0) await clock.sleep(gapMs, signal);
    return true;
  }
}
