import { defineProfile } from "hemgate/sdk";
import { statusOfPower } from "../profile-parts.ts";
import { crossChecked, difference, pointsOf, singleSource } from "../profile-points.ts";

const EVCC_NYMEA_OPENWB = crossChecked("evcc, nymea, openWB");
const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENEMS_NYMEA_OPENWB = crossChecked("evcc, OpenEMS, nymea, openWB");
const EVCC_OPENEMS_OPENWB = crossChecked("evcc, OpenEMS, openWB");

const point = pointsOf("holding");

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
  points: [
    point("inverter.power", 30775, "int32", "fast", EVCC_OPENEMS_NYMEA_OPENWB, { sentinels: [0x8000_0000] }),
    point("inverter.energy", 30513, "uint64", "slow", EVCC_NYMEA_OPENWB, { sentinels: [-1] }),
    point("battery.soc", 30845, "uint32", "normal", EVCC_OPENEMS_NYMEA_OPENWB, { sentinels: [0xffff_ffff] }),
    point("raw.charge", 31393, "uint32", "fast", EVCC_OPENEMS_OPENWB, { sentinels: [0xffff_ffff] }),
    point("raw.discharge", 31395, "uint32", "fast", EVCC_OPENEMS_OPENWB, { sentinels: [0xffff_ffff] }),
    point("battery.energyDischarged", 31401, "uint64", "slow", EVCC_OPENEMS_OPENWB, { sentinels: [-1] }),
    point("meter.power", 31249, "int32", "fast", EVCC_ONLY, { scale: -1, sentinels: [0x8000_0000] }),
    point("meter.current.l1", 31535, "int32", "normal", EVCC_ONLY, { scale: -0.001, sentinels: [0x8000_0000] }),
    point("meter.current.l2", 31537, "int32", "normal", EVCC_ONLY, { scale: -0.001, sentinels: [0x8000_0000] }),
    point("meter.current.l3", 31539, "int32", "normal", EVCC_ONLY, { scale: -0.001, sentinels: [0x8000_0000] }),
  ],
  derived: [
    { point: "battery.power", value: BATTERY_POWER },
    { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
  ],
  controls: [],
});
