import { defineProfile } from "hemgate/sdk";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("Carlo Gavazzi's communication protocols; victronenergy/dbus-cgwacs");
const SHARED = {
  table: "input",
  // evcc reads the high register first; OpenEMS the low one, as all other meters of this maker have it.
  wordOrder: "little",
  confidence: "cross-checked",
  source: "OpenEMS; evcc has the same addresses with the other word order",
} as const;
const SINGLE = { confidence: "single-source", source: "OpenEMS" } as const;

/** Single-phase meters on RS-485. They cannot be written. */
export const cgEm111 = defineProfile({
  id: "cg-em111",
  brand: "Carlo Gavazzi",
  model: "EM110, EM111, EM112, ET112",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 11, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["Sources disagree about the word order: when it shows thousands of kilowatts, that is why."],
  identity: { serial: plateText(0x5000, 7, PLATE) },
  points: pointRows(SHARED, [
    ["meter.voltage.l1", 0, "int32", "normal", { scale: 0.1, ...SINGLE }],
    ["meter.current.l1", 2, "int32", "fast", { scale: 0.001, ...SINGLE }],
    ["meter.power", 4, "int32", "fast", { scale: 0.1 }],
    ["meter.energyImport", 16, "int32", "normal", { scale: 100 }],
    ["meter.energyExport", 32, "int32", "normal", { scale: 100 }],
  ]),
  derived: [],
  controls: [],
});
