import assert from "node:assert/strict";
import {
  type DerivedPoint,
  type DeviceIdentity,
  type DeviceProfile,
  type PointValue,
  type ProfileControl,
  type ProfilePoint,
  type Provenance,
  type RegisterField,
  type RegisterPoint,
  registerWords,
  type WriteRecipe,
  type WriteStep,
} from "hemgate/sdk";
import { decoder } from "./decode.ts";
import type { DeviceMap, MapControl } from "./device-map.ts";
import { encodeNumber } from "./encode.ts";
import { ModbusException } from "./modbus-exception.ts";
import { isPointName } from "./point-name.ts";
import type { ModbusUnit } from "./register-point.ts";

/** Makes the map of a device that a profile describes, after asking the device who it is. */
export async function connectProfile(
  profile: DeviceProfile,
  unit: ModbusUnit,
  options: { readonly confirmUnverified: boolean },
  signal: AbortSignal,
): Promise<DeviceMap> {
  const isTrusted = ({ confidence }: Provenance): boolean =>
    options.confirmUnverified || confidence === "cross-checked";
  return {
    identity: await readIdentity(profile, unit, signal),
    vendors: profile.vendors,
    registers: profile.points.map(registerOf),
    derived: [...profile.points.flatMap(stateOf), ...profile.derived],
    controls: profile.controls.filter(isTrusted).map((control) => controlOf(control, isTrusted)),
    unconfirmed: profile.controls.filter((control) => !isTrusted(control)).map(({ point }) => point),
    limits: profile.transport,
  };
}

async function readIdentity(profile: DeviceProfile, unit: ModbusUnit, signal: AbortSignal): Promise<DeviceIdentity> {
  const { identity = {}, points } = profile;
  const [first] = points;
  assert(first !== undefined, `${profile.id} has no points`);
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
  return point.states === undefined ? point : { ...point, key: stateKey(point) };
}

function stateOf(point: ProfilePoint): DerivedPoint[] {
  const { key, states } = point;
  if (states === undefined || !isPointName(key)) return [];
  return [
    {
      point: key,
      from: [stateKey(point)],
      value: (registers) => {
        const raw = registers.get(stateKey(point));
        if (typeof raw !== "number") return null;
        const known = states.values[raw];
        return known === undefined ? states.otherwise : known;
      },
    },
  ];
}

function stateKey({ key }: ProfilePoint): string {
  return `raw.${key}`;
}

function controlOf(control: ProfileControl, isTrusted: (what: Provenance) => boolean): MapControl {
  const { point, range, safeDefault, write } = control;
  const hold = control.hold !== undefined && isTrusted(control.hold) ? control.hold : null;
  return {
    point,
    ...(range === undefined ? {} : { range }),
    ...("cases" in write ? { values: write.cases.map(({ value }) => value) } : {}),
    holdMs: hold?.holdMs ?? null,
    safeDefault,
    async write(unit, value, _registers, signal) {
      for (const step of [...(hold === null ? [] : stepsOf(hold.write, value)), ...stepsOf(write, value)]) {
        await unit.write(step.address, encodeNumber(step, numberOf(step, value)), step.code, signal);
      }
    },
  };
}

function stepsOf(recipe: WriteRecipe, value: PointValue): readonly WriteStep[] {
  if ("steps" in recipe) return recipe.steps;
  const found = recipe.cases.find((each) => each.value === value);
  assert(found !== undefined, `no writes for ${value}`);
  return found.steps;
}

function numberOf(step: WriteStep, wish: PointValue): number {
  if (step.value !== "wish") return step.value;
  assert(typeof wish === "number", `${wish} is not a number`);
  return wish;
}
