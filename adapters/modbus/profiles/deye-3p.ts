import { type Condition, defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
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
import { plateText } from "../profile/parts/plate-field.ts";
import { type PointRow, phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, derivedFrom, singleSource } from "../profile/parts/provenance.ts";

/** Device types in register 0: batteries of low voltage (SG04LP3) and of high voltage (SG01HP3 and larger). */
const LOW_VOLTAGE = [0x0005, 0x0500] as const;
const HIGH_VOLTAGE = [0x0006, 0x0007, 0x0008, 0x0600, 0x0601] as const;
const DEVICE = crossChecked("davidrapan/ha-solarman, Deye's register list V105.1");
const SOLARMAN_ONLY = singleSource("davidrapan/ha-solarman");

/** High-voltage models count battery and sun in 10 W. A type that is not known follows the owner's setting. */
const COUNT: Formula = {
  first: [
    {
      lookup: { of: "raw.deviceType" },
      values: Object.fromEntries([...LOW_VOLTAGE.map((type) => [type, 1]), ...HIGH_VOLTAGE.map((type) => [type, 10])]),
      otherwise: { setting: "wattsPerCount" },
    },
    { setting: "wattsPerCount" },
  ],
};
/** The second part of the main version, "3002-1098-1E08", as hexadecimal digits. */
const WHOLE_KWH_FIRMWARE = 0x1098;
/** Counters count 100 Wh, and whole kWh in high-voltage models from firmware 1098 on (ha-solarman#782, evcc#23428). */
const COUNTER_WH: Formula = {
  first: [
    {
      when: {
        all: [
          { of: { of: "raw.deviceType" }, is: HIGH_VOLTAGE },
          { of: { of: "raw.firmware" }, atLeast: WHOLE_KWH_FIRMWARE },
        ],
      },
      gives: 1_000,
      otherwise: 100,
    },
    100,
  ],
};
/** Counters, each 32 bits with the low word first. */
const COUNTERS = {
  "battery.energyCharged": 516,
  "battery.energyDischarged": 518,
  "meter.energyImport": 522,
  "meter.energyExport": 524,
  "inverter.energy": 534,
} as const;
const COUNTER_POINTS = Object.keys(COUNTERS) as (keyof typeof COUNTERS)[];
/** Register 133: microinverters feed the generator port. */
const MICROINVERTERS = 2;
const NO_BATTERY = 2;
const EVIDENCE = onceNotZero(["battery.soc", "raw.batteryVoltage", "raw.battery.energyCharged"]);

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
    "Over Ethernet it takes an RS-485 gateway: the Wi-Fi logger speaks its own protocol on port 8899.",
    "Whether it is a high-voltage model (SG01HP3), and its firmware, are read; wattsPerCount counts only where register 0 names no known model.",
    "Microinverters at the generator port count as production where register 133 says so; the counter of energy does not have them.",
    UNTIMED_IN_FLASH,
    "Grid power is a number of 16 bits: beyond 32.7 kW it is wrong.",
  ],
  parts: {
    battery: {
      ...EVIDENCE,
      when: {
        all: [
          {
            any: [
              { of: { of: "raw.batteryMode" }, isKnown: false },
              { not: { of: { of: "raw.batteryMode" }, is: NO_BATTERY } },
            ],
          },
          EVIDENCE.when,
        ],
      },
      shown: `${EVIDENCE.shown}, unless register 111 says 2, no battery (davidrapan/ha-solarman)`,
    },
    inverter: "always",
    meter: "always",
  },
  identity: { serial: plateText(3, 5, SUNSYNK_DEYE) },
  points: pointRows({ table: "holding", wordOrder: "little", ...EVCC_SUNSYNK }, [
    ["raw.deviceType", 0, "uint16", "slow", DEVICE],
    ["raw.firmware", 15, "uint16", "slow", SOLARMAN_ONLY],
    ["raw.batteryMode", 111, "uint16", "slow", SOLARMAN_ONLY],
    ["raw.generatorPort", 133, "uint16", "slow", SOLARMAN_ONLY],
    ["raw.chargeLimit", 108, "uint16", "normal", SUNSYNK_ONLY],
    ["raw.dischargeLimit", 109, "uint16", "normal"],
    ["raw.gridChargeStart", 127, "uint16", "normal"],
    ["raw.gridCharge", 130, "uint16", "normal"],
    ["raw.timeOfUse", 146, "uint16", "normal"],
    ...COUNTER_POINTS.map((point): PointRow => [`raw.${point}`, COUNTERS[point], "uint32", "slow"]),
    ["raw.batteryVoltage", 587, "uint16", "normal", { scale: 0.01, ...SUNSYNK_ONLY }],
    ["battery.soc", 588, "uint16", "normal", EVCC_SUNSYNK_OPENWB],
    ["raw.batteryPower", 590, "int16", "fast", { scale: -1, ...EVCC_SUNSYNK_OPENWB }],
    ...phaseRows("meter.voltage", [598, 1], "uint16", "normal", { scale: 0.1 }),
    ["meter.current.l1", 613, "int16", "normal", { scale: 0.01, ...EVCC_SUNSYNK_OPENWB }],
    ["meter.current.l2", 614, "int16", "normal", { scale: 0.01 }],
    ["meter.current.l3", 615, "int16", "normal", { scale: 0.01 }],
    ["meter.power", 625, "int16", "fast"],
    ["hem.load", 653, "int16", "fast", SUNSYNK_ONLY],
    ["raw.generatorPower", 667, "int16", "fast"],
    ["raw.pv1", 672, "uint16", "fast", EVCC_SUNSYNK_OPENWB],
    ["raw.pv2", 673, "uint16", "fast"],
    ["raw.pv3", 674, "uint16", "fast"],
    ["raw.pv4", 675, "uint16", "fast"],
  ]),
  derived: [
    {
      point: "inverter.power",
      value: {
        sumKnown: [
          { times: [{ sumKnown: [1, 2, 3, 4].map((input) => ({ of: `raw.pv${input}` })) }, COUNT] },
          {
            when: { of: { of: "raw.generatorPort" }, is: MICROINVERTERS },
            gives: { of: "raw.generatorPower" },
            otherwise: null,
          },
        ],
      },
    },
    ...COUNTER_POINTS.map((point) => ({ point, value: { times: [{ of: `raw.${point}` }, COUNTER_WH] } })),
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
      meaning: "What one count of battery and sun is, where the model is not known: 10 for high voltage",
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
