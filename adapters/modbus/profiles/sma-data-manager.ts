import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { difference } from "../profile/parts/formulas.ts";
import { plateNumber } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";

const PLATE = singleSource("SMA Modbus interface: the gateway's own registers, unit 1");
const EVCC_NYMEA_OPENWB = crossChecked("evcc, nymea, openWB");
const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENEMS_NYMEA_OPENWB = crossChecked("evcc, OpenEMS, nymea, openWB");
const EVCC_OPENEMS_OPENWB = crossChecked("evcc, OpenEMS, openWB");

const BATTERY_POWER = difference("raw.charge", "raw.discharge");

/** Data Manager M and L, which speak for a plant: its inverters, batteries and the meter at the grid. Read only. */
export const smaDataManager = defineProfile({
  id: "sma-data-manager",
  brand: "SMA",
  model: "Data Manager",
  vendors: ["SMA", "MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 2 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["The energy of the grid meter, and the energy charged, are in no known register."],
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyDischarged"]),
    inverter: onceNotZero(["inverter.power", "inverter.energy"]),
    meter: onceNotZero(["meter.power", "meter.current.l1"]),
  },
  identity: { serial: plateNumber(30005, "uint32", PLATE, { unit: 1 }) },
  points: pointRows({ table: "holding", ...EVCC_ONLY }, [
    ["inverter.power", 30775, "int32", "fast", { sentinels: [0x8000_0000], ...EVCC_OPENEMS_NYMEA_OPENWB }],
    ["inverter.energy", 30513, "uint64", "slow", { sentinels: [-1], ...EVCC_NYMEA_OPENWB }],
    ["battery.soc", 30845, "uint32", "normal", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_NYMEA_OPENWB }],
    ["raw.charge", 31393, "uint32", "fast", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_OPENWB }],
    ["raw.discharge", 31395, "uint32", "fast", { sentinels: [0xffff_ffff], ...EVCC_OPENEMS_OPENWB }],
    ["battery.energyDischarged", 31401, "uint64", "slow", { sentinels: [-1], ...EVCC_OPENEMS_OPENWB }],
    ["meter.power", 31249, "int32", "fast", { scale: -1, sentinels: [0x8000_0000] }],
    ...phaseRows("meter.current", [31535, 2], "int32", "normal", { scale: -0.001, sentinels: [0x8000_0000] }),
  ]),
  derived: [
    { point: "battery.power", value: BATTERY_POWER },
    { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
  ],
  controls: [],
});
