import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointsFrom } from "../profile-parts/points-from.ts";
import { rtu, SERIAL_GAP_MS } from "../profile-parts/rtu.ts";

const SHARED = {
  table: "input",
  type: "int32",
  // Like every meter of this maker: the low register first.
  wordOrder: "little",
  confidence: "cross-checked",
  source: "volkszaehler/mbmd, OpenEMS, openWB",
} as const;

/** Three-phase meters of the newer series, on RS-485 or, the E1, on Ethernet. They cannot be written. */
export const cgEm24E1Em340 = defineProfile({
  id: "cg-em24-e1-em340",
  brand: "Carlo Gavazzi",
  model: "EM24 E1, EM330, EM340, ET330, ET340",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 50, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  points: pointsFrom(SHARED, [
    ...phaseRows("meter.voltage", [0, 2], "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [12, 2], "fast", { scale: 0.001 }),
    ...phaseRows("meter.power", [18, 2], "fast", { scale: 0.1 }),
    ["meter.power", 40, "fast", { scale: 0.1 }],
    ["meter.frequency", 51, "normal", { type: "uint16", scale: 0.1 }],
    ["meter.energyImport", 52, "normal", { scale: 100 }],
    ["meter.energyExport", 78, "normal", { scale: 100 }],
  ]),
  derived: [],
  controls: [],
});
