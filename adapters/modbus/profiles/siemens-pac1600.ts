import { defineProfile } from "hemgate/sdk";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const SHARED = { table: "input", confidence: "cross-checked", source: "evcc, OpenEMS" } as const;
const SINGLE = { confidence: "single-source", source: "OpenEMS" } as const;

/** Three-phase meters for the rail. They cannot be written. */
export const siemensPac1600 = defineProfile({
  id: "siemens-pac1600",
  brand: "Siemens",
  model: "SENTRON PAC1600 7KT1665, 7KT1666",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  noSerial: "No source found that names one",
  points: pointRows(SHARED, [
    ...phaseRows("meter.voltage", [1, 2], "uint32", "normal", { scale: 0.01 }),
    ...phaseRows("meter.current", [7, 2], "uint32", "fast", { scale: 0.0001 }),
    ...phaseRows("meter.power", [19, 2], "int32", "fast", { scale: 0.01, ...SINGLE }),
    ["meter.power", 57, "int32", "fast", { scale: 0.01 }],
    ["meter.energyImport", 6_687, "uint32", "normal"],
    ["meter.energyExport", 6_689, "uint32", "normal", SINGLE],
  ]),
  derived: [],
  controls: [],
});
