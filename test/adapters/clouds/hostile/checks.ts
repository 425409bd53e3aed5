/** What holds of a device behind a cloud, whatever the cloud answers. Each check throws, and says what does not hold. */
import { type Control, type ControlPoint, DeviceError, POINT_UNITS, type PointName, type Reading } from "hemgate/sdk";
import type { CloudDevice, CloudListing, CloudReading } from "../../../../adapters/clouds/kit/connector.ts";
import { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import type { Command } from "./sent-commands.ts";

const HVAC_MODES = ["OFF", "AUTO", "COOL", "HEAT", "UNKNOWN"];
const PLUGGED = ["INITIALIZING", "CHARGING", "STOPPED", "NO_POWER", "FAULT", "DISCHARGING"].map(
  (state) => `PLUGGED_IN:${state}`,
);
const FLAGS = [true, false];

/** Every value of the points that are no figures. */
const STATES: Readonly<Partial<Record<PointName, readonly unknown[]>>> = {
  "battery.status": ["CHARGING", "DISCHARGING", "IDLE", "FAULT", "UNKNOWN"],
  "battery.mode": ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE", "UNKNOWN"],
  "charger.state": ["UNKNOWN", "UNPLUGGED", ...PLUGGED],
  "charger.enabled": FLAGS,
  // 0: the charger decides.
  "charger.phases": [0, 1, 3],
  "hvac.mode": HVAC_MODES,
  "hvac.holdType": ["PERMANENT", "SCHEDULED"],
  "hvac.isActive": FLAGS,
  "vehicle.state": ["UNKNOWN", "UNPLUGGED", ...PLUGGED, "PLUGGED_IN:COMPLETE"],
  "vehicle.enabled": FLAGS,
};

/** What no device of a house may be told, whatever it says that it takes: A, °C, %. */
const BOUNDS: Readonly<Partial<Record<PointName, { readonly min: number; readonly max: number }>>> = {
  "charger.maxCurrent": { min: 5, max: 80 },
  "vehicle.maxCurrent": { min: 5, max: 80 },
  "hvac.heatSetpoint": { min: 0, max: 50 },
  "hvac.coolSetpoint": { min: 0, max: 50 },
  "battery.reserve": { min: 0, max: 100 },
};
/** Half a step of a vendor's own degrees, °C: °F in whole numbers, or a range in tenths of °C. */
const ROUNDED = 0.6;
/** A Date ends there. */
const MOST_MS = 8.64e15;
const KINDS: readonly unknown[] = [
  "login-refused",
  "expired",
  "forbidden",
  "refused",
  "rate-limited",
  "no-budget",
  "asleep",
  "timeout",
  "unavailable",
  "malformed",
];

function claim(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(what());
}

export function checkError(error: unknown): void {
  if (error instanceof DeviceError && error.kind === "rejected" && error.cause === undefined) return;
  if (error instanceof DeviceError && error.cause instanceof CloudError) checkCloudError(error.cause);
  else checkCloudError(error);
}

function checkCloudError(error: unknown): void {
  if (!(error instanceof CloudError))
    throw new Error(`another error than a CloudError: ${String(error)}`, { cause: error });
  claim(KINDS.includes(error.kind), () => `an error of no kind: ${String(error.kind)}`);
  const { notBeforeMs } = error;
  claim(notBeforeMs === null || Number.isFinite(notBeforeMs), () => `asks again at ${notBeforeMs}`);
}

export function checkListings(listings: readonly CloudListing[]): void {
  for (const { key, types, name, model, detail } of listings) {
    claim(typeof key === "string" && key !== "", () => `a listing with the key ${String(key)}`);
    claim(types.length > 0, () => `${key} is listed as nothing`);
    for (const text of [name, model, detail]) {
      claim(text === null || typeof text === "string", () => `${key} tells ${String(text)} for a text`);
    }
  }
}

export function checkDevice({ points, identity, cost }: CloudDevice): void {
  for (const point of points) claim(Object.hasOwn(POINT_UNITS, point), () => `${point} is no point`);
  for (const [part, value] of Object.entries(identity)) {
    const isRight = value === null || typeof value === "string" || Number.isFinite(value);
    claim(isRight, () => `the identity's ${part} is ${String(value)}`);
  }
  for (const [budget, units] of Object.entries(cost))
    claim(units >= 0 && units <= 20, () => `${budget} costs ${units}`);
}

export function checkControls(controls: readonly Control[]): void {
  for (const control of controls) checkControl(control);
}

function checkControl({ point, range, values }: Control): void {
  const states = STATES[point];
  for (const value of values ?? []) claim(states?.includes(value) ?? false, () => `${point} takes ${String(value)}`);
  if (range === undefined) return;
  const { min, max } = BOUNDS[point] ?? { min: 0, max: 100 };
  const isWithin = range.min >= min && range.max <= max && range.min <= range.max;
  claim(isWithin, () => `${point} takes ${range.min} to ${range.max}`);
}

export function checkReadings(readings: readonly (CloudReading | Reading)[], points: readonly PointName[]): void {
  claim(readings.length <= points.length, () => `${readings.length} readings of ${points.length} points`);
  for (const { point, value, measuredAtMs = 0 } of readings) {
    claim(points.includes(point), () => `${point} is not among the device's points`);
    claim(Math.abs(measuredAtMs) <= MOST_MS, () => `${point} was measured at ${measuredAtMs}`);
    if (value === null) continue;
    const states = STATES[point];
    const isRight = states === undefined ? Number.isFinite(value) : states.includes(value);
    claim(isRight, () => `${point} is ${String(value)}`);
    const isPercent = POINT_UNITS[point] === "%";
    claim(!isPercent || (Number(value) >= 0 && Number(value) <= 100), () => `${point} is ${String(value)} %`);
  }
}

/** `controls`: as the device had them when it was told. */
export function checkCommands(commands: readonly Command[], controls: readonly Control[]): void {
  for (const command of commands) {
    if ("word" in command) {
      claim(command.words.includes(command.word), () => `the device was told ${String(command.word)}`);
      continue;
    }
    const { point, figure } = command;
    const bounds = BOUNDS[point as PointName] ?? { min: 0, max: 100 };
    const { min, max } = controls.find((one) => one.point === (point as ControlPoint))?.range ?? bounds;
    const isWithin = typeof figure === "number" && figure >= min - ROUNDED && figure <= max + ROUNDED;
    claim(isWithin, () => `the device was told ${point} ${String(figure)}, and takes ${min} to ${max}`);
  }
}
