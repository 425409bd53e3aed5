import { type Condition, defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
import { CHARGE_W, DISCHARGE_W, FORCED_POWER, powerSetpoint, SETPOINT_AS_WRITTEN } from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { type PointRow, phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const AGREED = {
  table: "holding",
  confidence: "cross-checked",
  source: "evcc, victronenergy/dbus_modbustcp, OpenEMS",
} as const;
const CONTROL = { confidence: "cross-checked", source: "openWB, victronenergy/dbus_modbustcp" } as const;
const VENDOR = { confidence: "vendor-list", source: "victronenergy/dbus_modbustcp" } as const;

const SETPOINT = 2716;
/**
 * A forced charge asks for import, and a forced discharge for export, of at least this, W. So neither turns round when
 * nobody renews it and the sun goes, and both show in the register: 0 is an override that was never set.
 */
const LEAST_W = 1;
/** The set point is a loop around the battery's power: it is recalculated this often, as openWB does. */
const LOOP_MS = 10_000;

const AT_THE_GRID = "Moves the power at the grid, from which the battery's power follows within some seconds.";

/** PV on the outputs, on the grid side and on a generator, a phase each, and on DC: addresses 808 to 816, 850. */
const PV = ["out", "grid", "genset"].flatMap((side) => [1, 2, 3].map((phase) => `raw.pv.${side}.l${phase}` as const));
const PV_ROWS: readonly PointRow[] = PV.map((key, index) => [
  key,
  808 + index,
  "uint16",
  "fast",
  index > 6 ? VENDOR : {},
]);
const LOAD = ["raw.load.l1", "raw.load.l2", "raw.load.l3"] as const;
const GRID: Formula = { sum: [{ of: "meter.power.l1" }, { of: "meter.power.l2" }, { of: "meter.power.l3" }] };
/** In flash, and never written. Given back instead of 0: many let some import in, against export by a slow loop. */
const OWNERS_SETPOINT: Formula = { of: "raw.storedSetpoint" };

/**
 * Only where ESS runs by its own loop, and Victron's scheduler (Dynamic ESS) does not: two schedulers would pull at one
 * battery. Software before 3.50 has neither the register of the scheduler nor the volatile set point.
 */
const IS_OURS: Condition = {
  all: [
    { of: { of: "raw.dynamicEss" }, is: 0 },
    { of: { of: "raw.essMode" }, is: [1, 2] },
  ],
};

function unlessScheduled(value: Formula): Formula {
  return { when: IS_OURS, gives: value, otherwise: null };
}

function setpoint(value: Formula): WriteStep {
  return writeStep(SETPOINT, 16, "int32", unlessScheduled({ round: value }));
}

/** The grid power at which the battery would take so much, W. */
function gridFor(batteryW: Formula): Formula {
  return { sum: [GRID, { minus: [batteryW, { of: "battery.power" }] }] };
}

function charge(watts: Formula): readonly WriteStep[] {
  return [setpoint({ greatest: [LEAST_W, gridFor(watts)] })];
}

function discharge(watts: Formula): readonly WriteStep[] {
  return [setpoint({ least: [-LEAST_W, gridFor({ minus: [0, watts] })] })];
}

const IS_BLOCKED: Condition = {
  all: [
    { of: { of: "raw.maxChargePercent" }, is: 0 },
    { of: { of: "raw.maxDischargePercent" }, is: 0 },
  ],
};
const IS_RELEASED: Condition = {
  any: [
    { of: { of: "raw.setpoint" }, is: 0 },
    { of: { minus: [{ of: "raw.setpoint" }, OWNERS_SETPOINT] }, is: 0 },
  ],
};

const FORCED: Formula = {
  when: IS_RELEASED,
  gives: "SELF_RELIANCE",
  otherwise: {
    when: { of: { of: "raw.setpoint" }, atLeast: LEAST_W },
    gives: "IMPORT_FOCUS",
    otherwise: "EXPORT_FOCUS",
  },
};

const MODE: Formula = {
  when: { of: { of: "raw.dynamicEss" }, is: 1 },
  gives: "TIME_OF_USE",
  otherwise: {
    when: { of: { of: "raw.essMode" }, is: [1, 2] },
    gives: { when: IS_BLOCKED, gives: "IDLE", otherwise: FORCED },
    otherwise: "UNKNOWN",
  },
};

/**
 * A Victron GX (Venus OS) as the system that it manages: battery, sun, grid and house. Inverters, grid meter and chargers
 * behind it have their own unit ids and profiles.
 */
export const victronGx = defineProfile({
  id: "victron-gx",
  brand: "Victron",
  model: "GX",
  vendors: ["MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 100 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Switch Modbus TCP on under Settings, Services. Commands need Venus OS 3.50 or newer and ESS.",
    "While Dynamic ESS is active nothing is written; the battery shows TIME_OF_USE.",
    "What the system does not have reads 0, because the GX has no value that says so.",
    "Only the volatile set point is written. What would make the battery idle (2701, 2702) is in flash, and would keep it so when the gateway dies.",
    "ESS keeps the set point when the gateway dies: only external control forgets it, after 60 s. Its sign stays as it was, so that a forced charge never exports and a forced discharge never imports.",
  ],
  identity: { serial: { table: "holding", address: 800, type: "string", words: 6, ...VENDOR } },
  parts: {
    battery: onceNotZero(["battery.soc", "battery.power"]),
    inverter: onceNotZero([...PV, "raw.pv.dc"]),
    meter: onceNotZero(["meter.power.l1", "meter.power.l2", "meter.power.l3"]),
  },
  points: pointRows(AGREED, [
    ...PV_ROWS,
    ...LOAD.map(
      (key, index) =>
        [key, 817 + index, "uint16", "fast", { source: "victronenergy/dbus_modbustcp, OpenEMS" }] as const,
    ),
    ...phaseRows("meter.power", [820, 1], "int16", "fast"),
    ["battery.power", 842, "int16", "fast"],
    ["battery.soc", 843, "uint16", "normal"],
    [
      "battery.status",
      844,
      "uint16",
      "fast",
      { states: { values: { 0: "IDLE", 1: "CHARGING", 2: "DISCHARGING" }, otherwise: "UNKNOWN" } },
    ],
    ["raw.pv.dc", 850, "uint16", "fast"],
    ["raw.storedSetpoint", 2700, "int16", "normal"],
    ["raw.maxChargePercent", 2701, "uint16", "normal"],
    ["raw.maxDischargePercent", 2702, "uint16", "normal"],
    ["raw.setpoint", SETPOINT, "int32", "normal", { source: "victronenergy/dbus_modbustcp, openWB" }],
    ["battery.reserve", 2901, "uint16", "slow", { scale: 0.1 }],
    ["raw.essMode", 2902, "uint16", "normal", { source: "victronenergy/dbus_modbustcp, openWB" }],
    ["raw.dynamicEss", 5400, "uint16", "normal", { source: "victronenergy/dbus_modbustcp, openWB" }],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf([...PV, "raw.pv.dc"]) },
    { point: "hem.load", value: sumOf(LOAD) },
    { point: "meter.power", value: GRID },
    { point: "battery.mode", value: MODE },
    { point: "battery.powerSetpoint", value: SETPOINT_AS_WRITTEN },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [setpoint({ first: [OWNERS_SETPOINT, 0] })] },
          {
            value: "IMPORT_FOCUS",
            steps: charge(CHARGE_W),
          },
          {
            value: "EXPORT_FOCUS",
            steps: discharge(DISCHARGE_W),
          },
        ],
      },
      renewMs: LOOP_MS,
      approximate: AT_THE_GRID,
      ...CONTROL,
    },
    powerSetpoint({ charge, discharge }, { approximate: AT_THE_GRID, ...CONTROL }),
  ],
});
