import {
  defineProfile,
  type Formula,
  onceNotZero,
  type Provenance,
  type RegisterField,
  type WriteStep,
} from "hemgate/sdk";
import { FORCED_POWER, POWER_IN_FLASH } from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, derivedFrom, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const EVCC_MARCEL_OPENEMS = crossChecked("evcc, marcelblijleven/goodwe, OpenEMS");
const EVCC_MARCEL_OPENWB_OPENEMS = crossChecked("evcc, marcelblijleven/goodwe, openWB, OpenEMS");
const MARCEL_OPENEMS = crossChecked("marcelblijleven/goodwe, OpenEMS");
const MARCEL_OPENWB_EVCC = crossChecked("marcelblijleven/goodwe, openWB, evcc");
const MARCEL_OPENWB_OPENEMS = crossChecked("marcelblijleven/goodwe, openWB, OpenEMS");
const MARCEL_ONLY = singleSource("marcelblijleven/goodwe");

function text(address: number, words: number): RegisterField & Provenance {
  return { table: "holding", address, type: "string", words, ...MARCEL_ONLY };
}

/** Mode, then power: both stay when the gateway goes, so that they are taken for stored. */
function ems(mode: number, power: Formula): readonly WriteStep[] {
  return [
    writeStep(47511, 6, "uint16", mode, { isStored: true }),
    writeStep(47512, 6, "uint16", power, { isStored: true }),
  ];
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
    rtu(9_600, { unit: 247 }),
  ],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    POWER_IN_FLASH,
    "Where an inverter has two batteries their powers are added; state of charge and status are the first one's.",
    "No timer ends what the energy manager's mode (47511) asks for: only SELF_RELIANCE does.",
    "Its export limit (47509, 47510) acts at the meter and is not offered as a limit of the inverter.",
  ],
  identity: { serial: text(35003, 8), model: text(35011, 5), version: text(35021, 6) },
  parts: {
    battery: {
      when: { of: { of: "raw.battery.status" }, atLeast: 1 },
      shown: "when register 35184 names a battery mode other than 0, no battery",
      ...MARCEL_OPENEMS,
    },
    inverter: "always",
    meter: onceNotZero(["meter.voltage.l1", "meter.energyImport", "meter.energyExport", "meter.power"]),
  },
  points: pointRows({ table: "holding", ...EVCC_MARCEL_OPENWB_OPENEMS }, [
    ["raw.pv1", 35105, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.pv2", 35109, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.pv3", 35113, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.pv4", 35117, "uint32", "fast", { sentinels: [0xffff_ffff] }],
    ["raw.battery1", 35182, "int32", "fast", { scale: -1 }],
    ["raw.battery2", 35264, "int32", "fast", { scale: -1, ...MARCEL_OPENWB_EVCC }],
    // 0: there is no battery. 4 and 5 say what it is about to do.
    [
      "battery.status",
      35184,
      "uint16",
      "fast",
      {
        states: {
          values: { 0: null, 1: "IDLE", 2: "DISCHARGING", 3: "CHARGING", 4: "IDLE", 5: "IDLE" },
          otherwise: "UNKNOWN",
        },
        ...MARCEL_OPENEMS,
      },
    ],
    ["inverter.energy", 35191, "uint32", "normal", { scale: 100, sentinels: [0xffff_ffff] }],
    [
      "battery.energyCharged",
      35206,
      "uint32",
      "slow",
      {
        scale: 100,
        sentinels: [0xffff_ffff],
        ...MARCEL_OPENWB_OPENEMS,
      },
    ],
    ["battery.energyDischarged", 35209, "uint32", "slow", { scale: 100, sentinels: [0xffff_ffff] }],
    ["meter.frequency", 36014, "uint16", "normal", { scale: 0.01, ...MARCEL_ONLY }],
    ["meter.energyExport", 36015, "float32", "normal", MARCEL_OPENWB_OPENEMS],
    ["meter.energyImport", 36017, "float32", "normal"],
    ["meter.power.l1", 36019, "int32", "fast", { scale: -1 }],
    ["meter.power.l2", 36021, "int32", "fast", { scale: -1, ...EVCC_MARCEL_OPENEMS }],
    ["meter.power.l3", 36023, "int32", "fast", { scale: -1, ...EVCC_MARCEL_OPENEMS }],
    ["meter.power", 36025, "int32", "fast", { scale: -1 }],
    ...phaseRows("meter.voltage", [36052, 1], "uint16", "normal", { scale: 0.1, ...EVCC_MARCEL_OPENEMS }),
    ...phaseRows("meter.current", [36055, 1], "uint16", "normal", { scale: 0.1, ...EVCC_MARCEL_OPENEMS }),
    ["battery.soc", 37007, "uint16", "normal", { sentinels: [0xffff] }],
    ["raw.depthOfDischarge", 45356, "uint16", "slow", MARCEL_OPENEMS],
    ["raw.emsMode", 47511, "uint16", "normal"],
    ["raw.emsPower", 47512, "uint16", "normal"],
  ]),
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
