import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { FOX_PLATE, NO_SERIAL } from "../profile/parts/foxess-plate.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { rtu } from "../profile/parts/rtu.ts";

const AGREED = { table: "holding", confidence: "cross-checked", source: "evcc, foxess_modbus, openWB" } as const;
const SINGLE = { confidence: "single-source", source: "foxess_modbus" } as const;

/**
 * FoxESS H1 and AC1, over the LAN port or RS-485. Read only: for its remote control (44000 to 44002) one driver is the
 * only source, and no recipe of an energy manager is known.
 */
export const foxessH1 = defineProfile({
  id: "foxess-h1",
  brand: "FoxESS",
  model: "H1",
  vendors: ["FOXESS", "MODBUS"],
  transports: [rtu(9_600, { unit: 247 }), { kind: "tcp", port: 502, unit: 247 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.energyImport", "meter.energyExport"]),
  },
  noSerial: NO_SERIAL,
  identity: FOX_PLATE,
  points: pointRows(AGREED, [
    ["raw.pv1", 31002, "int16", "fast"],
    ["raw.pv2", 31005, "int16", "fast"],
    // FoxESS counts export, and discharging, as positive.
    ["meter.power", 31014, "int16", "fast", { scale: -1, ...SINGLE }],
    ["hem.load", 31016, "int16", "fast", SINGLE],
    ["battery.power", 31022, "int16", "fast", { scale: -1, source: "evcc, foxess_modbus" }],
    ["battery.soc", 31024, "int16", "normal", { source: "evcc, foxess_modbus" }],
    ["inverter.energy", 32000, "uint32", "normal", { scale: 100, source: "foxess_modbus, openWB" }],
    ["battery.energyCharged", 32003, "uint32", "normal", { scale: 100, source: "foxess_modbus, openWB" }],
    ["battery.energyDischarged", 32006, "uint32", "normal", { scale: 100, source: "foxess_modbus, openWB" }],
    ["meter.energyExport", 32009, "uint32", "normal", { scale: 100, ...SINGLE }],
    ["meter.energyImport", 32012, "uint32", "normal", { scale: 100, ...SINGLE }],
    ["battery.reserve", 41011, "uint16", "slow", SINGLE],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2"]) },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
  ],
  controls: [],
});
