import { defineProfile, type Formula, onceNotZero, type WriteStep } from "hemgate/sdk";
import {
  CHARGE_W,
  DISCHARGE_W,
  FORCED_POWER,
  MODE_AS_WRITTEN,
  powerSetpoint,
  SETPOINT_AS_WRITTEN,
  statusOfPower,
} from "../profile/parts/battery.ts";
import { sumOf } from "../profile/parts/formulas.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("SolaX Hybrid G3/G4 Modbus protocol; wills106/solax-modbus");
const EVCC_WILLS106 = crossChecked("evcc, wills106/solax-modbus");
const EVCC_WILLS106_NYMEA = crossChecked("evcc, wills106/solax-modbus, nymea");
const EVCC_WILLS106_OPENWB_NYMEA = crossChecked("evcc, wills106/solax-modbus, openWB, nymea");
const WILLS106_NYMEA = crossChecked("wills106/solax-modbus, nymea");
const WILLS106_ONLY = singleSource("wills106/solax-modbus");
const WILLS106_OPENWB = crossChecked("wills106/solax-modbus, openWB");
const WILLS106_OPENWB_NYMEA = crossChecked("wills106/solax-modbus, openWB, nymea");
const CONTROL = crossChecked("wills106/solax-modbus, nymea; openWB drives the battery so");

/** How long the inverter follows a remote command that is not renewed. */
const TIMEOUT_S = 60;

/** The block of remote control, 15 registers in memory that does not wear. Push power: positive out of the battery. */
function remote(mode: 0 | 4, pushPower: Formula): WriteStep {
  const isSet = 1;
  return {
    address: 124,
    code: 16,
    fields: [
      { type: "uint16", value: mode },
      { type: "uint16", value: isSet },
      // Active and reactive power belong to other modes.
      { type: "int32", wordOrder: "little", value: 0 },
      { type: "int32", wordOrder: "little", value: 0 },
      { type: "uint16", value: TIMEOUT_S },
      // So do the state of charge, energy and battery power to reach.
      { type: "uint16", value: 0 },
      { type: "uint32", wordOrder: "little", value: 0 },
      { type: "int32", wordOrder: "little", value: 0 },
      { type: "uint16", value: TIMEOUT_S },
      { type: "int32", wordOrder: "little", value: pushPower },
    ],
  };
}

/** X1 and X3 hybrid inverters of the generations G3 and G4, with battery and meter; also Qcells Q.HOME ESS HYB-G3. */
export const solaxG3g4 = defineProfile({
  id: "solax-g3g4",
  brand: "SolaX",
  model: "X Hybrid",
  vendors: ["SOLAX", "MODBUS"],
  transports: [rtu(19_200), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Control needs a G4: the remote control of a G3 lacks the mode that sets the battery's power.",
    "The use mode (31) and its manual mode (32) are not touched: some firmware keeps them in flash, and reading 31 shows another register.",
    "The export limit (66) acts at the meter and is not offered as a limit of the inverter.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.energyImport", "meter.energyExport"]),
  },
  identity: { serial: plateText(0, 7, PLATE) },
  points: pointRows({ table: "input", wordOrder: "little", ...EVCC_WILLS106 }, [
    ["raw.runMode", 9, "uint16", "fast", WILLS106_NYMEA],
    ["raw.pv1", 10, "uint16", "fast", EVCC_WILLS106_OPENWB_NYMEA],
    ["raw.pv2", 11, "uint16", "fast", EVCC_WILLS106_NYMEA],
    // Models with three inputs; others refuse it.
    ["raw.pv3", 292, "uint16", "fast", WILLS106_ONLY],
    ["inverter.energy", 148, "uint32", "slow", { scale: 100 }],
    ["battery.power", 22, "int16", "fast", EVCC_WILLS106_OPENWB_NYMEA],
    ["battery.soc", 28, "uint16", "normal", EVCC_WILLS106_OPENWB_NYMEA],
    ["battery.energyDischarged", 29, "uint32", "slow", { scale: 100, ...EVCC_WILLS106_NYMEA }],
    ["battery.energyCharged", 33, "uint32", "slow", { scale: 100, ...WILLS106_NYMEA }],
    ["meter.power", 70, "int32", "fast", { scale: -1, ...EVCC_WILLS106_OPENWB_NYMEA }],
    ["meter.energyExport", 72, "uint32", "slow", { scale: 10, ...WILLS106_OPENWB_NYMEA }],
    ["meter.energyImport", 74, "uint32", "slow", { scale: 10, ...EVCC_WILLS106_NYMEA }],
    ["meter.power.l1", 130, "int32", "fast", { scale: -1, ...WILLS106_OPENWB }],
    ["meter.power.l2", 132, "int32", "fast", { scale: -1, ...WILLS106_ONLY }],
    ["meter.power.l3", 134, "int32", "fast", { scale: -1, ...WILLS106_ONLY }],
    ...phaseRows("meter.voltage", [202, 1], "uint16", "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [206, 1], "int16", "normal", { scale: 0.1 }),
  ]),
  derived: [
    { point: "inverter.power", value: sumOf(["raw.pv1", "raw.pv2", "raw.pv3"]) },
    {
      point: "battery.status",
      value: {
        lookup: { of: "raw.runMode" },
        values: { 3: "FAULT", 4: "FAULT" },
        otherwise: statusOfPower({ of: "battery.power" }),
      },
    },
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
          { value: "SELF_RELIANCE", steps: [remote(0, 0)] },
          { value: "IDLE", steps: [remote(4, 0)] },
          { value: "IMPORT_FOCUS", steps: [remote(4, { minus: [0, CHARGE_W] })] },
          { value: "EXPORT_FOCUS", steps: [remote(4, DISCHARGE_W)] },
        ],
      },
      hold: { holdMs: TIMEOUT_S * 1_000, fallback: "goes on in the use mode that is set at the inverter", ...CONTROL },
      approximate: "SELF_RELIANCE ends remote control: the inverter goes on in the use mode that its owner set.",
      ...CONTROL,
    },
    powerSetpoint(
      { charge: (watts) => [remote(4, { minus: [0, watts] })], discharge: (watts) => [remote(4, watts)] },
      CONTROL,
    ),
  ],
});
