import assert from "node:assert/strict";
import {
  type Clock,
  type ConfirmedControls,
  type ControlPoint,
  type DerivedPoint,
  type DeviceIdentity,
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
  type RegisterField,
  type RegisterPoint,
  type RegisterValues,
  registerWords,
  WrittenValues,
} from "hemgate/sdk";
import { decoder } from "./decode.ts";
import type { DeviceMap } from "./device-map.ts";
import { ModbusException } from "./modbus-exception.ts";
import { isPointName } from "./point-name.ts";
import { offeredControls } from "./profile-control.ts";
import type { ModbusUnit } from "./register-point.ts";

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
    mayOutlive: choices.confirmNoFailsafe === true,
    setting,
    scopeOf,
    written,
    clock,
  });
  return {
    identity: await readIdentity(profile, first, unit, signal),
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
    // What is made of settings and writes only is told whenever the device is read.
    from: keys.length === 0 ? [anyKey] : keys,
    value: (registers) => evaluate(formula, scopeOf(registers)) as PointValue | null,
  };
}

async function readIdentity(
  profile: DeviceProfile,
  first: ProfilePoint,
  unit: ModbusUnit,
  signal: AbortSignal,
): Promise<DeviceIdentity> {
  const { identity = {} } = profile;
  // A profile without identity registers still has to find a device that answers before it counts as connected.
  if (Object.keys(identity).length === 0) await readField(first, unit, signal);
  const tell = async (field: RegisterField | undefined): Promise<string | null> =>
    field === undefined ? null : await readField(field, unit, signal);
  return {
    manufacturer: (await tell(identity.manufacturer)) ?? profile.brand,
    model: (await tell(identity.model)) ?? profile.model,
    serial: await tell(identity.serial),
    version: await tell(identity.version),
  };
}

/** A field as text; null when the device holds nothing there or refuses it. */
async function readField(field: RegisterField, unit: ModbusUnit, signal: AbortSignal): Promise<string | null> {
  try {
    const registers = await unit.read(field.table, field.address, registerWords(field), signal);
    const value = decoder(field)(registers, 0, 0);
    return value === null ? null : String(value);
  } catch (error) {
    if (error instanceof ModbusException && !error.isFromGateway) return null;
    throw error;
  }
}

function registerOf(point: ProfilePoint): RegisterPoint<string> {
  return { ...point, key: keyOf(point) };
}

/** A state is read under a name of its own; what it means is derived from that. */
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
