import { defineProfile } from "hemgate/sdk";
import { EASTRON_PLATE } from "../profile/parts/eastron-plate.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const SHARED = {
  table: "input",
  confidence: "single-source",
  source: "volkszaehler/mbmd sdm120, sdm220",
} as const;

/** Single-phase meters on RS-485. They cannot be written. */
export const eastronSdm120 = defineProfile({
  id: "eastron-sdm120",
  brand: "Eastron",
  model: "SDM120, SDM220, SDM230",
  vendors: ["MODBUS"],
  transports: [rtu(2_400), rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 80, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["An SDM120 leaves the factory with 2,400 baud, an SDM220 or SDM230 with 9,600."],
  identity: EASTRON_PLATE,
  points: pointRows(SHARED, [
    ["meter.voltage.l1", 0, "float32", "normal"],
    ["meter.current.l1", 6, "float32", "fast"],
    ["meter.power", 12, "float32", "fast"],
    ["meter.frequency", 70, "float32", "normal"],
    ["meter.energyImport", 72, "float32", "normal", { scale: 1_000 }],
    ["meter.energyExport", 74, "float32", "normal", { scale: 1_000 }],
  ]),
  derived: [],
  controls: [],
});
