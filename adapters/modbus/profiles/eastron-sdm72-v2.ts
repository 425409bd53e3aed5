import { defineProfile } from "hemgate/sdk";
import { EASTRON_PLATE } from "../profile/parts/eastron-plate.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";
import { SDM630_ROWS } from "../profile/parts/sdm630-rows.ts";

const SHARED = {
  table: "input",
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
  identity: EASTRON_PLATE,
  points: pointRows(SHARED, SDM630_ROWS),
  derived: [],
  controls: [],
});
