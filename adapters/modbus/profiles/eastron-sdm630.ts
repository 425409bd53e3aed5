import { defineProfile } from "hemgate/sdk";
import { EASTRON_PLATE } from "../profile/parts/eastron-plate.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";
import { SDM630_ROWS } from "../profile/parts/sdm630-rows.ts";

const SHARED = {
  table: "input",
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
  identity: EASTRON_PLATE,
  points: pointRows(SHARED, SDM630_ROWS),
  derived: [],
  controls: [],
});
