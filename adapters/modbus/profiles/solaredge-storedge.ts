import {
  defineProfile,
  type Formula,
  onceNotZero,
  type PointName,
  type Provenance,
  type RegisterField,
  type WriteField,
  type WriteStep,
} from "hemgate/sdk";
import { FORCED_POWER, statusOfPower } from "../profile/parts/battery.ts";
import { type PointRow, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, derivedFrom, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const EVCC_OPENWB_WILLCODE = crossChecked("evcc, openWB, WillCodeForCats");
const EVCC_WILLCODE = crossChecked("evcc, WillCodeForCats");
const EVCC_WILLCODE_OPENWB = crossChecked("evcc, WillCodeForCats, openWB");
const WILLCODE_ONLY = singleSource("WillCodeForCats");
const WILLCODE_OPENWB = crossChecked("WillCodeForCats, openWB");
const SUNSPEC = crossChecked(
  "SunSpec common model and models 101 to 103 and 201 to 204, where SolarEdge keeps them (evcc, WillCodeForCats)",
);
/** The command is known from three drivers, its time-out from one: what is forced stays off until it is confirmed. */
const TIMED = singleSource("command: evcc, WillCodeForCats, openWB; its time-out: WillCodeForCats");

/** Beside NaN, a battery that does not tell reads the lowest float. */
const LOWEST_FLOAT = -3.4028234663852886e38;
const NO_NUMBER = { sentinels: [0x8000] };

const BATTERY_POWER: Formula = { of: "battery.power" };
const IS_INVERTER = { of: { of: "raw.inverterModel" }, is: [101, 102, 103] } as const;
const IS_METER = { of: { of: "raw.meterModel" }, is: [201, 202, 203, 204] } as const;

/** Points of the first meter: a value, and the register of its power of ten. Powers and energies are from the sun's view. */
const METER: readonly (readonly [name: PointName, address: number, tens: string, scale?: number])[] = [
  ["meter.current.l1", 40191, "raw.tens.current"],
  ["meter.current.l2", 40192, "raw.tens.current"],
  ["meter.current.l3", 40193, "raw.tens.current"],
  ["meter.voltage.l1", 40196, "raw.tens.voltage"],
  ["meter.voltage.l2", 40197, "raw.tens.voltage"],
  ["meter.voltage.l3", 40198, "raw.tens.voltage"],
  ["meter.frequency", 40204, "raw.tens.frequency"],
  ["meter.power", 40206, "raw.tens.power", -1],
  ["meter.power.l1", 40207, "raw.tens.power", -1],
  ["meter.power.l2", 40208, "raw.tens.power", -1],
  ["meter.power.l3", 40209, "raw.tens.power", -1],
];
const METER_ENERGY = [
  ["meter.energyExport", 40226],
  ["meter.energyImport", 40234],
] as const;

function text(address: number, words: number): RegisterField & Provenance {
  return { table: "holding", address, type: "string", words, ...SUNSPEC };
}

function tens(name: string, address: number): PointRow {
  return [`raw.tens.${name}`, address, "int16", "slow", NO_NUMBER];
}

function meterRow([name, address, scaleFrom, scale]: (typeof METER)[number]): PointRow {
  const extras = { ...NO_NUMBER, scaleFrom, ...(scale === undefined ? {} : { scale }) };
  return [`raw.${name}`, address, "int16", name.startsWith("meter.power") ? "fast" : "normal", extras];
}

/** What stands where the first meter's values do is one only where its model stands before them. */
function ofMeter(name: PointName): { readonly point: PointName; readonly value: Formula } {
  return { point: name, value: { when: IS_METER, gives: { of: `raw.${name}` }, otherwise: null } };
}

/** A remote command ends after so long, and the default mode follows. */
const TIMEOUT_S = 120;
const SELF_CONSUMPTION = 7;
const FROM_SUN_AND_GRID = 3;
const MAXIMISE_EXPORT = 4;

/** Remote control, and what follows a command. Both are kept. */
const REMOTE: readonly WriteStep[] = [
  writeStep(57348, 6, "uint16", 4, { isStored: true }),
  writeStep(57354, 6, "uint16", SELF_CONSUMPTION, { isStored: true }),
];
const PERMIT_GRID_CHARGE = writeStep(57349, 6, "uint16", 1, { isStored: true });

function little(type: WriteField["type"], value: Formula): WriteField {
  return { type, wordOrder: "little", value };
}
const command = (value: number): WriteStep => writeStep(57357, 6, "uint16", value);
const chargeLimit = (value: Formula): WriteStep => ({ address: 57358, code: 16, fields: [little("float32", value)] });
const dischargeLimit = (value: Formula): WriteStep => ({
  address: 57360,
  code: 16,
  fields: [little("float32", value)],
});
/** A command of which the limits did not get through, or were left by somebody else, is not what it says. */
const NO_CHARGE = { of: { of: "raw.chargeLimit" }, is: 0 } as const;
const NO_DISCHARGE = { of: { of: "raw.dischargeLimit" }, is: 0 } as const;
/** What the battery is made for lifts a limit; what is no power there is taken for what the owner says. */
const MOST_CHARGE = most("raw.mostCharge", "maxChargeW");
const MOST_DISCHARGE = most("raw.mostDischarge", "maxDischargeW");

function most(key: string, setting: string): Formula {
  return {
    first: [{ when: { of: { of: key }, atLeast: 1 }, gives: { of: key }, otherwise: { setting } }, { setting }],
  };
}

/** StorEdge, HD-Wave and Home Hub inverters with a battery, by SolarEdge's own registers; the first of two batteries. */
export const solaredgeStoredge = defineProfile({
  id: "solaredge-storedge",
  brand: "SolarEdge",
  model: "StorEdge",
  vendors: ["SOLAREDGE", "MODBUS"],
  transports: [{ kind: "tcp", port: 1502, unit: 1 }, rtu(115_200)],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false, maxClients: 1, idleCloseMs: 120_000 },
  notes: [
    "The power of a forced charge or discharge is maxChargeW or maxDischargeW and is not regulated: one source knows that these limits end with the timer.",
    "The inverter serves one client: nothing else may be connected to it by Modbus TCP.",
    "The profile sunspec reads all meters and both batteries; this one also controls the storage.",
    "Registers from 57344 on answer only where a battery, or advanced power control, is set up.",
    "Production is the power of the DC link and what goes from it into the battery.",
    "The export limit of the site (57344 to 57347) is not offered as a limit of the inverter.",
  ],
  identity: { model: text(40020, 16), version: text(40044, 8), serial: text(40052, 16) },
  parts: {
    battery: onceNotZero(["battery.capacity"], singleSource("solaredge-modbus-multi")),
    inverter: "always",
    meter: {
      when: { of: { of: "raw.meterModel" }, is: [201, 202, 203, 204] },
      shown: "when a SunSpec model of a meter (201 to 204) follows those of the inverter",
      ...SUNSPEC,
    },
  },
  points: [
    ...pointRows({ table: "holding", ...SUNSPEC }, [
      ["raw.inverterModel", 40069, "uint16", "slow"],
      ["raw.energy", 40093, "uint32", "slow", { scaleFrom: "raw.tens.energy" }],
      tens("energy", 40095),
      ["raw.dcPower", 40100, "int16", "fast", { ...NO_NUMBER, scaleFrom: "raw.tens.dcPower" }],
      tens("dcPower", 40101),
      ["raw.meterModel", 40188, "uint16", "slow"],
      ...METER.map(meterRow),
      ...METER_ENERGY.map(
        ([name, address]): PointRow => [
          `raw.${name}`,
          address,
          "uint32",
          "slow",
          { scaleFrom: "raw.tens.meterEnergy" },
        ],
      ),
      tens("current", 40194),
      tens("voltage", 40203),
      tens("frequency", 40205),
      tens("power", 40210),
      tens("meterEnergy", 40242),
    ]),
    // SolarEdge's own registers have the least significant word first, those of SunSpec the most significant.
    ...pointRows({ table: "holding", wordOrder: "little", ...WILLCODE_ONLY }, [
      ["battery.capacity", 57666, "float32", "slow", { sentinels: [LOWEST_FLOAT] }],
      ["raw.mostCharge", 57668, "float32", "slow", { sentinels: [LOWEST_FLOAT] }],
      ["raw.mostDischarge", 57670, "float32", "slow", { sentinels: [LOWEST_FLOAT] }],
      ["battery.power", 57716, "float32", "fast", { sentinels: [LOWEST_FLOAT], ...EVCC_OPENWB_WILLCODE }],
      ["battery.energyDischarged", 57718, "uint64", "slow", { sentinels: [-1], ...EVCC_WILLCODE }],
      ["battery.energyCharged", 57722, "uint64", "slow", { sentinels: [-1], ...EVCC_WILLCODE }],
      ["battery.soc", 57732, "float32", "normal", { sentinels: [LOWEST_FLOAT], ...EVCC_OPENWB_WILLCODE }],
      ["raw.status", 57734, "uint32", "fast", { sentinels: [0xffff_ffff] }],
      ["raw.controlMode", 57348, "uint16", "normal", WILLCODE_OPENWB],
      ["battery.reserve", 57352, "float32", "slow", { sentinels: [LOWEST_FLOAT] }],
      ["raw.command", 57357, "uint16", "normal", EVCC_WILLCODE_OPENWB],
      ["raw.chargeLimit", 57358, "float32", "normal", { sentinels: [LOWEST_FLOAT], ...WILLCODE_OPENWB }],
      ["raw.dischargeLimit", 57360, "float32", "normal", { sentinels: [LOWEST_FLOAT], ...EVCC_WILLCODE_OPENWB }],
      ["inverter.powerLimit", 61441, "uint16", "normal"],
    ]),
  ],
  derived: [
    {
      point: "inverter.power",
      value: {
        when: IS_INVERTER,
        gives: { sum: [{ of: "raw.dcPower" }, { first: [BATTERY_POWER, 0] }] },
        otherwise: null,
      },
    },
    { point: "inverter.energy", value: { when: IS_INVERTER, gives: { of: "raw.energy" }, otherwise: null } },
    ...METER.map(([name]) => ofMeter(name)),
    ...METER_ENERGY.map(([name]) => ofMeter(name)),
    {
      point: "battery.status",
      value: {
        first: [
          {
            lookup: { of: "raw.status" },
            values: {
              0: "IDLE",
              1: "IDLE",
              3: "CHARGING",
              4: "DISCHARGING",
              5: "FAULT",
              6: "IDLE",
              7: "IDLE",
              10: "IDLE",
            },
            otherwise: "UNKNOWN",
          },
          statusOfPower(BATTERY_POWER),
        ],
      },
    },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.controlMode" },
        values: {
          1: "SELF_RELIANCE",
          2: "TIME_OF_USE",
          4: {
            lookup: { of: "raw.command" },
            values: {
              [FROM_SUN_AND_GRID]: { when: NO_CHARGE, gives: "UNKNOWN", otherwise: "IMPORT_FOCUS" },
              [MAXIMISE_EXPORT]: { when: NO_DISCHARGE, gives: "UNKNOWN", otherwise: "EXPORT_FOCUS" },
              [SELF_CONSUMPTION]: {
                when: NO_DISCHARGE,
                gives: { when: NO_CHARGE, gives: "IDLE", otherwise: "UNKNOWN" },
                otherwise: { when: NO_CHARGE, gives: "UNKNOWN", otherwise: "SELF_RELIANCE" },
              },
            },
            otherwise: "UNKNOWN",
          },
        },
        otherwise: "UNKNOWN",
      },
    },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          {
            value: "SELF_RELIANCE",
            steps: [...REMOTE, command(SELF_CONSUMPTION), dischargeLimit(MOST_DISCHARGE), chargeLimit(MOST_CHARGE)],
            ...crossChecked("WillCodeForCats, openWB"),
          },
          {
            value: "IDLE",
            steps: [...REMOTE, command(SELF_CONSUMPTION), dischargeLimit(0), chargeLimit(0)],
            ...derivedFrom("the hold of evcc, with the limit of charging too"),
          },
          {
            value: "IMPORT_FOCUS",
            steps: [
              ...REMOTE,
              PERMIT_GRID_CHARGE,
              command(FROM_SUN_AND_GRID),
              dischargeLimit(0),
              chargeLimit({ setting: "maxChargeW" }),
            ],
            ...TIMED,
          },
          {
            value: "EXPORT_FOCUS",
            steps: [...REMOTE, command(MAXIMISE_EXPORT), dischargeLimit({ setting: "maxDischargeW" })],
            ...derivedFrom("the meaning of command 4"),
          },
        ],
      },
      hold: {
        holdMs: TIMEOUT_S * 1_000,
        write: { steps: [{ address: 57355, code: 16, isStored: true, fields: [little("uint32", TIMEOUT_S)] }] },
        isReadBack: true,
        fallback: "goes on with the greatest self-consumption",
        ...TIMED,
      },
      approximate:
        "It takes the storage under remote control and leaves it there; IMPORT_FOCUS permits charging from the grid for good.",
      ...crossChecked("evcc, WillCodeForCats, openWB"),
    },
    {
      point: "inverter.powerLimit",
      range: { min: 0, max: 100 },
      safeDefault: 100,
      // In no flash, unlike what a commit (61696) after it would save with all settings: a limit follows the sun each 10 s.
      write: { steps: [writeStep(61441, 6, "uint16", { wish: true })] },
      ...singleSource("WillCodeForCats"),
    },
  ],
});
