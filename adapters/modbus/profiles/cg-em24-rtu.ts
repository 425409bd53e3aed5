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
const SINGLE = { confidence: "single-source", source: "volkszaehler/mbmd" } as const;

/** Three-phase meter with a selector on its front. It cannot be written. */
export const cgEm24Rtu = defineProfile({
  id: "cg-em24-rtu",
  brand: "Carlo Gavazzi",
  model: "EM24 DIN",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  // Its communication protocol limits a request to 11 words; not held against a device.
  limits: { maxRegisters: 11, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: [
    "It counts export only in application H (some versions: E). The application can be changed while the selector on the front is unlocked.",
    "The EM24 with Ethernet has other addresses: cg-em24-e1-em340.",
  ],
  points: pointsFrom(SHARED, [
    ...phaseRows("meter.voltage", [0, 2], "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [12, 2], "fast", { scale: 0.001 }),
    ...phaseRows("meter.power", [18, 2], "fast", { scale: 0.1 }),
    ["meter.power", 40, "fast", { scale: 0.1 }],
    ["meter.frequency", 55, "normal", { type: "uint16", scale: 0.1, ...SINGLE }],
    ["meter.energyImport", 66, "normal", { scale: 100, ...SINGLE }],
    ["meter.energyExport", 92, "normal", { scale: 100, ...SINGLE }],
  ]),
  derived: [],
  controls: [],
});
