import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const NYMEA = { confidence: "single-source", source: "nymea" } as const;
const SHARED = { table: "holding", wordOrder: "little", ...NYMEA } as const;

/** Outside of 74 to 86, registers are stored in memory that wears. */
function mode(value: number): readonly WriteStep[] {
  return [writeStep(1_005, 16, "uint16", value, { isStored: true })];
}

/** Heat pumps with the Navigator controller. */
export const idmNavigator = defineProfile({
  id: "idm-navigator",
  brand: "iDM",
  model: "Navigator 2.0, Navigator 10",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Modbus TCP is switched on at the controller, under building management.",
    "It can take a solar surplus as a value (register 74); there is no such command here.",
    "The room is the one of heating circuit A.",
  ],
  noSerial: "iDM's list of the Navigator 2.0 and nymea have none",
  points: pointRows(SHARED, [
    ["raw.operating", 1_005, "uint16", "normal"],
    [
      "hvac.isActive",
      1_090,
      "uint16",
      "normal",
      // 8 is defrosting.
      { states: { values: { 0: false, 1: true, 2: true, 4: true, 8: false }, otherwise: null } },
    ],
    ["hvac.temperature", 1_364, "float32", "normal"],
    [
      "hvac.power",
      4_122,
      "float32",
      "fast",
      { scale: 1_000, confidence: "cross-checked", source: "evcc, nymea, openWB" },
    ],
  ]),
  derived: [
    {
      point: "hvac.mode",
      value: {
        lookup: { of: "raw.operating" },
        // Automatic, absent, and heating without hot water; standby and hot water alone leave the rooms cold.
        values: { 1: "AUTO", 2: "AUTO", 5: "AUTO", 0: "OFF", 4: "OFF" },
        otherwise: "UNKNOWN",
      },
    },
    {
      point: "hvac.holdType",
      value: {
        lookup: { of: "raw.operating" },
        values: { 1: "SCHEDULED", 2: "SCHEDULED", 5: "SCHEDULED", 0: "PERMANENT", 4: "PERMANENT" },
        otherwise: null,
      },
    },
  ],
  controls: [
    {
      point: "hvac.mode",
      safeDefault: "as-found",
      write: {
        cases: [
          { value: "OFF", steps: mode(0) },
          { value: "AUTO", steps: mode(1) },
        ],
      },
      approximate: "OFF is the standby of the whole system, hot water included.",
      ...NYMEA,
    },
    {
      point: "hvac.holdType",
      safeDefault: null,
      write: {
        cases: [
          { value: "SCHEDULED", steps: mode(1) },
          // Nothing is sent: the mode that follows is what holds it.
          {
            value: "PERMANENT",
            steps: mode(1).map((step) => ({ ...step, when: { of: { wish: true }, is: "SCHEDULED" } })),
          },
        ],
      },
      ...NYMEA,
    },
  ],
});
