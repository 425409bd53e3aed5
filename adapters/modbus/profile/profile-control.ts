/** The controls of a profile: which of them may be used, and the writes that set them. */
import {
  type Clock,
  type ControlPoint,
  DeviceError,
  type DeviceProfile,
  evaluate,
  evaluateNumber,
  type Formula,
  type FormulaScope,
  isForced,
  isTrue,
  type PointValue,
  type ProfileControl,
  type ProfileHold,
  type Provenance,
  type RegisterValues,
  registerWords,
  type WriteRecipe,
  type WriteStep,
  type WrittenValues,
} from "hemgate/sdk";
import type { MapControl } from "../driver/device-map.ts";
import { encodeNumber } from "../driver/encode.ts";
import type { ModbusUnit } from "../driver/register-point.ts";

/** What decides about controls. */
interface ControlParts {
  isTrusted(what: Provenance, point: ControlPoint): boolean;
  /** Whether a state may be forced on a device that would keep it when nobody is there to end it. */
  readonly acceptsNoFailsafe: boolean;
  setting(name: string): number | null;
  scopeOf(registers: RegisterValues): FormulaScope;
  readonly written: WrittenValues;
  readonly clock: Pick<Clock, "sleep">;
}

/** The controls that may be used now, and the points of those that wait for the owner. */
export function offeredControls(
  { controls }: DeviceProfile,
  parts: ControlParts,
): { readonly controls: readonly MapControl[]; readonly unconfirmed: readonly ControlPoint[] } {
  const offered = controls.map((control) => offer(control, parts));
  return {
    controls: offered.filter((each) => each !== null),
    unconfirmed: controls.filter((control, index) => isUnconfirmed(control, offered[index])).map(({ point }) => point),
  };
}

/** Whether the owner could have more of a control than is offered. */
function isUnconfirmed({ write }: ProfileControl, offered: MapControl | null | undefined): boolean {
  if (offered === null || offered === undefined) return true;
  return "cases" in write && write.cases.length > (offered.values?.length ?? 0);
}

/** Null when the control, or each of its cases, is not trusted or lacks a setting. */
function offer(control: ProfileControl, parts: ControlParts): MapControl | null {
  const { point, safeDefault } = control;
  const range = control.range === undefined ? undefined : rangeOf(control.range, parts);
  const hold = control.hold !== undefined && parts.isTrusted(control.hold, point) ? control.hold : null;
  const write = usable(control, hold, parts);
  if (write === null || range === null || !parts.isTrusted(control, point)) return null;
  const shows = hold?.shows;
  return {
    point,
    ...(range === undefined ? {} : { range }),
    ...(control.step === undefined ? {} : { step: control.step }),
    ...("cases" in write ? { values: write.cases.map(({ value }) => value) } : {}),
    holdMs: hold?.holdMs ?? null,
    ...(control.renewMs === undefined ? {} : { renewMs: control.renewMs }),
    safeDefault,
    ...(shows === undefined
      ? {}
      : { fallback: (registers) => evaluate(shows, parts.scopeOf(registers)) as PointValue | null }),
    async write(unit, value, registers, signal) {
      const scope = { ...parts.scopeOf(registers), setpoint: value };
      const run = new Writes(unit, scope, parts.clock, point.startsWith("charger.") ? roundedDown : Math.round, signal);
      const timer = hold?.write === undefined ? [] : run.encode(stepsOf(hold.write, value));
      const steps = run.encode(stepsOf(write, value));
      const sent = await run.send(timer);
      if (isReadBack(hold)) await run.check(sent);
      await run.send(steps);
      parts.written.set(point, value, hold?.holdMs ?? control.shownWithinMs ?? null);
    },
  };
}

/** No charger gets more than it may have. */
function roundedDown(raw: number): number {
  return Math.floor(raw + 1e-6);
}

/** Null when a setting is missing that the range is made of. */
function rangeOf(
  { min, max }: NonNullable<ProfileControl["range"]>,
  { setting }: ControlParts,
): NonNullable<MapControl["range"]> | null {
  const [least, most] = [evaluateNumber(min, { setting }), evaluateNumber(max, { setting })];
  return least === null || most === null ? null : { min: least, max: most };
}

function isReadBack(hold: ProfileHold | null): boolean {
  return hold?.isReadBack === true;
}

