import { defineProfile, type Formula, onceNotZero } from "hemgate/sdk";
import { statusOfPower } from "../profile/parts/battery.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";

const VENDOR = { table: "holding", confidence: "vendor-list", source: "victronenergy/dbus_modbustcp" } as const;

const FAULT = 2;
/** V × A, positive into the battery. */
const POWER: Formula = { times: [{ of: "raw.dcVoltage" }, { of: "raw.dcCurrent" }] };

/** Counters of both AC inputs; what goes in serves the outputs or the inverter, what goes out comes from either. */
const IMPORTED = ["raw.in1ToOut", "raw.in1ToInverter", "raw.in2ToOut", "raw.in2ToInverter"] as const;
const EXPORTED = ["raw.outToIn1", "raw.outToIn2", "raw.inverterToIn1", "raw.inverterToIn2"] as const;

/**
 * A MultiPlus or Quattro behind a Victron GX: its battery side, and its AC input as a meter. It produces no solar
 * power, so that it is no inverter here. Read only: the set points of external control (37 to 41) are the GX's own.
 */
export const victronVebus = defineProfile({
  id: "victron-vebus",
  brand: "Victron",
  model: "MultiPlus/Quattro",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 228 }],
  limits: { maxRegisters: 100, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The unit id is under Settings, Services, Modbus TCP: usually 228, 227 or 246.",
    "The meter is the AC input. It is the grid's only where nothing is connected beside the inverter; else use victron-gx or victron-grid.",
    "What the device does not have reads 0, because the GX has no value that says so.",
  ],
  parts: {
    battery: "always",
    meter: onceNotZero(["meter.voltage.l1", "meter.voltage.l2", "meter.voltage.l3"]),
  },
  noSerial: "victronenergy/dbus_modbustcp has none for VE.Bus devices; the GX tells its own at unit 100",
  points: pointRows(VENDOR, [
    ...phaseRows("meter.voltage", [3, 1], "uint16", "normal", { scale: 0.1 }),
    ...phaseRows("meter.current", [6, 1], "int16", "normal", { scale: 0.1 }),
    ["meter.frequency", 9, "int16", "normal", { scale: 0.01 }],
    ...phaseRows("meter.power", [12, 1], "int16", "fast", { scale: 10 }),
    ["raw.dcVoltage", 26, "uint16", "fast", { scale: 0.01 }],
    ["raw.dcCurrent", 27, "int16", "fast", { scale: 0.1 }],
    ["battery.soc", 30, "uint16", "normal", { scale: 0.1 }],
    ["raw.state", 31, "uint16", "fast"],
    ["raw.in1ToOut", 74, "uint32", "normal", { scale: 10 }],
    ["raw.in1ToInverter", 76, "uint32", "normal", { scale: 10 }],
    ["raw.in2ToOut", 78, "uint32", "normal", { scale: 10 }],
    ["raw.in2ToInverter", 80, "uint32", "normal", { scale: 10 }],
    ["raw.outToIn1", 82, "uint32", "normal", { scale: 10 }],
    ["raw.outToIn2", 84, "uint32", "normal", { scale: 10 }],
    ["raw.inverterToIn1", 86, "uint32", "normal", { scale: 10 }],
    ["raw.inverterToIn2", 88, "uint32", "normal", { scale: 10 }],
  ]),
  derived: [
    {
      point: "meter.power",
      value: { sum: [{ of: "meter.power.l1" }, { of: "meter.power.l2" }, { of: "meter.power.l3" }] },
    },
    { point: "meter.energyImport", value: { sum: IMPORTED.map((of) => ({ of })) } },
    { point: "meter.energyExport", value: { sum: EXPORTED.map((of) => ({ of })) } },
    { point: "battery.power", value: POWER },
    {
      point: "battery.status",
      value: { when: { of: { of: "raw.state" }, is: FAULT }, gives: "FAULT", otherwise: statusOfPower(POWER) },
    },
  ],
  controls: [],
});
