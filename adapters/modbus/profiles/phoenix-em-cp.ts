import { defineProfile } from "hemgate/sdk";
import { LEAST_A } from "../profile/parts/current-control.ts";
import { ASCII_LETTERS, letterState } from "../profile/parts/pilot-state.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { shownSwitch, switchControl } from "../profile/parts/switch-control.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SHARED = {
  table: "input",
  wordOrder: "little",
  confidence: "single-source",
  source: "evcc",
} as const;

/** Charge controller with Ethernet and a meter of the installer's choice. */
export const phoenixEmCp = defineProfile({
  id: "phoenix-em-cp",
  brand: "Phoenix Contact",
  model: "EM-CP-PP-ETH",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 180 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["Power and energy are what the connected meter gives; with some meters their factor is another one."],
  noSerial: "No source found that names one",
  points: pointRows(SHARED, [
    ["raw.letter", 100, "uint16", "fast"],
    ["charger.power", 120, "int32", "fast", { scale: 10 }],
    ["charger.energy", 128, "uint32", "normal", { scale: 10 }],
    ["charger.maxCurrent", 300, "uint16", "fast", { table: "holding" }],
    ["raw.enabled", 400, "uint16", "fast", { table: "coil" }],
  ]),
  derived: [
    {
      point: "charger.state",
      value: letterState({ of: "raw.letter" }, ASCII_LETTERS, { of: { of: "raw.enabled" }, is: 1 }),
    },
    shownSwitch("raw.enabled"),
  ],
  controls: [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: 32 },
      safeDefault: "as-found",
      write: { steps: [writeStep(300, 6, "uint16", { wish: true })] },
      confidence: "single-source",
      source: "evcc",
    },
    switchControl({
      step: (value) => writeStep(400, 5, "uint16", value),
      confidence: "single-source",
      source: "evcc",
    }),
  ],
});
