import { defineProfile, type ProfileControl } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "GuidoJeuken-6512/lambda_heat_pumps" } as const;
const SHARED = { table: "holding", ...TRUST } as const;

/** The controller may keep setpoints in memory that wears. Function 6 is refused. */
function setpoint(point: "hvac.heatSetpoint" | "hvac.coolSetpoint", address: number): ProfileControl {
  return {
    point,
    range: { min: 15, max: 30 },
    safeDefault: "as-found",
    write: {
      steps: [writeStep(address, 16, "int16", { wish: true }, { scale: 0.1, isStored: true })],
    },
    ...TRUST,
  };
}

/** Air-to-water heat pumps; this is heat pump 1 with heating circuit 1. */
export const lambdaEul = defineProfile({
  id: "lambda-eul",
  brand: "Lambda",
  model: "Eureka-Luft EU-L",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Sold by Zewotherm too. Register = module × 1,000 + number of the module × 100 + value.",
    "It can take a solar surplus as a value (register 102); there is no such command here.",
    "The range of the setpoints is a careful guess: the list names none.",
    "Firmware from 1.1.3 on has the words of its energy counters the other way round; they are not read.",
  ],
  noSerial: "Lambda's Modbus description and GuidoJeuken-6512/lambda_heat_pumps have none",
  points: pointRows(SHARED, [
    [
      "hvac.isActive",
      1_003,
      "uint16",
      "normal",
      {
        // Heating, hot water, cooling. Everything else that is known is a pause, a block or a defrost.
        states: {
          values: {
            ...Object.fromEntries([0, 4, 5, 6, 7, 8, 10, 11, 12, 15, 16, 17, 18].map((state) => [state, false])),
            1: true,
            2: true,
            3: true,
          },
          otherwise: null,
        },
      },
    ],
    ["hvac.power", 1_012, "int16", "fast"],
    ["hvac.temperature", 5_004, "int16", "normal", { scale: 0.1 }],
    [
      "hvac.mode",
      5_006,
      "int16",
      "normal",
      {
        // 1 manual, 5 frost protection, 6 summer and 7 drying a floor have no word in the interface.
        states: { values: { 0: "OFF", 2: "AUTO", 3: "HEAT", 4: "COOL" }, otherwise: "UNKNOWN" },
      },
    ],
    ["hvac.heatSetpoint", 5_051, "int16", "normal", { scale: 0.1 }],
    ["hvac.coolSetpoint", 5_052, "int16", "normal", { scale: 0.1 }],
  ]),
  derived: [],
  controls: [
    {
      point: "hvac.mode",
      safeDefault: "as-found",
      write: {
        cases: (
          [
            ["OFF", 0],
            ["AUTO", 2],
            ["HEAT", 3],
            ["COOL", 4],
          ] as const
        ).map(([value, raw]) => ({
          value,
          steps: [writeStep(5_006, 16, "int16", raw, { isStored: true })],
        })),
      },
      ...TRUST,
    },
    setpoint("hvac.heatSetpoint", 5_051),
    setpoint("hvac.coolSetpoint", 5_052),
  ],
});
