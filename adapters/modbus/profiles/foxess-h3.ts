import {
  type DeviceProfile,
  defineProfile,
  type Formula,
  onceNotZero,
  type ProfileControl,
  type WriteStep,
} from "hemgate/sdk";
import {
  CHARGE_W,
  DISCHARGE_W,
  FORCED_POWER,
  powerSetpoint,
  SETPOINT_AS_WRITTEN,
  statusOfPower,
} from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { FOX_PLATE, NO_SERIAL } from "../profile/parts/foxess-plate.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const AGREED = { table: "holding", confidence: "cross-checked", source: "evcc, foxess_modbus, openWB" } as const;
const BY_TWO = "evcc, foxess_modbus";
const WITH_OPENWB = "foxess_modbus, openWB";
const SINGLE = { confidence: "single-source", source: "foxess_modbus" } as const;

const TRANSPORTS: DeviceProfile["transports"] = [rtu(9_600, { unit: 247 }), { kind: "tcp", port: 502, unit: 247 }];

const NOTES: NonNullable<DeviceProfile["notes"]> = [
  "The battery's power follows from the sun: what is set is the power at the AC side.",
  "Kuara H3 and early AIO-H3 do not take remote commands.",
];

/** The inverter drops a remote command that is not renewed for so long. */
const TIMEOUT_S = 60;

/** Where a family keeps its remote control. */
interface Remote {
  readonly enable: number;
  readonly timeout: number;
  readonly power: number;
  readonly workMode: number;
  /** The work mode that means self use. */
  readonly selfUse: number;
}

/** Keys of the registers that show what is in force. */
const ENABLED = "raw.remoteEnable";
const POWER = "raw.remotePower";
const WORK_MODE = "raw.workMode";

/**
 * The mode that the inverter is in: the sign of the remote power while remote control is on, else its work mode. Remote
 * power 0 is not IDLE: sun still goes into the battery.
 */
function modeOf({ selfUse }: Remote): DeviceProfile["derived"][number] {
  return {
    point: "battery.mode",
    value: {
      when: { of: { of: ENABLED }, is: 1 },
      gives: {
        when: { of: { of: POWER }, below: 0 },
        gives: "IMPORT_FOCUS",
        otherwise: { when: { of: { of: POWER }, is: 0 }, gives: "UNKNOWN", otherwise: "EXPORT_FOCUS" },
      },
      otherwise: { lookup: { of: WORK_MODE }, values: { [selfUse]: "SELF_RELIANCE" }, otherwise: "UNKNOWN" },
    },
  };
}

/** The power that was set for a forced mode, as the inverter shows it while that is in force. */
const SETPOINT: DeviceProfile["derived"][number] = {
  point: "battery.powerSetpoint",
  value: {
    when: {
      all: [
        { of: { first: [{ of: ENABLED }, 0] }, is: 1 },
        { of: { lastWrite: "battery.mode" }, isKnown: true },
        { of: { absolute: SETPOINT_AS_WRITTEN }, atLeast: 1 },
      ],
    },
    gives: { minus: [0, { of: POWER }] },
    otherwise: SETPOINT_AS_WRITTEN,
  },
};

/** Negative remote power charges. */
function power(remote: Remote, watts: Formula): WriteStep {
  return writeStep(remote.power, 16, "int32", watts);
}

function forced(remote: Remote, watts: Formula): readonly WriteStep[] {
  return [writeStep(remote.enable, 6, "uint16", 1), power(remote, watts)];
}

/**
 * Before a command the inverter is set to fall back to self use. The drivers choose another work mode for each command
 * (back-up for charging), which would keep the battery full until somebody comes, and writes flash at each change.
 */
function battery(remote: Remote): ProfileControl {
  const selfUse = writeStep(remote.workMode, 6, "uint16", remote.selfUse, { isStored: true });
  return {
    point: "battery.mode",
    safeDefault: "SELF_RELIANCE",
    write: {
      cases: [
        { value: "SELF_RELIANCE", steps: [writeStep(remote.enable, 6, "uint16", 0), selfUse] },
        { value: "IMPORT_FOCUS", steps: forced(remote, { minus: [0, CHARGE_W] }) },
        {
          value: "EXPORT_FOCUS",
          steps: forced(remote, DISCHARGE_W),
          confidence: "derived",
          source: "mirrors the forced charge; no driver is known to do it",
        },
      ],
    },
    hold: {
      holdMs: 1_000 * TIMEOUT_S,
      write: { steps: [selfUse, writeStep(remote.timeout, 6, "uint16", TIMEOUT_S)] },
      fallback: "goes back to self use",
      confidence: "cross-checked",
      source: BY_TWO,
    },
    approximate: "Sets the power at the AC side; sun is added to what the battery takes, or taken from what it gives.",
    confidence: "cross-checked",
    source: BY_TWO,
  };
}

function batteryPower(remote: Remote): ProfileControl {
  return powerSetpoint(
    { charge: (watts) => [power(remote, { minus: [0, watts] })], discharge: (watts) => [power(remote, watts)] },
    { confidence: "cross-checked", source: BY_TWO },
  );
}

