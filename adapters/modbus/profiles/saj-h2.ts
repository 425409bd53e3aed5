import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";
import { rtu } from "../profile/parts/rtu.ts";

const PLATE = singleSource("wimb0/home-assistant-saj-modbus, stanus74/home-assistant-saj-h2-modbus");
const SINGLE = { table: "holding", confidence: "single-source", source: "evcc" } as const;

/** SAJ H2 hybrids, also sold by Ampere. Read only: what its modes mean is not certain. */
export const sajH2 = defineProfile({
  id: "saj-h2",
  brand: "SAJ",
  model: "H2",
  vendors: ["MODBUS"],
  transports: [rtu(115_200), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  parts: {
    battery: onceNotZero(["battery.soc", "battery.energyDischarged"]),
    inverter: "always",
    meter: onceNotZero(["meter.power", "meter.current.l1"]),
  },
  identity: { serial: plateText(0x8f03, 10, PLATE) },
  points: pointRows(SINGLE, [
    ["battery.reserve", 13905, "int16", "slow"],
    ...phaseRows("meter.current", [16434, 7], "int16", "normal", { scale: 0.01 }),
    ["inverter.power", 16549, "int16", "fast"],
    // Discharging is positive.
    ["battery.power", 16550, "int16", "fast", { scale: -1 }],
    ["meter.power", 16557, "int16", "fast"],
    ["inverter.energy", 16581, "uint32", "normal", { scale: 10 }],
    ["battery.energyDischarged", 16597, "uint32", "normal", { scale: 10 }],
    ["battery.soc", 40972, "uint16", "normal", { scale: 0.01 }],
  ]),
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
