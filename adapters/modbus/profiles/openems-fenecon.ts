import { defineProfile, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { singleSource } from "../profile/parts/provenance.ts";

const PLATE = singleSource("OpenEMS, Modbus table of Meta: the number of the energy management system");
const SINGLE = { confidence: "single-source", source: "evcc; the table follows the installed components" } as const;

/** OpenEMS and FENECON FEMS through their Modbus/TCP API: the sums of the whole system. Read only. */
export const openemsFenecon = defineProfile({
  id: "openems-fenecon",
  brand: "OpenEMS",
  model: "Modbus/TCP API",
  vendors: ["MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The Modbus/TCP API has to be switched on. Its registers depend on the installed components: compare the values.",
    "Set points need the writable API, whose registers differ from house to house, and are not written.",
  ],
  parts: {
    battery: onceNotZero(["battery.soc"]),
    inverter: onceNotZero(["inverter.power", "inverter.energy"]),
    meter: onceNotZero(["meter.power", "meter.energyImport"]),
  },
  identity: {
    serial: plateText(165, 16, PLATE),
    manufacturer: plateText(85, 16, PLATE),
    model: plateText(101, 16, PLATE),
  },
  points: [
    ...pointRows({ table: "input", ...SINGLE }, [
      // A sum that is not defined reads as all ones, a float as NaN.
      ["battery.soc", 302, "uint16", "normal", { sentinels: [0xffff] }],
      ["meter.power", 315, "float32", "fast"],
      ["inverter.power", 327, "float32", "fast"],
      // Discharging is positive.
      ["battery.power", 415, "float32", "fast", { scale: -1 }],
    ]),
    ...pointRows({ table: "holding", ...SINGLE }, [
      ["meter.energyImport", 359, "float64", "normal"],
      ["inverter.energy", 367, "float64", "normal"],
    ]),
  ],
  derived: [{ point: "battery.status", value: statusOfPower({ of: "battery.power" }) }],
  controls: [],
});
