import { defineProfile } from "hemgate/sdk";
import { statusOfPower } from "../profile-parts.ts";
import { crossChecked, pointsOf, singleSource } from "../profile-points.ts";

const EVCC_WLCRS = crossChecked("evcc, wlcrs/huawei-solar-lib");
const EVCC_WLCRS_OPENWB = crossChecked("evcc, wlcrs/huawei-solar-lib, openWB");
const WLCRS_ONLY = singleSource("wlcrs/huawei-solar-lib");

const point = pointsOf("holding");

/** The energy manager EMMA-A01 and -A02, which speaks for inverters, storage and its own grid meter. */
export const huaweiEmma = defineProfile({
  id: "huawei-emma",
  brand: "Huawei",
  model: "EMMA",
  vendors: ["HUAWEI", "MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 0 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Total discharged energy is at 30314. 30312, which one driver takes for it, counts the day.",
    "The energy that its sensor gave to the grid is in no known register.",
    "Its limit at 40100 and 40109 is one of the feed-in, not of an inverter, and is not offered.",
  ],
  points: [
    point("inverter.power", 30354, "uint32", "fast", EVCC_WLCRS_OPENWB, { sentinels: [0xffff_ffff] }),
    point("inverter.energy", 30348, "uint64", "slow", EVCC_WLCRS_OPENWB, { scale: 10, sentinels: [-1] }),
    point("hem.load", 30356, "uint32", "fast", WLCRS_ONLY, { sentinels: [0xffff_ffff] }),
    point("battery.power", 30360, "int32", "fast", EVCC_WLCRS_OPENWB, { sentinels: [0x7fff_ffff] }),
    point("battery.soc", 30368, "uint16", "normal", EVCC_WLCRS_OPENWB, { scale: 0.01, sentinels: [0xffff] }),
    point("battery.energyCharged", 30308, "uint64", "slow", WLCRS_ONLY, { scale: 10, sentinels: [-1] }),
    point("battery.energyDischarged", 30314, "uint64", "slow", WLCRS_ONLY, { scale: 10, sentinels: [-1] }),
    point("meter.power", 31657, "int32", "fast", EVCC_WLCRS_OPENWB, { sentinels: [0x7fff_ffff] }),
    point("meter.power.l1", 31665, "int32", "fast", EVCC_WLCRS, { sentinels: [0x7fff_ffff] }),
    point("meter.power.l2", 31667, "int32", "fast", EVCC_WLCRS, { sentinels: [0x7fff_ffff] }),
    point("meter.power.l3", 31669, "int32", "fast", EVCC_WLCRS, { sentinels: [0x7fff_ffff] }),
    point("meter.voltage.l1", 31639, "uint32", "normal", EVCC_WLCRS, { scale: 0.01, sentinels: [0xffff_ffff] }),
    point("meter.voltage.l2", 31641, "uint32", "normal", EVCC_WLCRS, { scale: 0.01, sentinels: [0xffff_ffff] }),
    point("meter.voltage.l3", 31643, "uint32", "normal", EVCC_WLCRS, { scale: 0.01, sentinels: [0xffff_ffff] }),
    point("meter.current.l1", 31651, "int32", "normal", EVCC_WLCRS_OPENWB, { scale: 0.1, sentinels: [0x7fff_ffff] }),
    point("meter.current.l2", 31653, "int32", "normal", EVCC_WLCRS, { scale: 0.1, sentinels: [0x7fff_ffff] }),
    point("meter.current.l3", 31655, "int32", "normal", EVCC_WLCRS, { scale: 0.1, sentinels: [0x7fff_ffff] }),
    point("meter.energyImport", 31679, "int64", "slow", EVCC_WLCRS, { scale: 10 }),
  ],
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
