import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";

const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENWB = crossChecked("evcc, openWB");

/** The energy manager iHomeManager, which speaks for inverters, battery and grid meter. Read only. */
export const sungrowIhm = defineProfile({
  id: "sungrow-ihm",
  brand: "Sungrow",
  model: "iHomeManager",
  vendors: ["SUNGROW", "MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 247 }, rtu(9_600, { unit: 247 })],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["Its limit (8027, 8030) is one of the plant's feed-in, not of an inverter, and is not offered."],
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: "always",
    meter: onceNotZero(["meter.voltage.l1", "meter.energyImport", "meter.energyExport"]),
  },
  noSerial: "No source found that names one",
  points: pointRows({ table: "input", wordOrder: "little", ...EVCC_ONLY }, [
    ["inverter.power", 8154, "int32", "fast", { scale: 10, ...EVCC_OPENWB }],
    ["meter.power", 8156, "int32", "fast", { scale: 10, ...EVCC_OPENWB }],
    ["battery.power", 8160, "int32", "fast", { scale: -10, ...EVCC_OPENWB }],
    ["battery.soc", 8162, "uint16", "normal", { scale: 0.1, ...EVCC_OPENWB }],
    ["meter.energyImport", 8175, "uint32", "slow", { scale: 100 }],
    ["meter.energyExport", 8177, "uint32", "slow", { scale: 100 }],
    ["meter.power.l1", 8558, "int32", "fast", EVCC_OPENWB],
    ["meter.power.l2", 8560, "int32", "fast"],
    ["meter.power.l3", 8562, "int32", "fast"],
    ...phaseRows("meter.voltage", [4356, 2], "uint16", "normal", { scale: 0.1 }),
  ]),
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
