import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";

const PLATE = crossChecked("E3/DC Modbus TCP interface, simple mode; openHAB");
const AGREED = {
  table: "holding",
  wordOrder: "little",
  confidence: "cross-checked",
  source: "evcc, openWB, openHAB",
} as const;

/** E3/DC S10 and other Hauskraftwerk models in "simple mode". Read only: control needs E3/DC's own protocol (RSCP). */
export const e3dcSimple = defineProfile({
  id: "e3dc-simple",
  brand: "E3/DC",
  model: "S10",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Switch Modbus TCP on at the display, with the protocol E3/DC (simple mode), not SunSpec.",
    "On installations of several storage systems (farms) the grid power reads 0: use a separate meter there.",
    "The vendor's list counts addresses from 1: its 40068 is 40067 here.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: "always",
    meter: "always",
  },
  identity: {
    serial: plateText(40035, 16, PLATE),
    model: plateText(40019, 16, PLATE),
    version: plateText(40051, 16, PLATE),
  },
  points: pointRows(AGREED, [
    ["raw.pv", 40067, "int32", "fast"],
    ["battery.power", 40069, "int32", "fast"],
    ["hem.load", 40071, "int32", "fast", { confidence: "single-source", source: "openHAB" }],
    // The comment in evcc's template says house consumption; two others read grid power, positive on import.
    ["meter.power", 40073, "int32", "fast"],
    ["raw.external", 40075, "int32", "fast"],
    ["battery.soc", 40082, "uint16", "normal"],
  ]),
  derived: [
    // Additional feeders are counted as a load: what they produce is negative.
    { point: "inverter.power", value: { minus: [{ of: "raw.pv" }, { least: [0, { of: "raw.external" }] }] } },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
  ],
  controls: [],
});
