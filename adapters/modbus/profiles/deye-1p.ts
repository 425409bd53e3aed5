import { defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
import { FORCED_POWER, SOC_RANGE, statusOfPower, UNTIMED_IN_FLASH } from "../profile/parts/battery.ts";
import {
  DEYE,
  EVCC_SUNSYNK,
  EVCC_SUNSYNK_OPENWB,
  MAX_SOC,
  MIN_SOC,
  SUNSYNK_DEYE,
  SUNSYNK_ONLY,
  sixPrograms,
  writeSetting,
} from "../profile/parts/deye.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { derivedFrom, singleSource } from "../profile/parts/provenance.ts";

const EVCC_ONLY = singleSource("evcc");

const socs = (value: Formula): WriteStep => sixPrograms(268, value);
const sources = (value: 0 | 1): WriteStep => sixPrograms(274, value);

/** Single-phase hybrid inverters SG03LP1 and their kin; also sold by Sunsynk. */
export const deye1p = defineProfile({
  ...DEYE,
  id: "deye-1p",
  model: "SG03LP1",
  notes: [
    UNTIMED_IN_FLASH,
    "No driver is known to control the battery of this family, so that its control waits for confirmation.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "raw.batteryVoltage", "battery.energyCharged"]),
    inverter: "always",
    meter: "always",
  },
  identity: { serial: plateText(3, 5, SUNSYNK_DEYE) },
  points: pointRows({ table: "holding", wordOrder: "little", ...EVCC_SUNSYNK }, [
    ["battery.energyCharged", 72, "uint32", "slow", { scale: 100, ...EVCC_SUNSYNK_OPENWB }],
    ["battery.energyDischarged", 74, "uint32", "slow", { scale: 100, ...EVCC_SUNSYNK_OPENWB }],
    ["raw.importLow", 78, "uint16", "slow", { scale: 100 }],
    ["raw.importHigh", 80, "uint16", "slow", { scale: 6_553_600 }],
    ["meter.energyExport", 81, "uint32", "slow", { scale: 100 }],
    ["inverter.energy", 96, "uint32", "slow", { scale: 100 }],
    ["meter.power", 169, "int16", "fast"],
    ["hem.load", 178, "int16", "fast", SUNSYNK_ONLY],
    ["raw.batteryVoltage", 183, "uint16", "normal", { scale: 0.01, ...SUNSYNK_ONLY }],
    ["battery.soc", 184, "uint16", "normal", EVCC_SUNSYNK_OPENWB],
    ["raw.pv1", 186, "uint16", "fast", EVCC_SUNSYNK_OPENWB],
    ["raw.pv2", 187, "uint16", "fast"],
    ["raw.pv3", 188, "uint16", "fast", EVCC_ONLY],
    ["raw.pv4", 189, "uint16", "fast", EVCC_ONLY],
    ["battery.power", 190, "int16", "fast", { scale: -1, ...EVCC_SUNSYNK_OPENWB }],
    ["raw.gridCharge", 232, "uint16", "normal", SUNSYNK_ONLY],
    ["raw.timeOfUse", 248, "uint16", "normal", SUNSYNK_ONLY],
    ["raw.firstSoc", 268, "uint16", "normal", SUNSYNK_ONLY],
    ["raw.firstSource", 274, "uint16", "normal", SUNSYNK_ONLY],
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2", "raw.pv3", "raw.pv4"]) },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    // The two words are not neighbours: another value stands between them.
    { point: "meter.energyImport", value: { sum: [{ of: "raw.importLow" }, { of: "raw.importHigh" }] } },
    {
      point: "battery.mode",
      value: {
        when: {
          all: [
            { of: { of: "raw.timeOfUse" }, hasBit: 0 },
            { of: { of: "raw.gridCharge" }, hasBit: 0 },
            { of: { of: "raw.firstSource" }, is: [1, 3] },
            { of: { minus: [{ of: "raw.firstSoc" }, MAX_SOC] }, atLeast: 0 },
          ],
        },
        gives: "IMPORT_FOCUS",
        otherwise: "SELF_RELIANCE",
      },
    },
  ],
  settings: {
    maxChargeW: FORCED_POWER.maxChargeW,
    ...SOC_RANGE,
  },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: [sources(0), socs(MIN_SOC)] },
          {
            value: "IMPORT_FOCUS",
            steps: [
              writeSetting(230, { round: { quotient: [{ setting: "maxChargeW" }, { of: "raw.batteryVoltage" }] } }),
              socs(MAX_SOC),
              sources(1),
              writeSetting(232, 1),
              writeSetting(248, 1),
            ],
          },
        ],
      },
      approximate:
        "It works through all six time-of-use programs and turns their timer on; SELF_RELIANCE leaves them with minSoc and no charge from the grid.",
      ...derivedFrom("registers of kellerza/sunsynk"),
    },
  ],
});
