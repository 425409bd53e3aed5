import { defineProfile, type Formula, onceKnown, onceNotZero, type PointName, type WriteStep } from "hemgate/sdk";
import { FORCED_POWER, MODE_AS_WRITTEN, statusOfPower } from "../profile/parts/battery.ts";
import { difference, sumOf } from "../profile/parts/formulas.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, derivedFrom, singleSource } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const EVCC_NYMEA_OPENWB = crossChecked("evcc, nymea, openWB");
const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENEMS = crossChecked("evcc, OpenEMS");
const EVCC_OPENEMS_NYMEA_OPENWB = crossChecked("evcc, OpenEMS, nymea, openWB");
const EVCC_OPENEMS_OPENWB = crossChecked("evcc, OpenEMS, openWB");
const EVCC_OPENWB = crossChecked("evcc, openWB");
const OPENEMS_NYMEA = crossChecked("OpenEMS, nymea");
const OPENEMS_ONLY = singleSource("OpenEMS");
const OPENEMS_OPENWB = crossChecked("OpenEMS, openWB");
const CONTROL = singleSource("evcc");

const BATTERY_POWER = difference("raw.charge", "raw.discharge");
const POWERS: readonly PointName[] = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"];

/** Set points that are not written again for so long end. */
const WATCHDOG_S = 60;

const CHARGE: Formula = { setting: "maxChargeW" };
const DISCHARGE: Formula = { setting: "maxDischargeW" };
const DEFAULT_MODE = 2424;
const CHARGE_MODE = 2289;
const DISCHARGE_MODE = 2290;

type Window = readonly [least: Formula, most: Formula];

/** The six registers of the battery manager, which belong together and come in this order. */
function manager(mode: number, charge: Window, discharge: Window): readonly WriteStep[] {
  const gridSetPointW = 0;
  return [
    writeStep(40236, 16, "uint32", mode),
    writeStep(40793, 16, "uint32", charge[0]),
    writeStep(40795, 16, "uint32", charge[1]),
    writeStep(40797, 16, "uint32", discharge[0]),
    writeStep(40799, 16, "uint32", discharge[1]),
    writeStep(40801, 16, "uint32", gridSetPointW),
  ];
}

