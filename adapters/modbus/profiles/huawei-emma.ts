import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";

const PLATE = singleSource("wlcrs/huawei-solar-lib");
const EVCC_WLCRS = crossChecked("evcc, wlcrs/huawei-solar-lib");
const EVCC_WLCRS_OPENWB = crossChecked("evcc, wlcrs/huawei-solar-lib, openWB");
const WLCRS_ONLY = singleSource("wlcrs/huawei-solar-lib");

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
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyCharged", "battery.energyDischarged"]),
    inverter: onceNotZero(["inverter.power", "inverter.energy"]),
    meter: onceNotZero(["meter.voltage.l1", "meter.energyImport"]),
  },
  identity: {
    serial: plateText(30015, 10, PLATE),
    model: plateText(30222, 20, PLATE),
    version: plateText(30050, 15, PLATE),
  },
  points: pointRows({ table: "holding", ...EVCC_WLCRS }, [
    ["inverter.power", 30354, "uint32", "fast", { sentinels: [0xffff_ffff], ...EVCC_WLCRS_OPENWB }],
    ["inverter.energy", 30348, "uint64", "slow", { scale: 10, sentinels: [-1], ...EVCC_WLCRS_OPENWB }],
    ["hem.load", 30356, "uint32", "fast", { sentinels: [0xffff_ffff], ...WLCRS_ONLY }],
    ["battery.power", 30360, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_WLCRS_OPENWB }],
    ["battery.soc", 30368, "uint16", "normal", { scale: 0.01, sentinels: [0xffff], ...EVCC_WLCRS_OPENWB }],
    ["battery.energyCharged", 30308, "uint64", "slow", { scale: 10, sentinels: [-1], ...WLCRS_ONLY }],
    ["battery.energyDischarged", 30314, "uint64", "slow", { scale: 10, sentinels: [-1], ...WLCRS_ONLY }],
    ["meter.power", 31657, "int32", "fast", { sentinels: [0x7fff_ffff], ...EVCC_WLCRS_OPENWB }],
    ...phaseRows("meter.power", [31665, 2], "int32", "fast", { sentinels: [0x7fff_ffff] }),
    ...phaseRows("meter.voltage", [31639, 2], "uint32", "normal", { scale: 0.01, sentinels: [0xffff_ffff] }),
    ["meter.current.l1", 31651, "int32", "normal", { scale: 0.1, sentinels: [0x7fff_ffff], ...EVCC_WLCRS_OPENWB }],
    ["meter.current.l2", 31653, "int32", "normal", { scale: 0.1, sentinels: [0x7fff_ffff] }],
    ["meter.current.l3", 31655, "int32", "normal", { scale: 0.1, sentinels: [0x7fff_ffff] }],
    ["meter.energyImport", 31679, "int64", "slow", { scale: 10 }],
  ]),
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
