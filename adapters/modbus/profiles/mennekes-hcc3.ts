import { defineProfile } from "hemgate/sdk";
import { currentControls, shownEnabled, shownLimit } from "../profile/parts/current-control.ts";
import { pilotState } from "../profile/parts/pilot-state.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "MENNEKES, Modbus AMTRON HCC3, 2021-06-25; evcc, nymea";
const SHARED = { table: "input", wordOrder: "little", confidence: "cross-checked", source: SOURCE } as const;
const LIMIT = "raw.limit";

/** Wall boxes with the HCC3 controller. */
export const mennekesHcc3 = defineProfile({
  id: "mennekes-hcc3",
  brand: "MENNEKES",
  model: "AMTRON Xtra, AMTRON Premium",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 255 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["It has no timer: the last command stays. It does not report the currents of the phases."],
  identity: { serial: { ...SHARED, type: "uint32", address: 779 } },
  points: pointRows(SHARED, [
    ["raw.pilot", 770, "uint16", "fast"],
    ["charger.energySession", 781, "uint32", "normal"],
    ["charger.power", 783, "uint32", "fast"],
    [LIMIT, 1_024, "uint16", "fast", { table: "holding" }],
  ]),
  derived: [
    {
      point: "charger.state",
      value: pilotState(
        { of: "raw.pilot" },
        { 1: "A1", 2: "A2", 3: "B1", 4: "B2", 5: "C1", 6: "C2", 7: "D1", 8: "D2" },
      ),
    },
    shownLimit(LIMIT),
    shownEnabled(LIMIT),
  ],
  controls: currentControls({
    key: LIMIT,
    step: (value) => writeStep(1_024, 6, "uint16", value),
    maxA: 32,
    confidence: "cross-checked",
    source: SOURCE,
  }),
});
