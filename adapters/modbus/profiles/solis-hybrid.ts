import { defineProfile, type Formula, onceNotZero } from "hemgate/sdk";
import { FORCED_POWER, POWER_IN_FLASH, statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = singleSource("wills106/solax-modbus");
const AGREED = { table: "input", confidence: "cross-checked", source: "evcc, solax-modbus, openWB" } as const;
const BY_TWO = { source: "evcc, solax-modbus" } as const;
const SINGLE = { confidence: "single-source", source: "solax-modbus" } as const;
const OVERRIDE = { table: "holding", source: "solax-modbus, openWB" } as const;
const OVERRIDES = "openWB (S series), addresses also in solax-modbus";

const MODE = 43135;
const CHARGE_POWER = 43136;
const DISCHARGE_POWER = 43129;
const STORAGE_MODE = 43110;
/** Self use, with the reserve kept. */
const SELF_USE = 0b1_0001;

/** The register holds a magnitude on the S series and a signed value on RHI; the direction tells the sign on both. */
const POWER: Formula = {
  lookup: { of: "raw.direction" },
  values: { 0: { absolute: { of: "raw.power" } }, 1: { minus: [0, { absolute: { of: "raw.power" } }] } },
  otherwise: null,
};

/** What the inverter does by itself, from its switch bits: 0 self use, 1 by its own times of day. */
const OWN_MODE: Formula = {
  when: { of: { of: "raw.storageMode" }, hasBit: 1 },
  gives: "TIME_OF_USE",
  otherwise: {
    when: { of: { of: "raw.storageMode" }, hasBit: 0 },
    gives: "SELF_RELIANCE",
    otherwise: "UNKNOWN",
  },
};

/** Whether the override moves energy, or keeps the battery still with a power of 0. */
function overridden(power: string, mode: "IMPORT_FOCUS" | "EXPORT_FOCUS"): Formula {
  return { when: { of: { of: power }, is: 0 }, gives: "IDLE", otherwise: mode };
}

/** Solis (Ginlong) RHI, S5 and S6 hybrids. */
export const solisHybrid = defineProfile({
  id: "solis-hybrid",
  brand: "Solis",
  model: "S5/S6 hybrid",
  vendors: ["SOLIS", "MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 100, minGapMs: 100, isOneValuePerRequest: false },
  notes: [
    POWER_IN_FLASH,
    "Modbus TCP needs the stick S2-WL-ST; otherwise RS-485.",
    "The battery is commanded by the override of the S series. Older inverters may not have it.",
    "An override has no timer that is known: when the gateway dies it stays until it is written again.",
    "Settings are kept in flash: they are written on change only.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.energyImport", "meter.energyExport"]),
  },
  identity: { serial: plateText(33004, 8, PLATE, { table: "input" }) },
  points: pointRows(AGREED, [
    ["inverter.energy", 33029, "uint32", "normal", { scale: 1_000, ...SINGLE }],
    ["inverter.power", 33057, "uint32", "fast"],
    ["raw.direction", 33135, "uint16", "fast"],
    ["battery.soc", 33139, "uint16", "normal"],
    ["raw.power", 33149, "int32", "fast", { confidence: "conflict" }],
    ["battery.energyCharged", 33161, "uint32", "normal", { scale: 1_000, ...SINGLE }],
    ["battery.energyDischarged", 33165, "uint32", "normal", { scale: 1_000, ...SINGLE }],
    ...phaseRows("meter.current", [33252, 2], "uint16", "normal", { scale: 0.01, ...BY_TWO }),
    // The meter counts export as positive.
    ...phaseRows("meter.power", [33257, 2], "int32", "fast", { scale: -1, ...BY_TWO }),
    ["meter.power", 33263, "int32", "fast", { scale: -1, ...BY_TWO }],
    ["meter.energyImport", 33283, "uint32", "normal", { scale: 10, ...BY_TWO }],
    ["meter.energyExport", 33285, "uint32", "normal", { scale: 10, ...SINGLE }],
    ["battery.reserve", 43024, "uint16", "slow", { table: "holding", ...BY_TWO }],
    ["raw.storageMode", STORAGE_MODE, "uint16", "normal", { table: "holding", ...BY_TWO }],
    ["raw.dischargePower", DISCHARGE_POWER, "uint16", "normal", { scale: 10, ...OVERRIDE }],
    ["raw.override", MODE, "uint16", "normal", OVERRIDE],
    ["raw.chargePower", CHARGE_POWER, "uint16", "normal", { scale: 10, ...OVERRIDE }],
  ]),
  derived: [
    { point: "battery.power", value: POWER },
    { point: "battery.status", value: statusOfPower(POWER) },
    {
      point: "battery.mode",
      value: {
        // An inverter without the override refuses its register.
        lookup: { first: [{ of: "raw.override" }, 0] },
        values: {
          0: OWN_MODE,
          1: overridden("raw.chargePower", "IMPORT_FOCUS"),
          2: overridden("raw.dischargePower", "EXPORT_FOCUS"),
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          {
            value: "SELF_RELIANCE",
            steps: [
              writeStep(MODE, 6, "uint16", 0, { isStored: true }),
              // Bits that the owner set beside self use, such as grid charging, stay.
              writeStep(STORAGE_MODE, 6, "uint16", SELF_USE, {
                isStored: true,
                when: { not: { of: { of: "raw.storageMode" }, hasBit: 0 } },
              }),
            ],
          },
          {
            value: "IDLE",
            steps: [
              writeStep(MODE, 6, "uint16", 1, { isStored: true }),
              writeStep(CHARGE_POWER, 6, "uint16", 0, { isStored: true }),
            ],
          },
          {
            value: "IMPORT_FOCUS",
            steps: [
              writeStep(MODE, 6, "uint16", 1, { isStored: true }),
              writeStep(CHARGE_POWER, 6, "uint16", { setting: "maxChargeW" }, { scale: 10, isStored: true }),
            ],
          },
          {
            value: "EXPORT_FOCUS",
            steps: [
              writeStep(MODE, 6, "uint16", 2, { isStored: true }),
              writeStep(DISCHARGE_POWER, 6, "uint16", { setting: "maxDischargeW" }, { scale: 10, isStored: true }),
            ],
          },
        ],
      },
      confidence: "cross-checked",
      source: OVERRIDES,
    },
  ],
});
