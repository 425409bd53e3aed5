/** The last values of Growatt's hybrid inverters. Powers in W, each direction on its own; counters in kWh. */
import type { CloudReading } from "../kit/connector.ts";
import { looseNumber } from "../kit/device/loose-number.ts";
import { batteryStatusOf } from "../kit/device/site-flow.ts";
import type { DeviceFields } from "./schemas.ts";

const WH_PER_KWH = 1_000;

interface Names {
  readonly charge: readonly string[];
  readonly discharge: readonly string[];
  readonly soc: readonly string[];
  readonly load: readonly string[];
  readonly charged: readonly string[];
  readonly discharged: readonly string[];
}

/** A family of inverters: its place in the interface, and what it calls things. */
export interface Family {
  /** In `device/list`. */
  readonly type: number;
  readonly path: string;
  readonly names: Names;
}

export const MIN: Family = {
  type: 7,
  path: "tlx",
  names: {
    charge: ["bdc1ChargePower"],
    discharge: ["bdc1DischargePower"],
    soc: ["bmsSoc", "bdc1Soc"],
    load: ["pacToLocalLoad"],
    charged: ["echargeTotal"],
    discharged: ["edischargeTotal"],
  },
};

const SPH: Family = {
  type: 5,
  path: "mix",
  names: {
    charge: ["pcharge1"],
    discharge: ["pdischarge1"],
    soc: ["soc"],
    load: ["plocalLoadTotal"],
    charged: ["echarge1Total"],
    discharged: ["edischarge1Total"],
  },
};

export const FAMILIES: readonly Family[] = [MIN, SPH];

/** The parts of an inverter: missing parts are reported as 0, and have never been anything else. */
export interface Equipment {
  readonly hasMeter: boolean;
  readonly hasBattery: boolean;
}

const TO_HOUSE = ["pacToUserTotal"];
const TO_GRID = ["pacToGridTotal"];
const IMPORTED = ["etoUserTotal"];
const EXPORTED = ["etoGridTotal"];

export function equipmentOf(fields: DeviceFields, { names }: Family): Equipment {
  const isAny = (...sets: readonly (readonly string[])[]) => sets.some((set) => (first(fields, set) ?? 0) > 0);
  return {
    hasMeter: isAny(TO_HOUSE, TO_GRID, IMPORTED, EXPORTED),
    hasBattery: isAny(names.soc, names.charged, names.discharged, names.charge, names.discharge),
  };
}

/** False: its logger is not connected, and its values are old. */
export function isOnline(fields: DeviceFields): boolean {
  return String(fields.get("lost") ?? "false").toLowerCase() !== "true";
}

export function telemetryReadings(
  fields: DeviceFields,
  { names }: Family,
  { hasBattery }: Equipment,
): readonly CloudReading[] {
  const batteryW = difference(first(fields, names.charge), first(fields, names.discharge));
  const produced = first(fields, ["epvTotal"]) ?? (hasBattery ? null : first(fields, ["eacTotal"]));
  return [
    { point: "inverter.power", value: first(fields, ["ppv"]) },
    { point: "inverter.energy", value: inWh(produced) },
    { point: "meter.power", value: difference(first(fields, TO_HOUSE), first(fields, TO_GRID)) },
    { point: "meter.energyImport", value: inWh(first(fields, IMPORTED)) },
    { point: "meter.energyExport", value: inWh(first(fields, EXPORTED)) },
    { point: "hem.load", value: first(fields, names.load) },
    { point: "battery.power", value: batteryW },
    { point: "battery.status", value: batteryStatusOf(batteryW) },
    { point: "battery.soc", value: first(fields, names.soc) },
    { point: "battery.energyCharged", value: inWh(first(fields, names.charged)) },
    { point: "battery.energyDischarged", value: inWh(first(fields, names.discharged)) },
  ];
}

/** The first of the names that has a value. */
function first(fields: DeviceFields, names: readonly string[]): number | null {
  const numbers = names.map((name) => looseNumber(fields.get(name.toLowerCase())));
  return numbers.find((number) => number !== null) ?? null;
}

export function inWh(kwh: number | null): number | null {
  return kwh === null ? null : Math.round(kwh * WH_PER_KWH);
}

function difference(into: number | null, out: number | null): number | null {
  return into === null || out === null ? null : Math.round((into - out) * 10) / 10;
}