const H3: Remote = { enable: 44000, timeout: 44001, power: 44002, workMode: 41000, selfUse: 0 };

/** FoxESS H3 and AIO-H3. */
export const foxessH3 = defineProfile({
  id: "foxess-h3",
  brand: "FoxESS",
  model: "H3",
  vendors: ["FOXESS", "MODBUS"],
  transports: TRANSPORTS,
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: NOTES,
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero([
      "meter.power.l1",
      "meter.power.l2",
      "meter.power.l3",
      "meter.energyImport",
      "meter.energyExport",
    ]),
  },
  noSerial: NO_SERIAL,
  identity: FOX_PLATE,
  points: pointRows(AGREED, [
    ["raw.pv1", 31002, "int16", "fast"],
    ["raw.pv2", 31005, "int16", "fast"],
    ["meter.frequency", 31015, "uint16", "normal", { scale: 0.01, source: WITH_OPENWB }],
    // FoxESS counts export, and discharging, as positive.
    ["meter.power.l1", 31026, "int16", "fast", { scale: -1 }],
    ["meter.power.l2", 31027, "int16", "fast", { scale: -1, source: BY_TWO }],
    ["meter.power.l3", 31028, "int16", "fast", { scale: -1, source: BY_TWO }],
    ["battery.power", 31036, "int16", "fast", { scale: -1 }],
    ["battery.soc", 31038, "int16", "normal"],
    ["inverter.energy", 32000, "uint32", "normal", { scale: 100, source: WITH_OPENWB }],
    ["battery.energyCharged", 32003, "uint32", "normal", { scale: 100, source: WITH_OPENWB }],
    ["battery.energyDischarged", 32006, "uint32", "normal", { scale: 100, source: WITH_OPENWB }],
    ["meter.energyExport", 32009, "uint32", "normal", { scale: 100, ...SINGLE }],
    // openWB reads 32018 and 32015 as import and export; they are what goes into and out of the inverter.
    ["meter.energyImport", 32012, "uint32", "normal", { scale: 100, source: BY_TWO }],
    [WORK_MODE, 41000, "uint16", "normal", { source: BY_TWO }],
    ["battery.reserve", 41011, "uint16", "slow", SINGLE],
    [ENABLED, 44000, "uint16", "normal", { source: BY_TWO }],
    [POWER, 44002, "int32", "normal", { source: BY_TWO }],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2"]) },
    {
      point: "meter.power",
      value: { sum: [{ of: "meter.power.l1" }, { of: "meter.power.l2" }, { of: "meter.power.l3" }] },
    },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    modeOf(H3),
    SETPOINT,
  ],
  settings: FORCED_POWER,
  controls: [battery(H3), batteryPower(H3)],
});

const H3_PRO: Remote = { enable: 46001, timeout: 46002, power: 46003, workMode: 49203, selfUse: 1 };
const PV_INPUTS = ["raw.pv1", "raw.pv2", "raw.pv3", "raw.pv4", "raw.pv5", "raw.pv6"] as const;

/** FoxESS H3-Pro and H3 Smart: other registers, the same ways. */
export const foxessH3Pro = defineProfile({
  id: "foxess-h3-pro",
  brand: "FoxESS",
  model: "H3-Pro",
  vendors: ["FOXESS", "MODBUS"],
  transports: TRANSPORTS,
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: NOTES.slice(0, 1),
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: "always",
    meter: onceNotZero([
      "meter.power.l1",
      "meter.power.l2",
      "meter.power.l3",
      "meter.energyImport",
      "meter.energyExport",
    ]),
  },
  noSerial: NO_SERIAL,
  identity: FOX_PLATE,
  points: pointRows({ ...AGREED, source: BY_TWO }, [
    ["battery.soc", 37612, "int16", "normal"],
    ...phaseRows("meter.power", [38816, 2], "int32", "fast", { scale: -0.1 }),
    ["battery.power", 39237, "int32", "fast", { scale: -1 }],
    ...PV_INPUTS.map((key, index) => [key, 39279 + 2 * index, "int32", "fast"] as const),
    ["meter.energyExport", 39613, "uint32", "normal", { scale: 10, ...SINGLE }],
    ["meter.energyImport", 39617, "uint32", "normal", { scale: 10 }],
    [ENABLED, 46001, "uint16", "normal"],
    [POWER, 46003, "int32", "normal"],
    ["battery.reserve", 46611, "uint16", "slow"],
    [WORK_MODE, 49203, "uint16", "normal"],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(PV_INPUTS) },
    {
      point: "meter.power",
      value: { sum: [{ of: "meter.power.l1" }, { of: "meter.power.l2" }, { of: "meter.power.l3" }] },
    },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    modeOf(H3_PRO),
    SETPOINT,
  ],
  settings: FORCED_POWER,
  controls: [battery(H3_PRO), batteryPower(H3_PRO)],
});
