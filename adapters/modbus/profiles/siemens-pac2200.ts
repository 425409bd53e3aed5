import { defineProfile } from "hemgate/sdk";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { vendorList } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";

/** Identification and maintenance data. */
const I_AND_M = { address: 64_001, words: 27 };
const PLATE = vendorList("Siemens PAC2200 manual, I&M 0: the block is read as a whole");
const SHARED = {
  // Functions 3 and 4 answer the same.
  table: "holding",
  confidence: "cross-checked",
  source: "volkszaehler/mbmd, OpenEMS, openWB",
} as const;

/** Three-phase meters of the SENTRON series. They cannot be written. */
export const siemensPac2200 = defineProfile({
  id: "siemens-pac2200",
  brand: "Siemens",
  model: "7KM PAC2200, PAC3120, PAC3200",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }, rtu(19_200)],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  identity: { serial: plateText(64012, 8, PLATE, { block: I_AND_M }) },
  points: pointRows(SHARED, [
    ...phaseRows("meter.voltage", [1, 2], "float32", "normal"),
    ...phaseRows("meter.current", [13, 2], "float32", "fast"),
    ...phaseRows("meter.power", [25, 2], "float32", "fast"),
    // mbmd reads the frequency at 46, which lies between two values.
    [
      "meter.frequency",
      55,
      "float32",
      "normal",
      { confidence: "single-source", source: "OpenEMS, openWB; mbmd says 46" },
    ],
    ["meter.power", 65, "float32", "fast"],
    ["meter.energyImport", 801, "float64", "normal"],
    ["meter.energyExport", 809, "float64", "normal"],
  ]),
  derived: [],
  controls: [],
});
