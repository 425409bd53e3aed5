import { defineProfile, type Formula, type ProfileHold, type WriteStep } from "hemgate/sdk";
import { LEAST_A, startCurrent } from "../profile/parts/current-control.ts";
import { pilotState } from "../profile/parts/pilot-state.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { shownSwitch } from "../profile/parts/switch-control.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "evcc, nymea";
const SHARED = { table: "holding", confidence: "cross-checked", source: SOURCE } as const;
const EVCC = { confidence: "single-source", source: "evcc" } as const;
const TEXT = { table: "holding", type: "string", words: 8, confidence: "cross-checked", source: SOURCE } as const;
const HEARTBEAT = 0x55aa;

function current(value: Formula): WriteStep {
  return writeStep(770, 16, "float32", value);
}

function release(value: Formula): WriteStep {
  return writeStep(3_333, 6, "uint16", value);
}

/** Without the token the box takes the energy manager for gone. */
const HOLD: ProfileHold = {
  holdMs: 10_000,
  write: { steps: [writeStep(3_328, 6, "uint16", HEARTBEAT)] },
  confidence: "cross-checked",
  source: SOURCE,
  fallback: "forgets limit and release, and charges as it is set up",
};

/** Wall boxes on RS-485. */
export const mennekesCompact = defineProfile({
  id: "mennekes-compact",
  brand: "MENNEKES",
  model: "AMTRON Compact 2.0, Compact 2.0s, 4You 300",
  vendors: ["MODBUS"],
  transports: [rtu(57_600, { unit: 50, stopBits: 2 })],
  limits: { maxRegisters: 125, minGapMs: 50, isOneValuePerRequest: false },
  notes: ["Switching between one and three phases is not offered."],
  identity: { version: { ...TEXT, address: 1 }, serial: { ...TEXT, address: 19 } },
  points: pointRows(SHARED, [
    ["raw.pilot", 264, "uint16", "fast"],
    ["charger.maxCurrent", 770, "float32", "fast"],
    ...phaseRows("charger.current", [1_280, 2], "float32", "fast", EVCC),
    ...phaseRows("charger.voltage", [1_286, 2], "float32", "normal", EVCC),
    ["charger.power", 1_298, "float32", "fast"],
    ["charger.energySession", 2_818, "float32", "normal", { scale: 1_000 }],
    ["raw.release", 3_333, "uint16", "fast"],
    ["charger.energy", 4_096, "float32", "normal", { scale: 1_000 }],
  ]),
  derived: [
    {
      point: "charger.state",
      value: pilotState(
        { of: "raw.pilot" },
        { 10: "A1", 11: "B1", 12: "C1", 13: "D1", 14: "E", 15: "F", 26: "A2", 27: "B2", 28: "C2", 29: "D2" },
      ),
    },
    shownSwitch("raw.release"),
  ],
  controls: [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: 32 },
      safeDefault: "as-found",
      // A limit needs the release, unless charging was stopped.
      write: {
        steps: [
          current({ wish: true }),
          release({ lookup: { first: [{ lastWrite: "charger.enabled" }, true] }, values: { false: 0 }, otherwise: 1 }),
        ],
      },
      hold: HOLD,
      confidence: "cross-checked",
      source: SOURCE,
    },
    {
      point: "charger.enabled",
      safeDefault: null,
      write: {
        cases: [
          {
            value: true,
            steps: [current(startCurrent("charger.maxCurrent")), release(1)],
          },
          { value: false, steps: [release(0)] },
        ],
      },
      hold: { ...HOLD, shows: true },
      confidence: "cross-checked",
      source: SOURCE,
    },
  ],
});
