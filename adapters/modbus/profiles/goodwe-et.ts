import { defineProfile, type Formula, type Provenance, type RegisterField, type WriteStep } from "hemgate/sdk";
import { sumOf } from "../profile-parts.ts";
import {
  crossChecked,
  derivedFrom,
  FORCED_POWER,
  pointsOf,
  register,
  singleSource,
  stored,
} from "../profile-points.ts";

const EVCC_MARCEL_OPENEMS = crossChecked("evcc, marcelblijleven/goodwe, OpenEMS");
const EVCC_MARCEL_OPENWB_OPENEMS = crossChecked("evcc, marcelblijleven/goodwe, openWB, OpenEMS");
const MARCEL_OPENEMS = crossChecked("marcelblijleven/goodwe, OpenEMS");
const MARCEL_OPENWB_EVCC = crossChecked("marcelblijleven/goodwe, openWB, evcc");
const MARCEL_OPENWB_OPENEMS = crossChecked("marcelblijleven/goodwe, openWB, OpenEMS");
const MARCEL_ONLY = singleSource("marcelblijleven/goodwe");

const point = pointsOf("holding");

function text(address: number, words: number): RegisterField & Provenance {
  return { table: "holding", address, type: "string", words, ...MARCEL_ONLY };
}

/** Mode, then power: both stay when the gateway goes, so that they are taken for stored. */
function ems(mode: number, power: Formula): readonly WriteStep[] {
  return [stored(register(47511, mode)), stored(register(47512, power))];
}

/** Hybrid inverters ET, EH, BH and BT with battery and meter, over the LAN dongle or the Wi-Fi kit's UDP. */
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
  notes: [
    "Where an inverter has two batteries their powers are added; state of charge and status are the first one's.",
    "No timer ends what the energy manager's mode (47511) asks for: only SELF_RELIANCE does.",
    "Its export limit (47509, 47510) acts at the meter and is not offered as a limit of the inverter.",
  ],
  identity: { serial: text(35003, 8), model: text(35011, 5), version: text(35021, 6) },
  points: [
    point("raw.pv1", 35105, "uint32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { sentinels: [0xffff_ffff] }),
    point("raw.pv2", 35109, "uint32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { sentinels: [0xffff_ffff] }),
    point("raw.pv3", 35113, "uint32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { sentinels: [0xffff_ffff] }),
    point("raw.pv4", 35117, "uint32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { sentinels: [0xffff_ffff] }),
    point("raw.battery1", 35182, "int32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { scale: -1 }),
    point("raw.battery2", 35264, "int32", "fast", MARCEL_OPENWB_EVCC, { scale: -1 }),
    // 0: there is no battery. 4 and 5 say what it is about to do.
    point("battery.status", 35184, "uint16", "fast", MARCEL_OPENEMS, {
      states: {
        values: { 0: null, 1: "IDLE", 2: "DISCHARGING", 3: "CHARGING", 4: "IDLE", 5: "IDLE" },
        otherwise: "UNKNOWN",
      },
    }),
    point("inverter.energy", 35191, "uint32", "normal", EVCC_MARCEL_OPENWB_OPENEMS, {
      scale: 100,
      sentinels: [0xffff_ffff],
    }),
    point("battery.energyCharged", 35206, "uint32", "slow", MARCEL_OPENWB_OPENEMS, {
      scale: 100,
      sentinels: [0xffff_ffff],
    }),
    point("battery.energyDischarged", 35209, "uint32", "slow", EVCC_MARCEL_OPENWB_OPENEMS, {
      scale: 100,
      sentinels: [0xffff_ffff],
    }),
    point("meter.frequency", 36014, "uint16", "normal", MARCEL_ONLY, { scale: 0.01 }),
    point("meter.energyExport", 36015, "float32", "normal", MARCEL_OPENWB_OPENEMS),
    point("meter.energyImport", 36017, "float32", "normal", EVCC_MARCEL_OPENWB_OPENEMS),
    point("meter.power.l1", 36019, "int32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { scale: -1 }),
    point("meter.power.l2", 36021, "int32", "fast", EVCC_MARCEL_OPENEMS, { scale: -1 }),
    point("meter.power.l3", 36023, "int32", "fast", EVCC_MARCEL_OPENEMS, { scale: -1 }),
    point("meter.power", 36025, "int32", "fast", EVCC_MARCEL_OPENWB_OPENEMS, { scale: -1 }),
    point("meter.voltage.l1", 36052, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("meter.voltage.l2", 36053, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("meter.voltage.l3", 36054, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("meter.current.l1", 36055, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("meter.current.l2", 36056, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("meter.current.l3", 36057, "uint16", "normal", EVCC_MARCEL_OPENEMS, { scale: 0.1 }),
    point("battery.soc", 37007, "uint16", "normal", EVCC_MARCEL_OPENWB_OPENEMS, { sentinels: [0xffff] }),
    point("raw.depthOfDischarge", 45356, "uint16", "slow", MARCEL_OPENEMS),
    point("raw.emsMode", 47511, "uint16", "normal", EVCC_MARCEL_OPENWB_OPENEMS),
    point("raw.emsPower", 47512, "uint16", "normal", EVCC_MARCEL_OPENWB_OPENEMS),
  ],
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2", "raw.pv3", "raw.pv4"]) },
    { point: "battery.power", value: sumOf(["raw.battery1", "raw.battery2"]) },
    // What stays in the battery while there is a grid.
    { point: "battery.reserve", value: { minus: [100, { of: "raw.depthOfDischarge" }] } },
    {
      point: "battery.mode",
      value: {
        lookup: { of: "raw.emsMode" },
        values: {
          1: "SELF_RELIANCE",
          // Without power from the grid this is a hold: the sun charges, nothing discharges.
          2: { when: { of: { of: "raw.emsPower" }, atLeast: 1 }, gives: "IMPORT_FOCUS", otherwise: "UNKNOWN" },
          3: "EXPORT_FOCUS",
          4: "IMPORT_FOCUS",
          5: "EXPORT_FOCUS",
          8: "IDLE",
          9: "IMPORT_FOCUS",
          10: "EXPORT_FOCUS",
          11: "IMPORT_FOCUS",
          12: "EXPORT_FOCUS",
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
          { value: "SELF_RELIANCE", steps: ems(1, 0) },
          { value: "IDLE", steps: ems(8, 0), ...derivedFrom("the meaning of mode 8") },
          { value: "IMPORT_FOCUS", steps: ems(2, { setting: "maxChargeW" }) },
          { value: "EXPORT_FOCUS", steps: ems(3, { setting: "maxDischargeW" }) },
        ],
      },
      ...EVCC_MARCEL_OPENWB_OPENEMS,
    },
  ],
});
