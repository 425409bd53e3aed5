import { defineProfile } from "hemgate/sdk";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { vendorList } from "../profile/parts/provenance.ts";

const PLATE = vendorList("victronenergy/dbus_modbustcp");
const AGREED = {
  table: "holding",
  confidence: "cross-checked",
  source: "victronenergy/dbus_modbustcp, openWB, OpenEMS",
} as const;
const VENDOR = { confidence: "vendor-list", source: "victronenergy/dbus_modbustcp" } as const;

/** The grid meter of a Victron GX (EM24, VM-3P75CT, ET112), positive on import. */
export const victronGrid = defineProfile({
  id: "victron-grid",
  brand: "Victron",
  model: "GX grid meter",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 30 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The unit id is under Settings, Services, Modbus TCP: usually 30 to 34.",
    "Energies are the meter's totals, not the sums of its phases, which count import on one phase beside export on another.",
    "A phase that the meter does not have reads 0, because the GX has no value that says so.",
  ],
  identity: { serial: plateText(2609, 7, PLATE) },
  points: pointRows(AGREED, [
    ...phaseRows("meter.power", [2600, 1], "int16", "fast"),
    ["meter.voltage.l1", 2616, "uint16", "normal", { scale: 0.1 }],
    ["meter.current.l1", 2617, "int16", "normal", { scale: 0.1 }],
    ["meter.voltage.l2", 2618, "uint16", "normal", { scale: 0.1 }],
    ["meter.current.l2", 2619, "int16", "normal", { scale: 0.1 }],
    ["meter.voltage.l3", 2620, "uint16", "normal", { scale: 0.1 }],
    ["meter.current.l3", 2621, "int16", "normal", { scale: 0.1 }],
    ["meter.energyImport", 2634, "uint32", "normal", { scale: 10, ...VENDOR }],
    ["meter.energyExport", 2636, "uint32", "normal", { scale: 10, ...VENDOR }],
    ["meter.frequency", 2644, "uint16", "normal", { scale: 0.01, ...VENDOR }],
  ]),
  derived: [
    {
      point: "meter.power",
      value: { sum: [{ of: "meter.power.l1" }, { of: "meter.power.l2" }, { of: "meter.power.l3" }] },
    },
  ],
  controls: [],
});
