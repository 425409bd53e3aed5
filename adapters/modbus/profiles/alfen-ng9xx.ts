import { defineProfile } from "hemgate/sdk";
import { currentControls, shownEnabled, shownLimit } from "../profile/parts/current-control.ts";
import { pilotState } from "../profile/parts/pilot-state.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const PLATE = crossChecked("Alfen, Modbus Slave TCP/IP for the NG9xx platform, 2.3; alfen-eve-modbus-tcp");
const VENDOR = "Alfen, Modbus Slave TCP/IP for the NG9xx platform, 2.3";
const SHARED = {
  table: "holding",
  confidence: "cross-checked",
  source: `${VENDOR}; evcc`,
} as const;
const SINGLE = { confidence: "single-source", source: VENDOR } as const;
const LIMIT = "raw.limit";

/**
 * Eve Single and Double. Needs active load balancing with the energy management system as data source, mode Socket, and
 * leave to read and write maximum currents.
 */
export const alfenNg9xx = defineProfile({
  id: "alfen-ng9xx",
  brand: "Alfen",
  model: "Eve Single S-line, Eve Single Pro-line, Eve Double Pro-line",
  vendors: ["ALFEN", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false, maxClients: 2, idleCloseMs: 60_000 },
  notes: [
    "Unit 1 is the first socket, unit 2 the second of an Eve Double; unit 200 is the station and needs no profile.",
    "Needs the Active Load Balancing licence and a safe current, without which the station refuses limits.",
    "A socket has no meter values until the first reading of its meter. The limit is lost when the station restarts.",
    "Switching between one and three phases has to be allowed in the installer's app, or the station refuses it.",
  ],
  identity: { serial: plateText(157, 11, PLATE, { unit: 200 }), version: plateText(123, 17, PLATE, { unit: 200 }) },
  points: pointRows(SHARED, [
    ["charger.voltage.l1", 306, "float32", "normal"],
    ["charger.voltage.l2", 308, "float32", "normal", SINGLE],
    ["charger.voltage.l3", 310, "float32", "normal", SINGLE],
    ["charger.current.l1", 320, "float32", "fast"],
    ["charger.current.l2", 322, "float32", "fast", SINGLE],
    ["charger.current.l3", 324, "float32", "fast", SINGLE],
    ["charger.power", 344, "float32", "fast"],
    ["charger.energy", 374, "float64", "normal"],
    ["raw.state", 1201, "string", "fast", { words: 5 }],
    [LIMIT, 1210, "float32", "fast"],
    ["raw.safeCurrent", 1212, "float32", "slow"],
    ["charger.phases", 1215, "uint16", "fast"],
  ]),
  derived: [
    {
      point: "charger.state",
      value: pilotState(
        { of: "raw.state" },
        { A: "A", B1: "B1", B2: "B2", C1: "C1", C2: "C2", D1: "D1", D2: "D2", E: "E", F: "F" },
      ),
    },
    shownLimit(LIMIT),
    shownEnabled(LIMIT),
  ],
  controls: [
    ...currentControls({
      key: LIMIT,
      step: (value) => writeStep(1210, 16, "float32", value),
      maxA: 32,
      stepA: 0.1,
      safeCurrent: { of: "raw.safeCurrent" },
      confidence: "cross-checked",
      source: `${VENDOR}; evcc`,
      hold: () => ({
        // Each write restarts the time; 1208 shows what is left of it.
        holdMs: 60_000,
        confidence: "cross-checked",
        source: `${VENDOR} (1208); evcc writes every 25 s`,
        fallback: "offers the safe current that is set in the station (register 1212)",
      }),
    }),
    {
      point: "charger.phases",
      safeDefault: "as-found",
      write: {
        cases: [
          { value: 1, steps: [writeStep(1215, 16, "uint16", 1)] },
          { value: 3, steps: [writeStep(1215, 16, "uint16", 3)] },
        ],
      },
      confidence: "cross-checked",
      source: `${VENDOR}; evcc`,
    },
  ],
});
