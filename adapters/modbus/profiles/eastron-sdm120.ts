import { defineProfile } from "hemgate/sdk";
import { pointsFrom } from "../profile-parts/points-from.ts";
import { rtu, SERIAL_GAP_MS } from "../profile-parts/rtu.ts";

const SHARED = {
  table: "input",
  type: "float32",
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
  points: pointsFrom(SHARED, [
    ["meter.voltage.l1", 0, "normal"],
    ["meter.current.l1", 6, "fast"],
    ["meter.power", 12, "fast"],
    ["meter.frequency", 70, "normal"],
    ["meter.energyImport", 72, "normal", { scale: 1_000 }],
    ["meter.energyExport", 74, "normal", { scale: 1_000 }],
  ]),
  derived: [],
  controls: [],
});
