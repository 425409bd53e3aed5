import { defineProfile, type PointName, type PollClass, type ProfilePoint } from "hemgate/sdk";

const SOURCE = "Eastron SDM630 Modbus V2 protocol; volkszaehler/mbmd, nymea";

function input(key: PointName, address: number, poll: PollClass, scale = 1): ProfilePoint {
  return { key, table: "input", address, type: "float32", scale, poll, confidence: "cross-checked", source: SOURCE };
}

/** Three-phase meter on RS-485, reached through a Modbus TCP gateway. It cannot be written. */
export const eastronSdm630 = defineProfile({
  id: "eastron-sdm630",
  brand: "Eastron",
  model: "SDM630",
  vendors: ["MODBUS"],
  // Longer requests get no answer; meters on a shared bus miss a frame that follows another one too closely.
  transports: [
    { kind: "rtu", unit: 1, baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 },
    { kind: "tcp", port: 502, unit: 1 },
  ],
  limits: { maxRegisters: 80, minGapMs: 50, isOneValuePerRequest: false },
  points: [
    input("meter.voltage.l1", 0, "normal"),
    input("meter.voltage.l2", 2, "normal"),
    input("meter.voltage.l3", 4, "normal"),
    input("meter.current.l1", 6, "fast"),
    input("meter.current.l2", 8, "fast"),
    input("meter.current.l3", 10, "fast"),
    input("meter.power.l1", 12, "fast"),
    input("meter.power.l2", 14, "fast"),
    input("meter.power.l3", 16, "fast"),
    input("meter.power", 52, "fast"),
    input("meter.frequency", 70, "normal"),
    input("meter.energyImport", 72, "normal", 1_000),
    input("meter.energyExport", 74, "normal", 1_000),
  ],
  derived: [],
  controls: [],
});
