import { defineProfile } from "hemgate/sdk";
import { currentControls, shownEnabled, shownLimit } from "../profile/parts/current-control.ts";
import { letterState } from "../profile/parts/pilot-state.ts";
import { phaseRows, pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "evcc, nymea, OpenEMS";
const SHARED = {
  table: "holding",
  // Some controllers answer this for a moment, or where no meter is connected.
  sentinels: [0xffffffff],
  confidence: "cross-checked",
  source: SOURCE,
} as const;
const LIMIT = "raw.limit";

/** Charge controllers, and the stations of several makers that are built with them. */
export const benderCcMennekesEcu = defineProfile({
  id: "bender-cc-mennekes-ecu",
  brand: "Bender",
  model: "CC612, CC613, ICC; MENNEKES AMTRON Professional+, 4You 500, 4Business; Ebee, Webasto Live, Juice, Optec",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 255 }],
  limits: { maxRegisters: 50, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Switch on the Modbus TCP server for energy management systems, with the register set named after Ebee, Bender or MENNEKES.",
    "4You and 4Business close the connection when 730 or 740 are read: no request goes beyond 717.",
    "What it falls back to when nobody speaks to it is set in the station (safe current).",
  ],
  identity: {
    // Four characters, such as 4.50.
    version: { table: "holding", type: "string", words: 2, address: 100, confidence: "cross-checked", source: SOURCE },
    model: { table: "holding", type: "string", words: 10, address: 142, confidence: "cross-checked", source: SOURCE },
  },
  noSerial: "Bender's list for energy management systems has none, nor do evcc, nymea and OpenEMS name one",
  points: pointRows(SHARED, [
    ["raw.letter", 122, "uint16", "fast", { sentinels: [0xffff] }],
    ...phaseRows("charger.current", [212, 2], "uint32", "fast", { scale: 0.001 }),
    ["charger.energy", 218, "uint32", "normal"],
    ["charger.power", 220, "uint32", "fast"],
    ...phaseRows("charger.voltage", [222, 2], "uint32", "normal"),
    ["charger.energySession", 716, "uint32", "normal"],
    [LIMIT, 1_000, "uint16", "fast", { sentinels: [0xffff] }],
  ]),
  derived: [
    {
      point: "charger.state",
      value: letterState(
        { of: "raw.letter" },
        { 1: "A", 2: "B", 3: "C", 4: "D", 5: "E" },
        { of: { of: LIMIT }, atLeast: 1 },
      ),
    },
    shownLimit(LIMIT),
    shownEnabled(LIMIT),
  ],
  controls: currentControls({
    key: LIMIT,
    step: (value) => writeStep(1_000, 16, "uint16", value),
    maxA: 32,
    confidence: "cross-checked",
    source: SOURCE,
  }),
});
