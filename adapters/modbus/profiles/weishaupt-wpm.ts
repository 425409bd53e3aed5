import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "evcc" } as const;

/** The maker names 100,000 writes for the life of the controller. */
function input(address: 45_101 | 45_102, value: 0 | 1): WriteStep {
  return writeStep(address, 6, "uint16", value, { isStored: true });
}

/** Heat pumps with the WPM controller. */
export const weishauptWpm = defineProfile({
  id: "weishaupt-wpm",
  brand: "Weishaupt",
  model: "WBB, WSB Biblock with WPM",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The controller bears about 100,000 writes in its life; an input is written only when it is to change.",
    "It does not report power and the room's temperature.",
  ],
  noSerial: "No source found that names one",
  points: pointRows({ table: "input", ...TRUST }, [
    ["raw.input1", 35_101, "uint16", "fast"],
    ["raw.input2", 35_102, "uint16", "fast"],
  ]),
  derived: [
    ...shownSgReady({
      lookup: { sum: [{ of: "raw.input1" }, { times: [2, { of: "raw.input2" }] }] },
      values: { 0: "AUTO", 1: "HEAT", 2: "OFF", 3: "HEAT" },
      otherwise: "UNKNOWN",
    }),
  ],
  // In such an order that what is between two writes is normal, never forced.
  controls: sgReadyControls({
    normal: [input(45_101, 0), input(45_102, 0)],
    boost: [input(45_102, 0), input(45_101, 1)],
    block: [input(45_101, 0), input(45_102, 1)],
    ...TRUST,
  }),
});
