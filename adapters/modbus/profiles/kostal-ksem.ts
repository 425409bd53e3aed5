import { defineProfile, type PointName } from "hemgate/sdk";
import { difference } from "../profile/parts/formulas.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked, singleSource, vendorList } from "../profile/parts/provenance.ts";

const PLATE = vendorList("KOSTAL Smart Energy Meter, Modbus interface description, 8192 to 8243");
const NYMEA_OPENWB = crossChecked("nymea, openWB");
const OPENEMS_NYMEA = crossChecked("OpenEMS, nymea");
const OPENEMS_ONLY = singleSource("OpenEMS");
const OPENEMS_OPENWB = crossChecked("OpenEMS, openWB");
const OPENWB_ONLY = singleSource("openWB");

/** Import and export are counted apart, each 0 while the other runs. */
const POWERS: readonly PointName[] = ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"];

/** The KOSTAL Smart Energy Meter and its twin, the TQ EM420, by their own register list. */
export const kostalKsem = defineProfile({
  id: "kostal-ksem",
  brand: "Kostal",
  model: "Smart Energy Meter",
  vendors: ["MODBUS"],
  isEnergyManager: true,
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["The same meter speaks SunSpec as unit 71."],
  identity: { serial: plateText(8228, 16, PLATE) },
  points: pointRows({ table: "holding", ...OPENEMS_ONLY }, [
    ["raw.import.meter.power", 0, "uint32", "fast", { scale: 0.1, ...OPENEMS_OPENWB }],
    ["raw.export.meter.power", 2, "uint32", "fast", { scale: 0.1 }],
    ["meter.frequency", 26, "uint32", "normal", { scale: 0.001, ...OPENEMS_OPENWB }],
    ["raw.import.meter.power.l1", 40, "uint32", "fast", { scale: 0.1 }],
    ["raw.export.meter.power.l1", 42, "uint32", "fast", { scale: 0.1 }],
    ["meter.current.l1", 60, "uint32", "normal", { scale: 0.001 }],
    ["meter.voltage.l1", 62, "uint32", "normal", { scale: 0.001 }],
    ["raw.import.meter.power.l2", 80, "uint32", "fast", { scale: 0.1 }],
    ["raw.export.meter.power.l2", 82, "uint32", "fast", { scale: 0.1 }],
    ["meter.current.l2", 100, "uint32", "normal", { scale: 0.001, ...OPENEMS_NYMEA }],
    ["meter.voltage.l2", 102, "uint32", "normal", { scale: 0.001 }],
    ["raw.import.meter.power.l3", 120, "uint32", "fast", { scale: 0.1 }],
    ["raw.export.meter.power.l3", 122, "uint32", "fast", { scale: 0.1 }],
    ["meter.current.l3", 140, "uint32", "normal", { scale: 0.001 }],
    ["meter.voltage.l3", 142, "uint32", "normal", { scale: 0.001 }],
    ["meter.energyImport", 512, "uint64", "slow", { scale: 0.1, ...NYMEA_OPENWB }],
    ["meter.energyExport", 516, "uint64", "slow", { scale: 0.1, ...OPENWB_ONLY }],
  ]),
  derived: POWERS.map((name) => ({
    point: name,
    value: difference(`raw.import.${name}`, `raw.export.${name}`),
  })),
  controls: [],
});
