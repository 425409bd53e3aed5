import { type PointRow, phaseRows } from "./point-rows.ts";

/** The registers of Eastron's three-phase meters, which the later ones kept. */
export const SDM630_ROWS: readonly PointRow[] = [
  ...phaseRows("meter.voltage", [0, 2], "float32", "normal"),
  ...phaseRows("meter.current", [6, 2], "float32", "fast"),
  ...phaseRows("meter.power", [12, 2], "float32", "fast"),
  ["meter.power", 52, "float32", "fast"],
  ["meter.frequency", 70, "float32", "normal"],
  ["meter.energyImport", 72, "float32", "normal", { scale: 1_000 }],
  ["meter.energyExport", 74, "float32", "normal", { scale: 1_000 }],
];
