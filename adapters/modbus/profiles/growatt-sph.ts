import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile-parts/point-rows.ts";
import { statusOfPower } from "../profile-parts.ts";
import { crossChecked, difference, registers, singleSource, stored } from "../profile-points.ts";

const EVCC_WILLS106 = crossChecked("evcc, wills106/solax-modbus");
const EVCC_WILLS106_OPENWB = crossChecked("evcc, wills106/solax-modbus, openWB");
const WILLS106_ONLY = singleSource("wills106/solax-modbus");
const WILLS106_OPENWB = crossChecked("wills106/solax-modbus, openWB");
const CONTROL = crossChecked("evcc, wills106/solax-modbus");

const BATTERY_POWER = difference("raw.charge", "raw.discharge");

/** The slot of "battery first" has to cover the day: from 0:00 to 23:59, hour and minute a byte each. */
const DAY_START = 0x0000;
const DAY_END = 0x173b;

function write(address: number, value: Formula): WriteStep {
  return stored(registers(address, "uint16", value));
}
const batteryFirst = (value: 0 | 1): WriteStep => write(1102, value);
const gridCharge = (value: 0 | 1): WriteStep => write(1092, value);

/** SPH, SPA and MIX hybrid inverters with battery and meter. */
export const growattSph = defineProfile({
  id: "growatt-sph",
  brand: "Growatt",
  model: "SPH",
  vendors: ["GROWATT", "MODBUS"],
  transports: [
    { kind: "rtu", unit: 1, baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 },
    { kind: "tcp", port: 502, unit: 1 },
  ],
  limits: { maxRegisters: 125, minGapMs: 850, isOneValuePerRequest: false },
  notes: [
    "Requests that follow each other faster than 850 ms get lost.",
    "Its settings are kept in flash and are written only to change them. No timer ends a charge from the grid: only SELF_RELIANCE does.",
  ],
  points: [
    ...pointRows({ table: "input", ...EVCC_WILLS106_OPENWB }, [
      ["inverter.power", 1, "uint32", "fast", { scale: 0.1 }],
      ["inverter.energy", 91, "uint32", "slow", { scale: 100 }],
      ["raw.discharge", 1009, "uint32", "fast", { scale: 0.1 }],
      ["raw.charge", 1011, "uint32", "fast", { scale: 0.1 }],
      ["battery.soc", 1014, "uint16", "normal"],
      ["raw.import", 1021, "uint32", "fast", { scale: 0.1 }],
      ["raw.export", 1029, "uint32", "fast", { scale: 0.1 }],
      ["hem.load", 1037, "uint32", "fast", { scale: 0.1, ...WILLS106_ONLY }],
      ["meter.energyImport", 1046, "uint32", "slow", { scale: 100 }],
      ["meter.energyExport", 1050, "uint32", "slow", { scale: 100, ...WILLS106_OPENWB }],
      ["battery.energyDischarged", 1054, "uint32", "slow", { scale: 100 }],
      ["battery.energyCharged", 1058, "uint32", "slow", { scale: 100, ...WILLS106_OPENWB }],
    ]),
    ...pointRows({ table: "holding", ...EVCC_WILLS106 }, [
      ["raw.gridCharge", 1092, "uint16", "normal"],
      ["raw.batteryFirst", 1102, "uint16", "normal"],
    ]),
  ],
  derived: [
    { point: "battery.power", value: BATTERY_POWER },
    { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
    { point: "meter.power", value: difference("raw.import", "raw.export") },
    {
      point: "battery.mode",
      value: {
        when: { of: { of: "raw.batteryFirst" }, is: 1 },
        // Battery first without the grid holds what is in the battery.
        gives: { when: { of: { of: "raw.gridCharge" }, is: 1 }, gives: "IMPORT_FOCUS", otherwise: "UNKNOWN" },
        otherwise: "SELF_RELIANCE",
      },
    },
  ],
  settings: {
    maxChargePct: {
      unit: "%",
      meaning: "Power of a forced charge (IMPORT_FOCUS), of the battery's rated power",
      min: 1,
      max: 100,
      default: 50,
    },
  },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [batteryFirst(0), gridCharge(0)] },
          {
            value: "IMPORT_FOCUS",
            steps: [
              write(1100, DAY_START),
              write(1101, DAY_END),
              write(1090, { setting: "maxChargePct" }),
              batteryFirst(1),
              gridCharge(1),
            ],
            ...singleSource(
              "switches: evcc, wills106/solax-modbus; power and times of the slot: wills106/solax-modbus",
            ),
          },
        ],
      },
      approximate: "It uses the first slot of battery first: what the owner set there is lost.",
      ...CONTROL,
    },
  ],
});
