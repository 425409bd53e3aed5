import { defineProfile, onceNotZero, type WriteStep } from "hemgate/sdk";
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
import { writeStep } from "../profile/parts/write-step.ts";

/** Slot 1 as battery first from 0:00 to 23:59. Bit 31 turns it on. */
const SLOT_OFF = 0x2000_173b;
const SLOT_ON = 0xa000_173b;

function slot(value: typeof SLOT_OFF | typeof SLOT_ON): WriteStep {
  return writeStep(3038, 16, "uint32", value, { isStored: true });
}
function gridCharge(value: 0 | 1): WriteStep {
  return writeStep(3049, 16, "uint16", value, { isStored: true });
}

/** MIN, MID and MOD TL-XH hybrid inverters with battery and meter. */
export const growattTlxh = defineProfile({
  ...GROWATT,
  id: "growatt-tlxh",
  model: "TL-XH",
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    UNTIMED_IN_FLASH,
    "On one model line openWB takes 3178 for charging and 3180 for discharging; the maker's document and evcc say the reverse, as here. Check the sign.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["raw.import", "raw.export", "meter.energyImport", "meter.energyExport"]),
  },
  identity: GROWATT_PLATE,
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
    ...GROWATT_POWERS,
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
