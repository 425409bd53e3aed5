import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointsFrom } from "../profile-parts/points-from.ts";
import { rtu, SERIAL_GAP_MS } from "../profile-parts/rtu.ts";

const SHARED = {
  table: "input",
  type: "float32",
  confidence: "cross-checked",
  source: "Eastron SDM630 Modbus V2 protocol; volkszaehler/mbmd, nymea",
} as const;

/** Three-phase meter on RS-485, directly or through a Modbus TCP gateway. It cannot be written. */
export const eastronSdm630 = defineProfile({
  id: "eastron-sdm630",
  brand: "Eastron",
  model: "SDM630 Modbus V2, MCT",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  // Longer requests get no answer.
  limits: { maxRegisters: 80, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["Old firmware answers at most 40 registers a request; then drop this profile into a file with that limit."],
  points: pointsFrom(SHARED, [
    ...phaseRows("meter.voltage", [0, 2], "normal"),
    ...phaseRows("meter.current", [6, 2], "fast"),
    ...phaseRows("meter.power", [12, 2], "fast"),
    ["meter.power", 52, "fast"],
    ["meter.frequency", 70, "normal"],
    ["meter.energyImport", 72, "normal", { scale: 1_000 }],
    ["meter.energyExport", 74, "normal", { scale: 1_000 }],
  ]),
  derived: [],
  controls: [],
});
