import assert from "node:assert/strict";
import {
  type Clock,
  type ConfirmedControls,
  type ControlPoint,
  type DerivedPoint,
  type DeviceProfile,
  evaluate,
  type Formula,
  type FormulaScope,
  formulaKeys,
  isConfirmed,
  type KnownParts,
  type PointName,
  type PointValue,
  PresentParts,
  type ProfilePoint,
  type Provenance,
  type RegisterPoint,
  type RegisterValues,
  WrittenValues,
} from "hemgate/sdk";
import type { DeviceMap } from "../driver/device-map.ts";
import { readPlate, serialRead } from "../driver/plate.ts";
import type { ModbusUnit } from "../driver/register-point.ts";
import { isPointName } from "./point-name.ts";
import { offeredControls } from "./profile-control.ts";

/** What the owner decides about a profile's device. */
export interface ProfileChoices {
  /** Turns on controls whose registers no two sources agree on. */
  readonly confirmUnverified: ConfirmedControls;
  /** True turns on forced states that no timer of the device's own would end. */
  readonly confirmNoFailsafe?: boolean;
  /** Values of the profile's settings, by name. */
  readonly settings?: Readonly<Record<string, number>>;
  /** The parts that earlier connections found. */
  readonly knownParts?: KnownParts;
}

/** Makes the map of a device that a profile describes, after asking the device who it is. */
export async function connectProfile(
  profile: DeviceProfile,
  unit: ModbusUnit,
  { clock, ...choices }: ProfileChoices & { readonly clock: Pick<Clock, "monotonicMs" | "sleep"> },
  signal: AbortSignal,
): Promise<DeviceMap> {
  const isTrusted = ({ confidence }: Provenance, point: ControlPoint): boolean =>
    confidence === "cross-checked" || isConfirmed(choices.confirmUnverified, point);
  const setting = (name: string): number | null =>
    choices.settings?.[name] ?? profile.settings?.[name]?.default ?? null;
  const written = new WrittenValues(clock);
  const scopeOf = (registers: RegisterValues): FormulaScope => ({
    value: (key) => registers.get(key),
    setting,
    lastWrite: (point) => written.get(point),
  });
  const [first] = profile.points;
  assert(first !== undefined, `${profile.id} has no points`);
  const { controls, unconfirmed } = offeredControls(profile, {
    isTrusted,
    acceptsNoFailsafe: choices.confirmNoFailsafe === true,
    setting,
    scopeOf,
    written,
    clock,
  });
  const serial = serialRead(profile);
  return {
    identity: await readPlate(profile, unit, signal),
    ...(serial === undefined ? {} : { serial }),
    vendors: profile.vendors,
    isEnergyManager: profile.isEnergyManager ?? false,
    registers: profile.points.map(registerOf),
    derived: [
      ...profile.points.flatMap(stateOf),
      ...profile.derived.map(({ point, value }) => derivedOf(point, value, keyOf(first), scopeOf)),
    ],
    controls,
    unconfirmed,
    limits: profile.limits,
    ...(profile.parts === undefined ? {} : { parts: new PresentParts(profile.parts, choices.knownParts ?? new Set()) }),
  };
}

function derivedOf(
  point: PointName,
  formula: Formula,
  anyKey: string,
  scopeOf: (registers: RegisterValues) => FormulaScope,
): DerivedPoint {
  const keys = formulaKeys(formula);
  return {
    point,
    // What is made of settings and writes only is reported whenever the device is read.
    from: keys.length === 0 ? [anyKey] : keys,
    value: (registers) => evaluate(formula, scopeOf(registers)) as PointValue | null,
  };
}

function registerOf(point: ProfilePoint): RegisterPoint<string> {
  return { ...point, key: keyOf(point) };
}

/** A state is read under its own name; its meaning is derived from that. */
function keyOf({ key, states }: ProfilePoint): string {
  return states === undefined ? key : `raw.${key}`;
}

function stateOf(point: ProfilePoint): DerivedPoint[] {
  const { key, states } = point;
  if (states === undefined || !isPointName(key)) return [];
  return [
    {
      point: key,
      from: [keyOf(point)],
      value: (registers) => {
        const raw = registers.get(keyOf(point)) ?? null;
        if (raw === null) return null;
        const known = states.values[String(raw)];
        return known === undefined ? states.otherwise : known;
      },
    },
  ];
}
