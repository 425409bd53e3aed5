/** What the three-phase meters of Carlo Gavazzi have in common, on whichever line. */
import { type PointRow, phaseRows } from "./point-rows.ts";

export const EM24 = {
  table: "input",
  // Like every meter of this maker: the low register first.
  wordOrder: "little",
  confidence: "cross-checked",
  source: "volkszaehler/mbmd, OpenEMS, openWB",
} as const;

/** Frequency and counters stand elsewhere in each series. */
export const EM24_POWERS: readonly PointRow[] = [
  ...phaseRows("meter.voltage", [0, 2], "int32", "normal", { scale: 0.1 }),
  ...phaseRows("meter.current", [12, 2], "int32", "fast", { scale: 0.001 }),
  ...phaseRows("meter.power", [18, 2], "int32", "fast", { scale: 0.1 }),
  ["meter.power", 40, "int32", "fast", { scale: 0.1 }],
];
