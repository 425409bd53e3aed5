import { defineProfile, onceNotZero } from "hemgate/sdk";
import { MAX_CHARGE, statusOfPower } from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { type PointRow, pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = singleSource("wills106/solax-modbus");
const AGREED = { table: "holding", confidence: "cross-checked", source: "evcc, solax-modbus" } as const;

const WILLS106_ONLY = { confidence: "single-source", source: "wills106/solax-modbus" } as const;

/** The largest models have ten inputs; the others hold 0 there, or refuse. */
const INPUTS = Array.from({ length: 10 }, (_unused, index) => `raw.pv${index + 1}` as const);

const MODE = 4368;
const SELF_USE = 0;
const PASSIVE = 3;
/** Three powers in W: wished at the grid, least and most of the battery, positive into it. One request takes all. */
const PASSIVE_POWERS = 4487;

/** Sofar HYD 5-20KTL-3PH, HYD 3-6K-EP and KTL-G3. */
export const sofarHydG3 = defineProfile({
  id: "sofar-hyd-g3",
  brand: "Sofar",
  model: "HYD G3",
  vendors: ["SOFAR", "MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 8899, unit: 1 }, { kind: "rtu-over-tcp", port: 8899, unit: 1 }],
  limits: { maxRegisters: 60, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The power of a forced charge is maxChargeW and is not regulated: no source says whether its registers wear.",
    "Behind the loggers LSE-3 and LSW-3 some answer Modbus TCP on port 8899, some RTU frames inside TCP.",
    "Powers come in steps of 10 W. One battery tower is read; more have separate registers.",
    "The passive mode has no timer that is known: when the gateway dies it stays until it is written again.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.energyImport", "meter.current.l1"]),
  },
  identity: { serial: plateText(0x0445, 7, PLATE) },
  points: pointRows(AGREED, [
    // The meter counts export as positive.
    ["meter.power", 1160, "int16", "fast", { scale: -10 }],
    ["meter.current.l1", 1170, "uint16", "normal", { scale: 0.01 }],
    ["meter.power.l1", 1171, "int16", "fast", { scale: -10 }],
    ["meter.current.l2", 1181, "uint16", "normal", { scale: 0.01 }],
    ["meter.power.l2", 1182, "int16", "fast", { scale: -10 }],
    ["meter.current.l3", 1192, "uint16", "normal", { scale: 0.01 }],
    ["meter.power.l3", 1193, "int16", "fast", { scale: -10 }],
    // Voltage, current and power of each input. evcc reads the fourth one's current (1422) for its power.
    ...INPUTS.map(
      (key, index): PointRow => [
        key,
        1414 + 3 * index,
        "uint16",
        "fast",
        { scale: 10, ...(index > 2 ? WILLS106_ONLY : {}) },
      ],
    ),
    // Battery input 1 (0x0606, 0x0608); positive is charging.
    ["battery.power", 1542, "int16", "fast", { scale: 10 }],
    ["battery.soc", 1544, "uint16", "normal"],
    ["inverter.energy", 1670, "uint32", "normal", { scale: 100 }],
    ["meter.energyImport", 1678, "uint32", "normal", { scale: 100 }],
    ["raw.mode", MODE, "int16", "normal"],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(INPUTS) },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.mode" },
        // The powers of the passive mode cannot be read: what it does is known only while it is we who wrote it.
        values: {
          0: "SELF_RELIANCE",
          1: "TIME_OF_USE",
          2: "TIME_OF_USE",
          [PASSIVE]: {
            when: { of: { first: [{ lastWrite: "battery.mode" }, "none"] }, is: "IMPORT_FOCUS" },
            gives: "IMPORT_FOCUS",
            otherwise: null,
          },
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: { maxChargeW: MAX_CHARGE },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [writeStep(MODE, 16, "int16", SELF_USE, { isStored: true })] },
          {
            value: "IMPORT_FOCUS",
            steps: [
              writeStep(MODE, 16, "int16", PASSIVE, { isStored: true }),
              {
                address: PASSIVE_POWERS,
                code: 16,
                fields: [
                  { type: "int32", value: 0 },
                  { type: "int32", value: { setting: "maxChargeW" } },
                  { type: "int32", value: { setting: "maxChargeW" } },
                ],
              },
            ],
          },
        ],
      },
      confidence: "cross-checked",
      source: "evcc, which writes no limit where we write maxChargeW; addresses also in solax-modbus",
    },
  ],
});
