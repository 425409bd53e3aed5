import { defineProfile, type Formula } from "hemgate/sdk";
import { LEAST_A } from "../profile/parts/current-control.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const LIST = { confidence: "vendor-list", source: "go-e, modbus-en.md of go-eCharger-API-v2" } as const;
const SHARED = {
  table: "input",
  confidence: "cross-checked",
  source: "go-e, modbus-en.md of go-eCharger-API-v2; OpenEMS",
} as const;
const FORCED_OFF = 1;
const FORCED_ON = 2;
/** Deka-watt-seconds of a watt-hour. */
const TEN_WS_PER_WH = 360;

/** A plug that waits, or has finished: which of them follows from whether charging is forced off. */
function waiting(otherwise: Formula): Formula {
  return {
    first: [{ lookup: { of: "raw.force" }, values: { [FORCED_OFF]: "PLUGGED_IN:STOPPED" }, otherwise }, otherwise],
  };
}

/** Needs Modbus to be switched on in the app (API key `men`). */
export const goEModbus = defineProfile({
  id: "go-e-modbus",
  brand: "go-e",
  model: "Gemini, HOME+ V3, PRO",
  vendors: ["GOE", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Function 6 is not there: single registers are written with 16.",
    "Firmware 60.3 has the bytes swapped; its values make no sense until it is updated.",
    "The charger keeps the last command: it has no timer. The current is set where it does not wear the memory.",
  ],
  identity: {
    serial: { table: "input", type: "string", words: 6, address: 304, ...LIST },
    version: { table: "input", type: "string", words: 2, address: 105, ...LIST },
  },
  points: pointRows(SHARED, [
    ["raw.state", 100, "uint16", "fast"],
    ...phaseRows("charger.voltage", [108, 2], "uint32", "normal"),
    ...phaseRows("charger.current", [114, 2], "uint32", "fast", { scale: 0.1 }),
    ["charger.power", 120, "uint32", "fast", { scale: 0.01 }],
    ["charger.energy", 128, "uint32", "normal", { scale: 100, ...LIST }],
    ["raw.session", 132, "uint32", "normal", LIST],
    ["raw.allow", 200, "uint16", "fast", { table: "holding", ...LIST }],
    ["charger.maxCurrent", 299, "uint16", "fast", { table: "holding", ...LIST }],
    ["raw.phases", 332, "uint16", "fast", { table: "holding", ...LIST }],
    ["raw.force", 337, "uint16", "fast", { table: "holding", ...LIST }],
  ]),
  derived: [
    { point: "charger.energySession", value: { quotient: [{ of: "raw.session" }, TEN_WS_PER_WH] } },
    {
      point: "charger.state",
      value: {
        lookup: { of: "raw.state" },
        values: {
          1: "UNPLUGGED",
          2: "PLUGGED_IN:CHARGING",
          3: waiting("PLUGGED_IN:INITIALIZING"),
          // Finished, or not allowed any more.
          4: "PLUGGED_IN:STOPPED",
        },
        otherwise: "UNKNOWN",
      },
    },
    {
      point: "charger.enabled",
      value: {
        lookup: { of: "raw.force" },
        values: {
          0: { lookup: { of: "raw.allow" }, values: { 0: false, 1: true }, otherwise: null },
          [FORCED_OFF]: false,
          [FORCED_ON]: true,
        },
        otherwise: null,
      },
    },
    { point: "charger.phases", value: { lookup: { of: "raw.phases" }, values: { 0: 0, 1: 1, 2: 3 }, otherwise: null } },
  ],
  controls: [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: 32 },
      safeDefault: "as-found",
      write: { steps: [writeStep(299, 16, "uint16", { wish: true })] },
      ...LIST,
    },
    {
      point: "charger.enabled",
      safeDefault: null,
      write: {
        cases: [
          { value: true, steps: [writeStep(337, 16, "uint16", FORCED_ON)] },
          { value: false, steps: [writeStep(337, 16, "uint16", FORCED_OFF)] },
        ],
      },
      ...LIST,
      approximate: "A start forces charging on, a stop forces it off; the charger's own logic gets it back in its app.",
    },
    {
      point: "charger.phases",
      safeDefault: "as-found",
      write: {
        cases: [
          { value: 0, steps: [writeStep(332, 16, "uint16", 0)] },
          { value: 1, steps: [writeStep(332, 16, "uint16", 1)] },
          { value: 3, steps: [writeStep(332, 16, "uint16", 2)] },
        ],
      },
      ...LIST,
    },
  ],
});
