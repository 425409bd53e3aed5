import { defineProfile } from "hemgate/sdk";
import { currentControls } from "../profile/parts/current-control.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SHARED = {
  table: "holding",
  confidence: "cross-checked",
  source: "evcc, nymea",
} as const;
const NYMEA = { confidence: "single-source", source: "nymea" } as const;
/** Without a life bit for so long the station takes its energy manager for gone. */
const TIMEOUT_S = 12;

/** Stations with the register set of TQ. */
export const webastoNextTq = defineProfile({
  id: "webasto-next-tq",
  brand: "Webasto",
  model: "Next, Unite; stations of TQ, Vestel and Ampure",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 255 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "The limit cannot be read back: what is shown is what was set here, as long as the station keeps it.",
    "The safe current for the time without an energy manager is set in the station.",
  ],
  noSerial: "Webasto's register list of the NEXT (3.00) has none",
  points: pointRows(SHARED, [
    ["raw.state", 1_000, "uint16", "fast"],
    ["charger.current.l1", 1_008, "uint16", "fast", { scale: 0.001 }],
    ["charger.current.l2", 1_010, "uint16", "fast", { scale: 0.001, ...NYMEA }],
    ["charger.current.l3", 1_012, "uint16", "fast", { scale: 0.001, ...NYMEA }],
    ["charger.power", 1_020, "uint32", "fast"],
    ["charger.energy", 1_036, "uint32", "normal"],
  ]),
  derived: [
    {
      point: "charger.state",
      value: {
        lookup: { of: "raw.state" },
        values: {
          0: "UNPLUGGED",
          1: "PLUGGED_IN:STOPPED",
          3: "PLUGGED_IN:CHARGING",
          4: "PLUGGED_IN:STOPPED",
          7: "PLUGGED_IN:FAULT",
        },
        // 8 is reserved for somebody: whether something is plugged in is not reported.
        otherwise: "UNKNOWN",
      },
    },
    { point: "charger.maxCurrent", value: { lastWrite: "charger.maxCurrent" } },
    // A vehicle that pauses by itself looks the same as a stop: the last command comes first.
    {
      point: "charger.enabled",
      value: {
        first: [
          { lastWrite: "charger.enabled" },
          { lookup: { of: "raw.state" }, values: { 3: true, 4: false }, otherwise: null },
        ],
      },
    },
  ],
  controls: currentControls({
    step: (value) => writeStep(5_004, 6, "uint16", value),
    maxA: 32,
    // Set in the station; its limit cannot be read either.
    safeCurrent: null,
    confidence: "cross-checked",
    source: "evcc, nymea",
    stop: { confidence: "single-source", source: "0 A stops: evcc" },
    hold: () => ({
      holdMs: 1_000 * TIMEOUT_S,
      write: {
        steps: [
          writeStep(2_002, 6, "uint16", TIMEOUT_S, { isStored: true }),
          // The station takes it off again.
          writeStep(6_000, 6, "uint16", 1),
        ],
      },
      confidence: "cross-checked",
      source: "evcc, nymea",
      fallback: "offers the safe current that is set in the station (register 2000)",
    }),
  }),
});
