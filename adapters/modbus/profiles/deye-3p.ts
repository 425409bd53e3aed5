import { type Condition, defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
import { FORCED_POWER, SOC_RANGE, statusOfPower, UNTIMED_IN_FLASH } from "../profile-parts/battery.ts";
import {
  DEYE,
  EVCC_SUNSYNK,
  EVCC_SUNSYNK_OPENWB,
  MAX_SOC,
  MIN_SOC,
  SUNSYNK_ONLY,
  sixPrograms,
  writeSetting,
} from "../profile-parts/deye.ts";
import { phaseRows, pointRows } from "../profile-parts/point-rows.ts";
import { derivedFrom } from "../profile-parts/provenance.ts";

/** High-voltage models count battery and sun in 10 W. */
const COUNT: Formula = { setting: "wattsPerCount" };
const BATTERY_POWER: Formula = { times: [{ of: "raw.batteryPower" }, COUNT] };
const BATTERY_VOLTAGE: Formula = { times: [{ of: "raw.batteryVoltage" }, COUNT] };

/** The bit that starts the time-of-use programs, and all seven days. */
const ALL_WEEK = 255;
const OFF = 0;

const isZero = (key: string): Condition => ({ of: { of: key }, is: 0 });

/** A limit of 0 A, such as IDLE writes, is lifted; another one, which the owner set, stays. */
function lift(address: number, settingName: string, key: string): WriteStep {
  // What was read may be from before the write.
  const wasIdle: Condition = { of: { lastWrite: "battery.mode" }, is: "IDLE" };
  return writeSetting(address, { setting: settingName }, { when: { any: [isZero(key), wasIdle] } });
}
const LIFT_LIMITS: readonly WriteStep[] = [
  lift(108, "maxChargeA", "raw.chargeLimit"),
  lift(109, "maxDischargeA", "raw.dischargeLimit"),
];

/** Three-phase hybrid inverters SG04LP3 and, of high voltage, SG01HP3; also sold by Sunsynk. */
export const deye3p = defineProfile({
  ...DEYE,
  id: "deye-3p",
  model: "SG04LP3",
  notes: [
    "Over Ethernet it takes an RS-485 gateway: the Wi-Fi logger speaks a protocol of its own on port 8899.",
    "For high-voltage models (SG01HP3) set wattsPerCount to 10.",
    UNTIMED_IN_FLASH,
    "Grid power is a number of 16 bits: beyond 32.7 kW it is wrong.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "raw.batteryVoltage", "battery.energyCharged"]),
    inverter: "always",
    meter: "always",
  },
  points: pointRows({ table: "holding", wordOrder: "little", ...EVCC_SUNSYNK }, [
    ["raw.chargeLimit", 108, "uint16", "normal", SUNSYNK_ONLY],
    ["raw.dischargeLimit", 109, "uint16", "normal"],
    ["raw.gridChargeStart", 127, "uint16", "normal"],
    ["raw.gridCharge", 130, "uint16", "normal"],
    ["raw.timeOfUse", 146, "uint16", "normal"],
    ["battery.energyCharged", 516, "uint32", "slow", { scale: 100 }],
    ["battery.energyDischarged", 518, "uint32", "slow", { scale: 100 }],
    ["meter.energyImport", 522, "uint32", "slow", { scale: 100 }],
    ["meter.energyExport", 524, "uint32", "slow", { scale: 100 }],
    ["inverter.energy", 534, "uint32", "slow", { scale: 100 }],
    ["raw.batteryVoltage", 587, "uint16", "normal", { scale: 0.01, ...SUNSYNK_ONLY }],
    ["battery.soc", 588, "uint16", "normal", EVCC_SUNSYNK_OPENWB],
    ["raw.batteryPower", 590, "int16", "fast", { scale: -1, ...EVCC_SUNSYNK_OPENWB }],
    ...phaseRows("meter.voltage", [598, 1], "uint16", "normal", { scale: 0.1 }),
    ["meter.current.l1", 613, "int16", "normal", { scale: 0.01, ...EVCC_SUNSYNK_OPENWB }],
    ["meter.current.l2", 614, "int16", "normal", { scale: 0.01 }],
    ["meter.current.l3", 615, "int16", "normal", { scale: 0.01 }],
    ["meter.power", 625, "int16", "fast"],
    ["hem.load", 653, "int16", "fast", SUNSYNK_ONLY],
    ["raw.pv1", 672, "uint16", "fast", EVCC_SUNSYNK_OPENWB],
    ["raw.pv2", 673, "uint16", "fast"],
    ["raw.pv3", 674, "uint16", "fast"],
    ["raw.pv4", 675, "uint16", "fast"],
  ]),
  derived: [
    {
      point: "inverter.power",
      value: { times: [{ sumKnown: [1, 2, 3, 4].map((input) => ({ of: `raw.pv${input}` })) }, COUNT] },
    },
    { point: "battery.power", value: BATTERY_POWER },
    { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
    {
      point: "battery.mode",
      value: {
        when: isZero("raw.dischargeLimit"),
        gives: { when: isZero("raw.chargeLimit"), gives: "IDLE", otherwise: "UNKNOWN" },
        otherwise: {
          when: {
            all: [
              { of: { of: "raw.gridCharge" }, is: 1 },
              { not: { of: { of: "raw.timeOfUse" }, hasBit: 0 } },
              { of: { minus: [{ of: "raw.gridChargeStart" }, MAX_SOC] }, atLeast: 0 },
            ],
          },
          gives: "IMPORT_FOCUS",
          otherwise: "SELF_RELIANCE",
        },
      },
    },
  ],
  settings: {
    maxChargeW: FORCED_POWER.maxChargeW,
    ...SOC_RANGE,
    maxChargeA: {
      unit: "A",
      meaning: "Most current into the battery, from the grid and after IDLE",
      min: 1,
      max: 500,
      default: 50,
    },
    maxDischargeA: { unit: "A", meaning: "Most current out of the battery after IDLE", min: 1, max: 500, default: 50 },
    wattsPerCount: {
      unit: "W",
      meaning: "What one count of battery and sun is: 10 for high-voltage models",
      min: 1,
      max: 10,
      default: 1,
    },
  },
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          {
            value: "SELF_RELIANCE",
            steps: [
              writeSetting(127, MIN_SOC),
              sixPrograms(166, MIN_SOC),
              writeSetting(130, 1),
              writeSetting(146, ALL_WEEK),
              ...LIFT_LIMITS,
            ],
          },
          {
            value: "IDLE",
            steps: [writeSetting(109, 0), writeSetting(108, 0)],
            ...derivedFrom("the hold of evcc, with the limit of charging too; 108: kellerza/sunsynk"),
          },
          {
            value: "IMPORT_FOCUS",
            steps: [
              ...LIFT_LIMITS,
              writeSetting(128, {
                least: [
                  { setting: "maxChargeA" },
                  { round: { quotient: [{ setting: "maxChargeW" }, BATTERY_VOLTAGE] } },
                ],
              }),
              writeSetting(127, MAX_SOC),
              writeSetting(130, 1),
              writeSetting(146, OFF),
            ],
          },
        ],
      },
      approximate:
        "SELF_RELIANCE turns the six time-of-use programs on, for every day, with minSoc as the state of charge of each, and permits charging from the grid below it.",
      ...EVCC_SUNSYNK,
    },
  ],
});
