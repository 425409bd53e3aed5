import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "evcc" } as const;

function smartGrid(value: 0 | 1 | 2): readonly [WriteStep] {
  return [writeStep(55, 6, "int16", value)];
}

/** Altherma heat pumps behind a HomeHub that is set to mode 3, Modbus TCP. */
export const daikinHomehub = defineProfile({
  id: "daikin-homehub",
  brand: "Daikin",
  model: "HomeHub EKRHH",
  vendors: ["DAIKIN", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Register 49 is the room or the leaving water, depending on the system: it is not read.",
    "It can take a solar surplus as a value (register 56); there is no such command here.",
  ],
  noSerial: "No source found that names one",
  points: pointRows({ table: "input", ...TRUST }, [
    ["hvac.power", 50, "int16", "fast", { scale: 10 }],
    ["raw.smartGrid", 55, "int16", "fast", { table: "holding" }],
  ]),
  derived: [
    ...shownSgReady({
      lookup: { of: "raw.smartGrid" },
      // 2 recommends to be on, 3 forces it.
      values: { 0: "AUTO", 1: "OFF", 2: "HEAT", 3: "HEAT" },
      otherwise: "UNKNOWN",
    }),
  ],
  controls: sgReadyControls({ normal: smartGrid(0), boost: smartGrid(2), block: smartGrid(1), ...TRUST }),
});