/** Sunny Tripower and Sunny Boy Smart Energy, and Sunny Boy Storage, with battery and meter. */
export const smaHybrid = defineProfile({
  id: "sma-hybrid",
  brand: "SMA",
  model: "Smart Energy",
  vendors: ["SMA", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 3 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The power of a forced charge or discharge is maxChargeW or maxDischargeW and is not regulated: one source knows its registers.",
    "The Modbus server has to be switched on at the inverter. Unit 3 is its first device.",
    "Production is the DC power of the modules: the power at the AC terminal (30775) includes the battery.",
    "Energy produced is what left the AC terminal, and null for a Sunny Boy Storage, which has no modules.",
  ],
  identity: { serial: { table: "holding", address: 30057, type: "uint32", ...OPENEMS_NYMEA } },
  parts: {
    battery: onceKnown(["battery.soc", "raw.charge", "battery.energyCharged"]),
    inverter: onceKnown(["raw.pv1", "raw.pv2", "raw.pv3", "raw.energyOut"]),
    meter: onceNotZero([
      "raw.import.meter.power",
      "raw.export.meter.power",
      "meter.energyImport",
      "meter.energyExport",
    ]),
  },
  points: pointRows({ table: "holding", ...EVCC_OPENEMS }, [
    ["raw.class", 30051, "uint32", "slow", OPENEMS_NYMEA],
    ["raw.pv1", 30773, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_OPENWB }],
    ["raw.pv2", 30961, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_OPENWB }],
    ["raw.pv3", 30967, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_ONLY }],
    ["raw.energyOut", 30513, "uint64", "slow", { sentinels: [-1], ...EVCC_NYMEA_OPENWB }],
    ["battery.soc", 30845, "uint32", "normal", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_NYMEA_OPENWB }],
    ["raw.status", 30955, "uint32", "fast", { sentinels: [16777213], ...OPENEMS_ONLY }],
    ["raw.charge", 31393, "uint32", "fast", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_OPENWB }],
    ["raw.discharge", 31395, "uint32", "fast", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_OPENWB }],
    ["battery.energyCharged", 31397, "uint64", "slow", { sentinels: [-1], ...OPENEMS_OPENWB }],
    ["battery.energyDischarged", 31401, "uint64", "slow", { sentinels: [-1], ...EVCC_OPENEMS_OPENWB }],
    ["raw.import.meter.power", 30865, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_OPENEMS_OPENWB }],
    ["raw.export.meter.power", 30867, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_OPENEMS_OPENWB }],
    ["meter.energyImport", 30581, "uint32", "slow", { sentinels: [0xffff_ffff] }],
    ["meter.energyExport", 30583, "uint32", "slow", { sentinels: [0xffff_ffff], ...OPENEMS_ONLY }],
    ["raw.import.meter.power.l1", 31265, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.export.meter.power.l1", 31259, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["meter.voltage.l1", 31253, "uint32", "normal", { scale: 0.01, sentinels: [0xffff_ffff], ...OPENEMS_ONLY }],
    ["meter.current.l1", 31435, "int32", "normal", { scale: 0.001, sentinels: [0x8000_0000] }],
    ["raw.import.meter.power.l2", 31267, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.export.meter.power.l2", 31261, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["meter.voltage.l2", 31255, "uint32", "normal", { scale: 0.01, sentinels: [0xffff_ffff], ...OPENEMS_ONLY }],
    ["meter.current.l2", 31437, "int32", "normal", { scale: 0.001, sentinels: [0x8000_0000] }],
    ["raw.import.meter.power.l3", 31269, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.export.meter.power.l3", 31263, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["meter.voltage.l3", 31257, "uint32", "normal", { scale: 0.01, sentinels: [0xffff_ffff], ...OPENEMS_ONLY }],
    ["meter.current.l3", 31439, "int32", "normal", { scale: 0.001, sentinels: [0x8000_0000] }],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2", "raw.pv3"]) },
    {
      point: "inverter.energy",
      // 8007: a battery inverter.
      value: { lookup: { of: "raw.class" }, values: { 8007: null }, otherwise: { of: "raw.energyOut" } },
    },
    { point: "battery.power", value: BATTERY_POWER },
    {
      point: "battery.status",
      value: {
        first: [
          {
            lookup: { of: "raw.status" },
            values: { 303: "IDLE", 2291: "IDLE", 2292: "CHARGING", 2293: "DISCHARGING" },
            otherwise: "UNKNOWN",
          },
          statusOfPower(BATTERY_POWER),
        ],
      },
    },
    ...POWERS.map((name) => ({ point: name, value: difference(`raw.import.${name}`, `raw.export.${name}`) })),
    { point: "battery.mode", value: MODE_AS_WRITTEN },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: manager(DEFAULT_MODE, [0, CHARGE], [0, DISCHARGE]) },
          {
            value: "IDLE",
            steps: manager(DEFAULT_MODE, [0, 0], [0, 0]),
            ...derivedFrom("both holds of evcc at once"),
          },
          { value: "IMPORT_FOCUS", steps: manager(CHARGE_MODE, [CHARGE, CHARGE], [0, 0]) },
          {
            value: "EXPORT_FOCUS",
            steps: manager(DISCHARGE_MODE, [0, 0], [DISCHARGE, DISCHARGE]),
            ...derivedFrom("the forced charge of evcc mirrored"),
          },
        ],
      },
      hold: { holdMs: WATCHDOG_S * 1_000, fallback: "goes back to its own control", ...CONTROL },
      approximate: "After SELF_RELIANCE the powers that are set are limits for as long as set points last, 60 s.",
      ...CONTROL,
    },
  ],
});
