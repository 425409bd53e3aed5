import {
  type Condition,
  defineProfile,
  eitherOf,
  type Formula,
  onceNotZero,
  type PointName,
  type PollClass,
  type Provenance,
  type WriteStep,
} from "hemgate/sdk";
import {
  CHARGE_W,
  DISCHARGE_W,
  FORCED_POWER,
  MODE_AS_WRITTEN,
  powerSetpoint,
  SETPOINT_AS_WRITTEN,
  statusOfPower,
} from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { type PointRow, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = crossChecked("KOSTAL interface description MODBUS (TCP) & SunSpec; nymea");
const EVCC_ONLY = singleSource("evcc");
const NYMEA_ONLY = singleSource("nymea");
const NYMEA_OPENWB = crossChecked("nymea, openWB");
const OPENEMS_NYMEA = crossChecked("OpenEMS, nymea");
const OPENEMS_NYMEA_OPENWB = crossChecked("OpenEMS, nymea, openWB");
const OPENEMS_OPENWB = crossChecked("OpenEMS, openWB");
const BATTERY_TYPE = crossChecked("Kostal's interface description, OpenEMS");
const CONTROL = crossChecked("evcc, openWB, OpenEMS");

/** Register 5 says which word of a 32-bit value comes first: 1 the upper, as in SunSpec; 0, as it leaves the factory, the lower. */
const ORDER: Formula = { of: "raw.byteOrder" };
const IS_BIG: Condition = { of: ORDER, is: 1 };

/** Values of two registers, read in both word orders; which of them is right is known with register 5. */
const FLOATS: readonly (readonly [name: string, address: number, poll: PollClass, trust: Provenance])[] = [
  ["pvPower", 1066, "fast", OPENEMS_OPENWB],
  ["yield", 320, "slow", NYMEA_OPENWB],
  ["capacity", 1068, "slow", EVCC_ONLY],
  ["reserve", 1042, "slow", EVCC_ONLY],
  ["homeBattery", 106, "fast", NYMEA_OPENWB],
  ["homeGrid", 108, "fast", NYMEA_ONLY],
  ["homePv", 116, "fast", NYMEA_ONLY],
  ["meter.power", 252, "fast", OPENEMS_NYMEA_OPENWB],
  ["meter.current.l1", 222, "normal", OPENEMS_NYMEA],
  ["meter.power.l1", 224, "fast", OPENEMS_NYMEA],
  ["meter.voltage.l1", 230, "normal", OPENEMS_NYMEA],
  ["meter.current.l2", 232, "normal", OPENEMS_NYMEA],
  ["meter.power.l2", 234, "fast", OPENEMS_NYMEA],
  ["meter.voltage.l2", 240, "normal", OPENEMS_NYMEA],
  ["meter.current.l3", 242, "normal", OPENEMS_NYMEA],
  ["meter.power.l3", 244, "fast", OPENEMS_NYMEA],
  ["meter.voltage.l3", 250, "normal", OPENEMS_NYMEA],
];

function bothOrders([name, address, poll, trust]: (typeof FLOATS)[number]): readonly PointRow[] {
  return [
    [`raw.big.${name}`, address, "float32", poll, trust],
    [`raw.little.${name}`, address, "float32", poll, { wordOrder: "little", ...trust }],
  ];
}

/** An inverter that does not tell its word order is left at the one of the factory. */
function float(name: string): Formula {
  const isKnownBig: Condition = { all: [{ of: ORDER, isKnown: true }, IS_BIG] };
  return { when: isKnownBig, gives: { of: `raw.big.${name}` }, otherwise: { of: `raw.little.${name}` } };
}

const METER_POINTS: readonly PointName[] = [
  "meter.power",
  ...(["l1", "l2", "l3"] as const).flatMap((phase): PointName[] => [
    `meter.power.${phase}`,
    `meter.voltage.${phase}`,
    `meter.current.${phase}`,
  ]),
];

/** The inverter goes back to its own control when the set point is not renewed for so long; the web page can change it. */
const FALLBACK_S = 30;

/** The set point of the battery, positive out of it. Without a known word order nothing is written. */
function setPoint(value: Formula): readonly WriteStep[] {
  const known: Formula = { when: { of: ORDER, isKnown: true }, gives: value, otherwise: null };
  return [
    writeStep(1034, 16, "float32", known, { when: IS_BIG }),
    writeStep(1034, 16, "float32", known, {
      wordOrder: "little",
      when: { any: [{ of: ORDER, isKnown: false }, { not: IS_BIG }] },
    }),
  ];
}

function charge(watts: Formula): readonly WriteStep[] {
  return setPoint({ minus: [0, watts] });
}

/** PLENTICORE plus, G2 and BI with battery and KOSTAL meter. */
export const kostalPlenticore = defineProfile({
  id: "kostal-plenticore",
  brand: "Kostal",
  model: "PLENTICORE",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 1502, unit: 71 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Modbus has to be switched on at the inverter's web page, and external battery control by Modbus by the installer.",
    "Production is the DC power of the modules: the powers at the AC terminals and of all DC inputs (172, 100) include the battery.",
    "The time after which set points end is 30 s unless it was changed at the web page; set points are renewed every 15 s.",
  ],
  parts: {
    battery: eitherOf(
      {
        when: { of: { of: "raw.batteryType" }, atLeast: 1 },
        shown: "when register 588 names a battery type other than 0, none",
        ...BATTERY_TYPE,
      },
      onceNotZero(["battery.soc"]),
    ),
    inverter: "always",
    meter: onceNotZero(
      ["l1", "l2", "l3"].flatMap((phase) => [`raw.big.meter.voltage.${phase}`, `raw.little.meter.voltage.${phase}`]),
    ),
  },
  identity: { serial: plateText(14, 8, PLATE), model: plateText(768, 32, PLATE), version: plateText(38, 8, PLATE) },
  points: pointRows({ table: "holding", ...NYMEA_OPENWB }, [
    ["raw.byteOrder", 5, "uint16", "slow"],
    ["raw.batteryType", 588, "uint16", "slow", { sentinels: [0xffff], ...BATTERY_TYPE }],
    ["battery.soc", 514, "uint16", "normal"],
    ["battery.power", 582, "int16", "fast", { scale: -1, ...OPENEMS_NYMEA_OPENWB }],
    ...FLOATS.flatMap(bothOrders),
  ]),
  derived: [
    { point: "inverter.power", value: float("pvPower") },
    { point: "inverter.energy", value: float("yield") },
    { point: "battery.status", value: statusOfPower({ of: "battery.power" }) },
    { point: "battery.capacity", value: float("capacity") },
    { point: "battery.reserve", value: float("reserve") },
    // What the house takes from the battery, the grid and the sun.
    { point: "hem.load", value: { sum: [float("homeBattery"), float("homeGrid"), float("homePv")] } },
    ...METER_POINTS.map((name) => ({ point: name, value: float(name) })),
    { point: "battery.mode", value: MODE_AS_WRITTEN },
    { point: "battery.powerSetpoint", value: SETPOINT_AS_WRITTEN },
  ],
  settings: FORCED_POWER,
  controls: [
    {
      point: "battery.mode",
      safeDefault: "SELF_RELIANCE",
      write: {
        cases: [
          { value: "SELF_RELIANCE", steps: setPoint(0) },
          { value: "IDLE", steps: setPoint(0) },
          { value: "IMPORT_FOCUS", steps: charge(CHARGE_W) },
          { value: "EXPORT_FOCUS", steps: setPoint(DISCHARGE_W) },
        ],
      },
      hold: { holdMs: FALLBACK_S * 1_000, fallback: "goes back to its own control", ...CONTROL },
      approximate: "After SELF_RELIANCE the battery rests until the time for set points, 30 s, is over.",
      ...CONTROL,
    },
    powerSetpoint({ charge, discharge: setPoint }, CONTROL),
  ],
});
