import { defineProfile } from "hemgate/sdk";
import { statusOfPower } from "../profile-parts.ts";
import { crossChecked, pointsOf, singleSource } from "../profile-points.ts";

const EVCC_ONLY = singleSource("evcc");
const EVCC_OPENWB = crossChecked("evcc, openWB");

const point = pointsOf("input", "little");

/** The energy manager iHomeManager, which speaks for inverters, battery and grid meter. Read only. */
export const sungrowIhm = defineProfile({
  id: "sungrow-ihm",
  brand: "Sungrow",
  model: "iHomeManager",
  vendors: ["SUNGROW", "MODBUS"],
  isEnergyManager: true,
  transports: [
    { kind: "tcp", port: 502, unit: 247 },
    { kind: "rtu", unit: 247, baudRate: 9_600, parity: "none", dataBits: 8, stopBits: 1 },
  ],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["Its limit (8027, 8030) is one of the plant's feed-in, not of an inverter, and is not offered."],
  points: [
    point("inverter.power", 8154, "int32", "fast", EVCC_OPENWB, { scale: 10 }),
    point("meter.power", 8156, "int32", "fast", EVCC_OPENWB, { scale: 10 }),
    point("battery.power", 8160, "int32", "fast", EVCC_OPENWB, { scale: -10 }),
    point("battery.soc", 8162, "uint16", "normal", EVCC_OPENWB, { scale: 0.1 }),
    point("meter.energyImport", 8175, "uint32", "slow", EVCC_ONLY, { scale: 100 }),
    point("meter.energyExport", 8177, "uint32", "slow", EVCC_ONLY, { scale: 100 }),
    point("meter.power.l1", 8558, "int32", "fast", EVCC_OPENWB),
    point("meter.power.l2", 8560, "int32", "fast", EVCC_ONLY),
    point("meter.power.l3", 8562, "int32", "fast", EVCC_ONLY),
    point("meter.voltage.l1", 4356, "uint16", "normal", EVCC_ONLY, { scale: 0.1 }),
    point("meter.voltage.l2", 4358, "uint16", "normal", EVCC_ONLY, { scale: 0.1 }),
    point("meter.voltage.l3", 4360, "uint16", "normal", EVCC_ONLY, { scale: 0.1 }),
  ],
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
