import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";

const SINGLE = { table: "holding", confidence: "single-source", source: "evcc" } as const;
const AGREED = { confidence: "cross-checked", source: "evcc, openWB" } as const;
const VENDOR = { confidence: "vendor-list", source: "Sigenergy Modbus protocol; Sigenergy-Local-Modbus" } as const;

const NOTES = [
  "The installer switches Modbus TCP on in the Sigen app.",
  "Unit 247 is the plant with the grid sensor, units from 1 on are its inverters. With one inverter the plant tells all.",
  "The vendor's list has the registers from 30000 on as input registers; they answer as holding registers too.",
] as const;

/**
 * A Sigenergy plant (SigenStor, Sigen Hybrid), as one. Read only: the one thing that drivers move is the state of charge
 * at which discharging ends, which makes none of our modes.
 */
export const sigenergySigenstor = defineProfile({
  id: "sigenergy-sigenstor",
  brand: "Sigenergy",
  model: "SigenStor",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 247 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: NOTES,
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: "always",
    meter: onceNotZero(["meter.power"]),
  },
  noSerial: "The registers of the plant, unit 247, have none; the inverters tell theirs (Sigenergy Modbus protocol)",
  points: pointRows({ ...SINGLE, ...VENDOR }, [
    ["meter.power", 30005, "int32", "fast", AGREED],
    ["battery.soc", 30014, "uint16", "normal", { scale: 0.1 }],
    ["inverter.power", 30035, "int32", "fast"],
    ["battery.power", 30037, "int32", "fast"],
    ["battery.reserve", 40048, "uint16", "slow", { scale: 0.1, ...AGREED }],
  ]),
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});

/** One inverter of a Sigenergy plant with its battery, where a plant has several. */
export const sigenergyInverter = defineProfile({
  id: "sigenergy-inverter",
  brand: "Sigenergy",
  model: "Sigen inverter",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: NOTES,
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
  },
  identity: {
    serial: plateText(30_515, 10, VENDOR, { table: "input" }),
    model: plateText(30_500, 15, VENDOR, { table: "input" }),
    version: plateText(30_525, 15, VENDOR, { table: "input" }),
  },
  points: pointRows(SINGLE, [
    ["battery.energyCharged", 30568, "uint64", "normal", { scale: 10 }],
    ["battery.energyDischarged", 30574, "uint64", "normal", { scale: 10 }],
    ["battery.power", 30599, "int32", "fast"],
    ["battery.soc", 30601, "uint16", "normal", { scale: 0.1 }],
    ["inverter.power", 31035, "int32", "fast"],
  ]),
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
