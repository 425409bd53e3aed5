import { defineProfile } from "hemgate/sdk";
import { currentControls, shownEnabled, shownLimit } from "../profile/parts/current-control.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SHARED = { table: "holding", confidence: "single-source", source: "OpenEMS" } as const;
const LIMIT = "raw.limit";

/** Controller or extender; this is its first charge point. */
export const ablEm4 = defineProfile({
  id: "abl-em4",
  brand: "ABL",
  model: "eM4",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["Each further charge point has its registers 256 higher, and some controllers answer as unit 255."],
  noSerial: "No register list found; evcc and OpenEMS, which read it, name none",
  points: pointRows(SHARED, [
    ...phaseRows("charger.current", [12_289, 2], "uint32", "fast", {
      scale: 0.01,
      confidence: "conflict",
      source: "OpenEMS: hundredths; evcc: tenths of an ampere",
    }),
    ["charger.power", 12_301, "uint32", "fast"],
    ["charger.energy", 12_303, "uint32", "normal", { scale: 10 }],
    [
      "charger.state",
      12_337,
      "uint16",
      "fast",
      {
        states: {
          values: {
            161: "UNPLUGGED",
            177: "PLUGGED_IN:STOPPED",
            178: "PLUGGED_IN:INITIALIZING",
            194: "PLUGGED_IN:CHARGING",
            195: "PLUGGED_IN:CHARGING",
            196: "PLUGGED_IN:CHARGING",
            ...Object.fromEntries(
              Array.from({ length: 11 }, (_, index) => [0xf1 + index, "PLUGGED_IN:FAULT" as const]),
            ),
          },
          otherwise: "UNKNOWN",
        },
      },
    ],
    [LIMIT, 12_338, "uint16", "fast", { scale: 0.1 }],
  ]),
  derived: [shownLimit(LIMIT), shownEnabled(LIMIT)],
  controls: currentControls({
    key: LIMIT,
    // What it answers to function 6 is malformed.
    step: (value) => writeStep(12_338, 16, "uint16", value, { scale: 0.1 }),
    maxA: 32,
    confidence: "single-source",
    source: "OpenEMS",
    stop: { confidence: "derived", source: "0 A stops, as evcc writes it" },
  }),
});
