import {
  defineProfile,
  type PointName,
  type PollClass,
  type ProfilePoint,
  type Provenance,
  type RegisterField,
  type RegisterType,
} from "hemgate/sdk";

const CROSS_CHECKED: Provenance = {
  confidence: "cross-checked",
  source: "marcelblijleven/goodwe, OpenEMS, openWB",
};
const SINGLE_SOURCE: Provenance = { confidence: "single-source", source: "marcelblijleven/goodwe" };

interface Form {
  readonly type: RegisterType;
  readonly poll: PollClass;
  readonly scale?: number;
  readonly sentinels?: readonly number[];
}

function point(key: ProfilePoint["key"], address: number, form: Form): ProfilePoint {
  return { key, table: "holding", address, ...form, ...CROSS_CHECKED };
}

/** PV inputs that do not exist read as all ones. */
const PV_INPUT: Form = { type: "uint32", poll: "fast", sentinels: [0xffff_ffff] };
const PV_KEYS = ["raw.pv1", "raw.pv2", "raw.pv3", "raw.pv4"] as const;
/** GoodWe's meter counts export as positive. */
const METER_POWER: Form = { type: "int32", poll: "fast", scale: -1 };
const METER_TENTH: Form = { type: "uint16", poll: "normal", scale: 0.1 };
/** Float32 in Wh. */
const METER_ENERGY: Form = { type: "float32", poll: "normal" };

function meter(key: PointName, address: number, form: Form): ProfilePoint {
  return point(key, address, form);
}

function text(address: number, words: number): RegisterField & Provenance {
  return { table: "holding", address, type: "string", words, ...SINGLE_SOURCE };
}

/** Hybrid inverters ET, EH, BH and BT with battery and meter, over the LAN dongle. Read only. */
export const goodweEt = defineProfile({
  id: "goodwe-et",
  brand: "GoodWe",
  model: "ET",
  vendors: ["GOODWE", "MODBUS"],
  transports: [
    { kind: "tcp", port: 502, unit: 247 },
    { kind: "udp", port: 8899, unit: 247 },
    { kind: "rtu", unit: 247, baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 },
  ],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  identity: { serial: text(35003, 8), model: text(35011, 5), version: text(35021, 6) },
  points: [
    point("raw.pv1", 35105, PV_INPUT),
    point("raw.pv2", 35109, PV_INPUT),
    point("raw.pv3", 35113, PV_INPUT),
    point("raw.pv4", 35117, PV_INPUT),
    // GoodWe counts discharging as positive.
    point("battery.power", 35182, { type: "int32", poll: "fast", scale: -1 }),
    {
      ...point("battery.status", 35184, { type: "uint16", poll: "fast" }),
      // 0: there is no battery. 4 and 5 say what it is about to do.
      states: {
        values: { 0: null, 1: "IDLE", 2: "DISCHARGING", 3: "CHARGING", 4: "IDLE", 5: "IDLE" },
        otherwise: "UNKNOWN",
      },
    },
    point("inverter.energy", 35191, { type: "uint32", poll: "normal", scale: 100, sentinels: [0xffff_ffff] }),
    { ...meter("meter.frequency", 36014, { type: "uint16", poll: "normal", scale: 0.01 }), ...SINGLE_SOURCE },
    meter("meter.energyExport", 36015, METER_ENERGY),
    meter("meter.energyImport", 36017, METER_ENERGY),
    meter("meter.power.l1", 36019, METER_POWER),
    meter("meter.power.l2", 36021, METER_POWER),
    meter("meter.power.l3", 36023, METER_POWER),
    meter("meter.power", 36025, METER_POWER),
    meter("meter.voltage.l1", 36052, METER_TENTH),
    meter("meter.voltage.l2", 36053, METER_TENTH),
    meter("meter.voltage.l3", 36054, METER_TENTH),
    meter("meter.current.l1", 36055, METER_TENTH),
    meter("meter.current.l2", 36056, METER_TENTH),
    meter("meter.current.l3", 36057, METER_TENTH),
    point("battery.soc", 37007, { type: "uint16", poll: "normal", sentinels: [0xffff] }),
  ],
  derived: [{ point: "inverter.power", value: { sumKnown: PV_KEYS.map((of) => ({ of })) } }],
  controls: [],
});
