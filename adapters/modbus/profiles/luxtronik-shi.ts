import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const TRUST = { confidence: "single-source", source: "evcc" } as const;
const HARD_LIMIT = 2;

function write(address: number, value: number): WriteStep {
  return writeStep(address, 16, "uint16", value);
}

/** Luxtronik 2.1 from software 3.90.3 on, with the Smart Home Interface switched on in its service menu. */
export const luxtronikShi = defineProfile({
  id: "luxtronik-shi",
  brand: "alpha innotec",
  model: "Luxtronik 2.1 with Smart Home Interface",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false, timeoutMs: 10_000 },
  notes: [
    "Also sold by Novelan, Elco, Roth, Wolf, Buderus and others.",
    "HEAT is shown when somebody raised heating or hot water; it cannot be asked for here.",
    "OFF is the hard power limit of the interface, not a full stop.",
  ],
  noSerial: "No source found that names one",
  points: pointRows({ table: "holding", ...TRUST }, [
    ["raw.heating", 10_000, "uint16", "fast"],
    ["raw.hotWater", 10_005, "uint16", "fast"],
    ["raw.powerLimit", 10_040, "uint16", "fast"],
  ]),
  derived: [
    ...shownSgReady({
      when: { of: { of: "raw.powerLimit" }, is: HARD_LIMIT },
      gives: "OFF",
      otherwise: {
        when: { of: { sum: [{ of: "raw.heating" }, { of: "raw.hotWater" }] }, atLeast: 1 },
        gives: "HEAT",
        otherwise: "AUTO",
      },
    }),
  ],
  controls: sgReadyControls({
    normal: [write(10_040, 0), write(10_000, 0), write(10_005, 0)],
    block: [write(10_000, 0), write(10_005, 0), write(10_040, HARD_LIMIT)],
    ...TRUST,
  }),
});
