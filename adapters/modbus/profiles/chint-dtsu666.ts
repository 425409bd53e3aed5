import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const SHARED = {
  table: "holding",
  // Tenths, thousandths and hundredths, though they are floats.
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
  noSerial: "CHINT's DTSU666 manual lists a version, but no serial number",
  points: pointRows(SHARED, [
    ["meter.energyImport", 4_126, "float32", "normal", COUNTER],
    ["meter.energyExport", 4_136, "float32", "normal", COUNTER],
    ...phaseRows("meter.voltage", [8_198, 2], "float32", "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [8_204, 2], "float32", "fast", { scale: 0.001 }),
    ["meter.power", 8_210, "float32", "fast", { scale: 0.1 }],
    ...phaseRows("meter.power", [8_212, 2], "float32", "fast", { scale: 0.1 }),
    ["meter.frequency", 8_260, "float32", "normal", { scale: 0.01 }],
  ]),
  derived: [],
  controls: [],
});