/** The recipe without the cases that may not be used; null when nothing is left. */
function usable(control: ProfileControl, hold: ProfileHold | null, parts: ControlParts): WriteRecipe | null {
  const { write: recipe } = control;
  const isSet = (steps: readonly WriteStep[]): boolean =>
    settingsOf(steps).every((name) => parts.setting(name) !== null);
  if ("steps" in recipe) return isSet(recipe.steps) ? recipe : null;
  const mayForce = hold !== null || parts.acceptsNoFailsafe;
  const cases = recipe.cases.filter(
    (each) =>
      parts.isTrusted({ ...control, ...each }, control.point) &&
      isSet(each.steps) &&
      (mayForce || !isForced(control.point, each.value)),
  );
  return cases.length === 0 ? null : { cases };
}

function settingsOf(what: unknown): readonly string[] {
  if (Array.isArray(what)) return what.flatMap(settingsOf);
  if (typeof what !== "object" || what === null) return [];
  if ("setting" in what) return [String(what.setting)];
  return Object.values(what).flatMap(settingsOf);
}

function stepsOf(recipe: WriteRecipe, value: PointValue): readonly WriteStep[] {
  if ("steps" in recipe) return recipe.steps;
  const found = recipe.cases.find((each) => each.value === value);
  if (found === undefined) throw new DeviceError("rejected", `no writes for ${value}`);
  return found.steps;
}

/** A step with the registers that it writes. */
interface EncodedStep {
  readonly step: WriteStep;
  readonly registers: readonly number[];
}

/** One command's writes. Everything is worked out before anything is sent. */
class Writes {
  readonly #unit: ModbusUnit;
  readonly #scope: FormulaScope;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #rounded: (raw: number) => number;
  readonly #signal: AbortSignal;

  constructor(
    unit: ModbusUnit,
    scope: FormulaScope,
    clock: Pick<Clock, "sleep">,
    rounded: (raw: number) => number,
    signal: AbortSignal,
  ) {
    this.#unit = unit;
    this.#scope = scope;
    this.#clock = clock;
    this.#rounded = rounded;
    this.#signal = signal;
  }

  encode(steps: readonly WriteStep[]): readonly EncodedStep[] {
    return steps
      .filter((step) => step.when === undefined || isTrue(step.when, this.#scope) === true)
      .map((step) => ({
        step,
        registers: step.fields.flatMap((field) =>
          encodeNumber(field, this.#number(step.address, field.value), this.#rounded),
        ),
      }));
  }

  /** Answers what was sent: what wears and was found as it is to be is left alone. */
  async send(steps: readonly EncodedStep[]): Promise<readonly EncodedStep[]> {
    const sent: EncodedStep[] = [];
    for (const each of steps) {
      const { step, registers } = each;
      if (step.isStored === true && (await this.#holds(step, registers))) continue;
      await this.#unit.write(step.address, registers, step.code, this.#signal);
      if (step.pauseMs !== undefined) await this.#clock.sleep(step.pauseMs, this.#signal);
      sent.push(each);
    }
    return sent;
  }

  /** Rejects unless the device holds what was sent. */
  async check(steps: readonly EncodedStep[]): Promise<void> {
    for (const { step, registers } of steps) {
      if (await this.#holds(step, registers)) continue;
      throw new DeviceError("rejected", `register ${step.address} did not take ${registers.join(", ")}`);
    }
  }

  async #holds(step: WriteStep, registers: readonly number[]): Promise<boolean> {
    const table = step.code === 5 ? "coil" : "holding";
    const current = await this.#unit.read(table, step.address, wordsOf(step), this.#signal);
    return registers.every((register, index) => current[index] === register);
  }

  #number(address: number, formula: Formula): number {
    const isSwitch = formula !== null && typeof formula === "object" && "wish" in formula;
    if (isSwitch && typeof this.#scope.setpoint === "boolean") return Number(this.#scope.setpoint);
    const value = evaluateNumber(formula, this.#scope);
    if (value === null) throw new DeviceError("rejected", `what to write to register ${address} is not known yet`);
    return value;
  }
}

function wordsOf({ fields }: WriteStep): number {
  return fields.reduce((sum, field) => sum + registerWords(field), 0);
}
