import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu } from "../profile/parts/rtu.ts";

const SHARED = {
  table: "holding",
  confidence: "cross-checked",
  source: "volkszaehler/mbmd, OpenEMS, openWB",
} as const;

/** Power analysers with the address list that the UMG series has in common. They cannot be written. */
export const janitzaUmg = defineProfile({
  id: "janitza-umg",
  brand: "Janitza",
  model: "UMG 96RM, 103, 104, 512, 604, 605, B23",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }, rtu(38_400)],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["The counters are float32: above about 16 MWh they move in steps of more than 1 Wh."],
  noSerial: "Each model has it at another address (Janitza's address lists)",
  points: pointRows(SHARED, [
    ...phaseRows("meter.voltage", [19_000, 2], "float32", "normal"),
    ...phaseRows("meter.current", [19_012, 2], "float32", "fast"),
    ...phaseRows("meter.power", [19_020, 2], "float32", "fast"),
    ["meter.power", 19_026, "float32", "fast"],
    ["meter.frequency", 19_050, "float32", "normal"],
    ["meter.energyImport", 19_068, "float32", "normal"],
    ["meter.energyExport", 19_076, "float32", "normal"],
  ]),
  derived: [],
  controls: [],
});
