import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile-parts/point-rows.ts";
import { statusOfPower } from "../profile-parts.ts";
import { crossChecked, difference, registers, singleSource, stored } from "../profile-points.ts";

const EVCC_WILLS106 = crossChecked("evcc, wills106/solax-modbus");
const EVCC_WILLS106_OPENWB = crossChecked("evcc, wills106/solax-modbus, openWB");
const WILLS106_ONLY = singleSource("wills106/solax-modbus");
const WILLS106_OPENWB = crossChecked("wills106/solax-modbus, openWB");

const BATTERY_POWER = difference("raw.charge", "raw.discharge");

/** Slot 1 as battery first from 0:00 to 23:59. Bit 31 turns it on. */
const SLOT_OFF = 0x2000_173b;
const SLOT_ON = 0xa000_173b;

function slot(value: typeof SLOT_OFF | typeof SLOT_ON): WriteStep {
  return stored(registers(3038, "uint32", value));
}
function gridCharge(value: 0 | 1): WriteStep {
  return stored(registers(3049, "uint16", value));
}

/** MIN, MID and MOD TL-XH hybrid inverters with battery and meter. */
export const growattTlxh = defineProfile({
  id: "growatt-tlxh",
  brand: "Growatt",
  model: "TL-XH",
  vendors: ["GROWATT", "MODBUS"],
  transports: [
    { kind: "rtu", unit: 1, baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 },
    { kind: "tcp", port: 502, unit: 1 },
  ],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Its settings are kept in flash and are written only to change them. No timer ends a charge from the grid: only SELF_RELIANCE does.",
    "On one model line openWB takes 3178 for charging and 3180 for discharging; the maker's document and evcc say the reverse, as here. Check the sign.",
  ],
  points: [
    ...pointRows({ table: "input", ...EVCC_WILLS106_OPENWB }, [
      ["inverter.power", 3001, "uint32", "fast", { scale: 0.1, ...WILLS106_OPENWB }],
      ["inverter.energy", 3053, "uint32", "slow", { scale: 100 }],
      ["raw.import", 3041, "uint32", "fast", { scale: 0.1 }],
      ["raw.export", 3043, "uint32", "fast", { scale: 0.1 }],
      ["hem.load", 3045, "uint32", "fast", { scale: 0.1, ...WILLS106_ONLY }],
      ["meter.energyImport", 3069, "uint32", "slow", { scale: 100 }],
      ["meter.energyExport", 3073, "uint32", "slow", { scale: 100, ...WILLS106_OPENWB }],
      ["battery.energyDischarged", 3127, "uint32", "slow", { scale: 100 }],
      ["battery.energyCharged", 3131, "uint32", "slow", { scale: 100, ...WILLS106_OPENWB }],
      ["battery.soc", 3171, "uint16", "normal"],
      ["raw.discharge", 3178, "uint32", "fast", { scale: 0.1 }],
      ["raw.charge", 3180, "uint32", "fast", { scale: 0.1 }],
    ]),
    ...pointRows({ table: "holding", ...EVCC_WILLS106 }, [
      ["raw.slot", 3038, "uint32", "normal"],
      ["raw.gridCharge", 3049, "uint16", "normal"],
    ]),
  ],
  derived: [
    { point: "battery.power", value: BATTERY_POWER },
    { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
    { point: "meter.power", value: difference("raw.import", "raw.export") },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.slot" },
        values: {
          // Battery first without the grid holds what is in the battery.
          [SLOT_ON]: { when: { of: { of: "raw.gridCharge" }, is: 1 }, gives: "IMPORT_FOCUS", otherwise: "UNKNOWN" },
        },
        otherwise: {
          when: { of: { of: "raw.slot" }, hasBit: 31 },
          gives: "TIME_OF_USE",
          otherwise: "SELF_RELIANCE",
        },
      },
    },
  ],
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [slot(SLOT_OFF), gridCharge(0)] },
          { value: "IMPORT_FOCUS", steps: [slot(SLOT_ON), gridCharge(1)] },
        ],
      },
      approximate: "It uses time slot 1: what the owner set there is lost. The inverter sets the power itself.",
      ...EVCC_WILLS106,
    },
  ],
});
