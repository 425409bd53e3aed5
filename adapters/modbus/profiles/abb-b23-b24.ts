import { defineProfile } from "hemgate/sdk";
import { plateNumber, plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("ABB B23/B24 user manual; victronenergy/dbus-modbus-client");
const UNSIGNED = {
  table: "holding",
  sentinels: [0xffffffff],
  confidence: "single-source",
  source: "volkszaehler/mbmd abb",
} as const;
const POWER = { scale: 0.01, sentinels: [0x7fffffff] } as const;
/** All 64 bits are ones where the meter does not count. */
const ENERGY = { scale: 10, sentinels: [-1] } as const;

/** Single-phase (B21) and three-phase meters on RS-485. They cannot be written. */
export const abbB23B24 = defineProfile({
  id: "abb-b23-b24",
  brand: "ABB",
  model: "B21, B23, B24, A41 to A44",
  vendors: ["MODBUS"],
  transports: [rtu(19_200), rtu(19_200, { parity: "even" }), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["Baud rate and parity are set in the meter's menu; even parity is common. Types without export count none."],
  identity: {
    serial: plateNumber(0x8900, "uint32", PLATE),
    model: plateText(0x8960, 6, PLATE),
    version: plateText(0x8908, 8, PLATE),
  },
  points: pointRows(UNSIGNED, [
    ["meter.energyImport", 20_480, "uint64", "normal", ENERGY],
    ["meter.energyExport", 20_484, "uint64", "normal", ENERGY],
    ...phaseRows("meter.voltage", [23_296, 2], "uint32", "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [23_308, 2], "uint32", "fast", { scale: 0.01 }),
    ["meter.power", 23_316, "int32", "fast", POWER],
    ...phaseRows("meter.power", [23_318, 2], "int32", "fast", POWER),
    ["meter.frequency", 23_340, "uint16", "normal", { scale: 0.01, sentinels: [0xffff] }],
  ]),
  derived: [],
  controls: [],
});
