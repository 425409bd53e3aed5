import { defineProfile } from "hemgate/sdk";
import { plateNumber, plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { vendorList } from "../profile/parts/provenance.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const PLATE = vendorList("Schneider Electric iEM3000 user manual");
const SHARED = {
  table: "holding",
  confidence: "single-source",
  source: "volkszaehler/mbmd iem3000",
} as const;
/** The meter shows power in kW. */
const KILO = { scale: 1_000 } as const;
const ENERGY = {} as const;

/** Three-phase meters on RS-485. The vendor's register numbers are one higher than these addresses. */
export const schneiderIem3155 = defineProfile({
  id: "schneider-iem3155",
  brand: "Schneider Electric",
  model: "iEM3150, iEM3155, iEM3250, iEM3255",
  vendors: ["SCHNEIDER", "MODBUS"],
  transports: [rtu(19_200, { parity: "even" }), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: ["iEM3150 and iEM3250 do not count export."],
  identity: { serial: plateNumber(0x81, "uint32", PLATE), model: plateText(0x31, 20, PLATE) },
  points: pointRows(SHARED, [
    ...phaseRows("meter.current", [2_999, 2], "float32", "fast"),
    ...phaseRows("meter.voltage", [3_027, 2], "float32", "normal"),
    ...phaseRows("meter.power", [3_053, 2], "float32", "fast", KILO),
    ["meter.power", 3_059, "float32", "fast", KILO],
    ["meter.frequency", 3_109, "float32", "normal"],
    ["meter.energyImport", 3_203, "int64", "normal", ENERGY],
    ["meter.energyExport", 3_207, "int64", "normal", ENERGY],
  ]),
  derived: [],
  controls: [],
});
