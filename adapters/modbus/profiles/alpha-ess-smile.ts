import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { type PointRow, pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = singleSource("wills106/solax-modbus");
const AGREED = { table: "holding", confidence: "cross-checked", source: "evcc, solax-modbus, openWB" } as const;
const BY_TWO = { source: "evcc, solax-modbus" } as const;
const SINGLE = { confidence: "single-source", source: "evcc" } as const;

const INPUTS = [1, 2, 3, 4, 5, 6].map((input) => `raw.pv${input}`);
const TIME_FLAG = 2127;
const CUT_SOC = 2133;
const OFF = 0;
const CHARGE = 1;

/** Alpha ESS SMILE and Storion. */
export const alphaEssSmile = defineProfile({
  id: "alpha-ess-smile",
  brand: "Alpha ESS",
  model: "SMILE",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 85 }, rtu(9_600, { unit: 85 })],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "A forced charge happens inside the device's charging times only (0x850 to 0x854): let them span the day.",
    "Switching the charging times on has no timer: when the gateway dies it stays until it is written again.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: onceNotZero(["inverter.energy", "raw.pvMeter", ...INPUTS]),
    meter: onceNotZero(["meter.power", "meter.energyImport", "meter.energyExport"]),
  },
  identity: { serial: plateText(0x064a, 8, PLATE) },
  points: pointRows(AGREED, [
    ["meter.energyExport", 16, "uint32", "normal", { scale: 10, source: "evcc, openWB" }],
    ["meter.energyImport", 18, "uint32", "normal", { scale: 10, ...SINGLE }],
    ["meter.current.l1", 23, "int16", "normal", { scale: 0.1 }],
    ["meter.current.l2", 24, "int16", "normal", { scale: 0.1, ...BY_TWO }],
    ["meter.current.l3", 25, "int16", "normal", { scale: 0.1, ...BY_TWO }],
    ["meter.power", 33, "int32", "fast"],
    ["raw.pvMeter", 161, "int32", "fast", SINGLE],
    ["battery.soc", 258, "uint16", "normal", { scale: 0.1 }],
    ["battery.energyCharged", 288, "uint32", "normal", { scale: 100, ...BY_TWO }],
    ["battery.energyDischarged", 290, "uint32", "normal", { scale: 100, ...BY_TWO }],
    ["battery.power", 294, "int16", "fast", { scale: -1, ...SINGLE }],
    ["raw.pv1", 1055, "uint32", "fast"],
    ["raw.pv2", 1059, "uint32", "fast"],
    // Models with three to six inputs; the others hold 0 there, or refuse.
    ...[3, 4, 5, 6].map((input): PointRow => [`raw.pv${input}`, 1051 + 4 * input, "uint32", "fast", SINGLE]),
    ["inverter.energy", 1086, "uint32", "normal", { scale: 100, ...SINGLE }],
    ["raw.timeFlag", TIME_FLAG, "uint16", "normal"],
    ["raw.cutSoc", CUT_SOC, "uint16", "normal"],
  ]),
  derived: [
    // The meter is that of an inverter beside the battery; evcc adds them as well.
    { point: "inverter.power", value: sumOf(["raw.pvMeter", ...INPUTS]) },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.timeFlag" },
        values: {
          [OFF]: "SELF_RELIANCE",
          [CHARGE]: {
            when: { of: { minus: [{ of: "raw.cutSoc" }, { setting: "maxSoc" }] }, atLeast: 0 },
            gives: "IMPORT_FOCUS",
            otherwise: "TIME_OF_USE",
          },
        },
        otherwise: "TIME_OF_USE",
      },
    },
  ],
  settings: {
    maxSoc: {
      unit: "%",
      meaning: "State of charge at which a forced charge (IMPORT_FOCUS) ends",
      min: 10,
      max: 100,
      default: 100,
    },
  },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [writeStep(TIME_FLAG, 16, "uint16", OFF, { isStored: true })] },
          {
            value: "IMPORT_FOCUS",
            steps: [
              writeStep(TIME_FLAG, 16, "uint16", CHARGE, { isStored: true }),
              writeStep(CUT_SOC, 16, "uint16", { setting: "maxSoc" }, { isStored: true }),
            ],
          },
        ],
      },
      approximate: "Charges inside the device's own charging times only, at the power that is set there.",
      confidence: "cross-checked",
      source: "evcc; addresses also in solax-modbus and openWB",
    },
  ],
});
