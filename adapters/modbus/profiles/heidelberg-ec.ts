import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import { currentControls, shownEnabled, shownLimit } from "../profile/parts/current-control.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { rtu } from "../profile/parts/rtu.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "Heidelberg EC Modbus register table 2021-02-22; evcc, OpenEMS, nymea";
const SHARED = { table: "input", confidence: "cross-checked", source: SOURCE } as const;
const LIMIT = "raw.limit";
/** What the box has from the factory. */
const WATCHDOG_MS = 15_000;
const NEVER_SLEEPS = 4;

/** Settings, which the box may keep in memory that wears. */
function setting(address: number, value: Formula, scale = 1): WriteStep {
  return writeStep(address, 6, "uint16", value, { scale, isStored: true });
}

/** Wall boxes on RS-485, the connect series also over TCP. The box has to be the last word: set it as follower. */
export const heidelbergEc = defineProfile({
  id: "heidelberg-ec",
  brand: "Heidelberg",
  model: "Energy Control, Amperfied connect.home, connect.solar",
  vendors: ["HEIDELBERG", "MODBUS"],
  transports: [rtu(19_200, { parity: "even" }), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 100, isOneValuePerRequest: false },
  notes: [
    "Only the connect series has built-in Modbus TCP.",
    "A charger without a vehicle falls asleep and leaves the line; once it is controlled, the gateway keeps it awake.",
    "Power is what the box calls VA.",
  ],
  noSerial: "Heidelberg's register table of the Energy Control has none",
  points: pointRows(SHARED, [
    [
      "charger.state",
      5,
      "uint16",
      "fast",
      {
        states: {
          values: {
            2: "UNPLUGGED",
            3: "UNPLUGGED",
            // A vehicle, and a request of it, that are not released.
            4: "PLUGGED_IN:STOPPED",
            5: "PLUGGED_IN:INITIALIZING",
            6: "PLUGGED_IN:STOPPED",
            7: "PLUGGED_IN:CHARGING",
            // Charging with less, because it is hot.
            8: "PLUGGED_IN:CHARGING",
            9: "PLUGGED_IN:FAULT",
            // Locked at its own input: whether something is plugged in is not reported.
            10: "UNKNOWN",
            11: "PLUGGED_IN:FAULT",
          },
          otherwise: "UNKNOWN",
        },
      },
    ],
    ...phaseRows("charger.current", [6, 1], "uint16", "fast", { scale: 0.1 }),
    ...phaseRows("charger.voltage", [10, 1], "uint16", "normal"),
    ["charger.power", 14, "uint16", "fast"],
    ["charger.energy", 17, "uint32", "normal"],
    [LIMIT, 261, "uint16", "fast", { table: "holding", scale: 0.1 }],
  ]),
  derived: [shownLimit(LIMIT), shownEnabled(LIMIT)],
  controls: currentControls({
    key: LIMIT,
    step: (value) => writeStep(261, 6, "uint16", value, { scale: 0.1 }),
    maxA: 16,
    confidence: "cross-checked",
    source: SOURCE,
    hold: (failsafe) => ({
      holdMs: WATCHDOG_MS,
      write: { steps: [setting(258, NEVER_SLEEPS), setting(262, failsafe, 0.1), setting(257, WATCHDOG_MS)] },
      isReadBack: true,
      confidence: "cross-checked",
      source: "Heidelberg EC Modbus register table; evcc, OpenEMS",
      fallback: "offers 6 A, or 0 A after a stop command (register 262)",
    }),
  }),
});
