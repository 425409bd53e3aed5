import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointsFrom } from "../profile-parts/points-from.ts";
import { rtu, SERIAL_GAP_MS } from "../profile-parts/rtu.ts";

const SHARED = {
  table: "input",
  type: "float32",
  confidence: "single-source",
  source: "volkszaehler/mbmd sdm72v2; the addresses of the SDM630",
} as const;

/** Three-phase meter for the rail, second version. It cannot be written. */
export const eastronSdm72V2 = defineProfile({
  id: "eastron-sdm72-v2",
  brand: "Eastron",
  model: "SDM72D-M v2",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  // As its larger sister.
  limits: { maxRegisters: 80, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["The first version of this meter has fewer registers; it is eastron-sdm72-v1."],
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
