import { type Condition, defineProfile, type Formula } from "hemgate/sdk";
import { LEAST_A } from "../profile/parts/current-control.ts";
import { ASCII_LETTERS, letterState } from "../profile/parts/pilot-state.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { shownSwitch, switchControl } from "../profile/parts/switch-control.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "evcc, nymea";
const SHARED = {
  table: "input",
  wordOrder: "little",
  confidence: "cross-checked",
  source: SOURCE,
} as const;
const NYMEA = { confidence: "single-source", source: "nymea" } as const;
const EVCC = { confidence: "single-source", source: "evcc" } as const;

/** Firmware of Wallbe counts tenths of an ampere; nothing else shows 60 and more. */
const COUNTS_TENTHS: Condition = { of: { of: "raw.limit" }, atLeast: 60 };

const LIMIT_A: Formula = {
  when: COUNTS_TENTHS,
  gives: { quotient: [{ of: "raw.limit" }, 10] },
  otherwise: { of: "raw.limit" },
};

/** The counter of the plain firmware, else the one of Wallbe's. A counter that shows 0 may be the absent one. */
const ENERGY: Formula = {
  first: [
    { lookup: { of: "raw.energy" }, values: { 0: null }, otherwise: { of: "raw.energy" } },
    { of: "raw.energyWallbe" },
    { of: "raw.energy" },
  ],
};

/** Charge controllers EV-CC-AC1-M3 and EV-ETH, and the wall boxes that are built around them. */
export const phoenixEvEthWallbe = defineProfile({
  id: "phoenix-ev-eth-wallbe",
  brand: "Phoenix Contact",
  model: "EV-CC-AC1-M3, EV-ETH; Wallbe Eco 2.0, Wallbe Pro, Compleo, scapo",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 255 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Values of the meter are there only when one is connected and set up; the unit of the box's own energy register depends on that, so it is not read.",
    "The charger has no timer that ends a command: it keeps the last one.",
  ],
  identity: { version: plateText(105, 2, crossChecked("evcc, nymea"), { table: "input", byteOrder: "little" }) },
  noSerial: "No source found: evcc and nymea read the firmware alone",
  points: pointRows(SHARED, [
    ["raw.letter", 100, "uint16", "fast"],
    ["charger.voltage.l1", 108, "uint32", "normal"],
    ["charger.voltage.l2", 110, "uint32", "normal", NYMEA],
    ["charger.voltage.l3", 112, "uint32", "normal", NYMEA],
    ["charger.current.l1", 114, "uint32", "fast"],
    ["charger.current.l2", 116, "uint32", "fast", NYMEA],
    ["charger.current.l3", 118, "uint32", "fast", NYMEA],
    ["charger.power", 120, "int32", "fast"],
    ["raw.enabled", 400, "uint16", "fast", { table: "coil" }],
    ["raw.limit", 528, "uint16", "fast", { table: "holding" }],
    ["raw.energy", 904, "uint32", "normal", { table: "holding" }],
    ["raw.energyWallbe", 2_980, "uint64", "normal", { table: "holding", ...EVCC }],
    ["charger.energySession", 3_376, "uint64", "normal", { table: "holding", ...EVCC }],
  ]),
  derived: [
    {
      point: "charger.state",
      value: letterState({ of: "raw.letter" }, ASCII_LETTERS, { of: { of: "raw.enabled" }, is: 1 }),
    },
    { point: "charger.energy", value: ENERGY },
    { point: "charger.maxCurrent", value: LIMIT_A },
    shownSwitch("raw.enabled"),
  ],
  controls: [
    {
      point: "charger.maxCurrent",
      range: { min: LEAST_A, max: 32 },
      safeDefault: "as-found",
      write: {
        steps: [
          writeStep(528, 6, "uint16", {
            when: COUNTS_TENTHS,
            gives: { times: [{ wish: true }, 10] },
            otherwise: { wish: true },
          }),
        ],
      },
      confidence: "cross-checked",
      source: SOURCE,
    },
    switchControl({
      step: (value) => writeStep(400, 5, "uint16", value),
      confidence: "cross-checked",
      source: SOURCE,
    }),
  ],
});
