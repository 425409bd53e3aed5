import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "evcc" } as const;

function smartGrid(value: 10 | 11 | 12): readonly [WriteStep] {
  return [writeStep(5_167, 6, "uint16", value)];
}

/** Heat pumps with the WPM Touch or System M and its network module (NWPM). */
export const glenDimplex = defineProfile({
  id: "glen-dimplex",
  brand: "Dimplex",
  model: "WPM Touch, System M with NWPM",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["It can take a solar surplus as a value (register 5182); there is no such command here."],
  noSerial: "No source found that names one",
  points: pointRows({ table: "input", ...TRUST }, [
    ["raw.smartGrid", 5_167, "uint16", "fast", { table: "holding" }],
    ["hvac.power", 5_170, "uint16", "fast", { scale: 10 }],
  ]),
  derived: [
    ...shownSgReady({
      lookup: { of: "raw.smartGrid" },
      // 0 leaves it to the terminals, 13 forces it on.
      values: { 0: "AUTO", 10: "AUTO", 11: "HEAT", 12: "OFF", 13: "HEAT" },
      otherwise: "UNKNOWN",
    }),
  ],
  controls: sgReadyControls({ normal: smartGrid(10), boost: smartGrid(11), block: smartGrid(12), ...TRUST }),
});
