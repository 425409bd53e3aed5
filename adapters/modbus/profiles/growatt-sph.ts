import { defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
import { UNTIMED_IN_FLASH } from "../profile/parts/battery.ts";
import {
  EVCC_WILLS106,
  EVCC_WILLS106_OPENWB,
  GROWATT,
  GROWATT_PLATE,
  GROWATT_POWERS,
  WILLS106_ONLY,
  WILLS106_OPENWB,
} from "../profile/parts/growatt.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

/** The slot of "battery first" has to cover the day: from 0:00 to 23:59, hour and minute a byte each. */
const DAY_START = 0x0000;
const DAY_END = 0x173b;

function write(address: number, value: Formula): WriteStep {
  return writeStep(address, 16, "uint16", value, { isStored: true });
}
const batteryFirst = (value: 0 | 1): WriteStep => write(1102, value);
const gridCharge = (value: 0 | 1): WriteStep => write(1092, value);

/** SPH, SPA and MIX hybrid inverters with battery and meter. */
export const growattSph = defineProfile({
  ...GROWATT,
  id: "growatt-sph",
  model: "SPH",
  limits: { maxRegisters: 125, minGapMs: 850, isOneValuePerRequest: false },
  notes: ["Requests that follow each other faster than 850 ms get lost.", UNTIMED_IN_FLASH],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["raw.import", "raw.export", "meter.energyImport", "meter.energyExport"]),
  },
  identity: GROWATT_PLATE,
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
    ...GROWATT_POWERS,
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
      ...EVCC_WILLS106,
    },
  ],
});
