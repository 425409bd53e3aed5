import { defineProfile } from "hemgate/sdk";
import { EASTRON_PLATE } from "../profile/parts/eastron-plate.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const SHARED = {
  table: "input",
  confidence: "single-source",
  source: "volkszaehler/mbmd sdm72",
} as const;

/** Three-phase meter for the rail, first version: total power and the two counters only. It cannot be written. */
export const eastronSdm72V1 = defineProfile({
  id: "eastron-sdm72-v1",
  brand: "Eastron",
  model: "SDM72D-M v1",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 80, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  identity: EASTRON_PLATE,
  points: pointRows(SHARED, [
    ["meter.power", 52, "float32", "fast"],
    ["meter.energyImport", 72, "float32", "normal", { scale: 1_000 }],
    ["meter.energyExport", 74, "float32", "normal", { scale: 1_000 }],
  ]),
  derived: [],
  controls: [],
});
