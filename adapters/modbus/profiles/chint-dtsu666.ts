import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointsFrom } from "../profile-parts/points-from.ts";
import { rtu, SERIAL_GAP_MS } from "../profile-parts/rtu.ts";

const SHARED = {
  table: "holding",
  // Tenths, thousandths and hundredths, though they are floats.
  type: "float32",
  confidence: "cross-checked",
  source: "volkszaehler/mbmd, openWB",
} as const;
const COUNTER = { scale: 1_000, confidence: "single-source", source: "volkszaehler/mbmd" } as const;

/** Three-phase meter that several inverter makers sell as theirs. It is not written here. */
export const chintDtsu666 = defineProfile({
  id: "chint-dtsu666",
  brand: "Chint",
  model: "DTSU666",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: [
    "The DTSU666-H of Huawei has other addresses and is read through its inverter.",
    "A meter that hangs on an inverter has one master already: listen to the inverter instead.",
  ],
  points: pointsFrom(SHARED, [
    ["meter.energyImport", 4_126, "normal", COUNTER],
    ["meter.energyExport", 4_136, "normal", COUNTER],
    ...phaseRows("meter.voltage", [8_198, 2], "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [8_204, 2], "fast", { scale: 0.001 }),
    ["meter.power", 8_210, "fast", { scale: 0.1 }],
    ...phaseRows("meter.power", [8_212, 2], "fast", { scale: 0.1 }),
    ["meter.frequency", 8_260, "normal", { scale: 0.01 }],
  ]),
  derived: [],
  controls: [],
});
