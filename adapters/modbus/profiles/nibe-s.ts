import { defineProfile, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const YOZIK = { confidence: "single-source", source: "yozik04/nibe" } as const;
const SHARED = { table: "input", ...YOZIK } as const;

/** SG Ready has to be activated for Modbus once; the register is stored. */
function smartGrid(value: number): readonly [WriteStep, WriteStep] {
  return [writeStep(3_032, 16, "uint16", 1, { isStored: true }), writeStep(6_008, 16, "int16", value)];
}

/** Heat pumps and controllers of the S series. Modbus TCP is switched on in menu 7.5.9. */
export const nibeS = defineProfile({
  id: "nibe-s",
  brand: "NIBE",
  model: "S1155, S1255, S735, S2125 with SMO S40 or VVM S320, S325, S500",
  vendors: ["NIBE", "MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 20, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Leave the word order in menu 7.5.9 as it comes: the low word first.",
    "Addresses are one lower than in the maker's list.",
  ],
  noSerial: "No source found that names one",
  points: pointRows(SHARED, [
    ["raw.room", 26, "int16", "normal", { scale: 0.1, sentinels: [-32_768] }],
    ["raw.roomAverage", 116, "int16", "normal", { scale: 0.1, sentinels: [-32_768] }],
    ["hvac.isActive", 1_100, "uint16", "normal", { states: { values: { 0: false, 1: true }, otherwise: null } }],
    ["raw.smartGrid", 1_911, "uint16", "fast", { confidence: "cross-checked", source: "evcc, yozik04/nibe" }],
    [
      "hvac.power",
      2_166,
      "uint32",
      "fast",
      { wordOrder: "little", confidence: "cross-checked", source: "yozik04/nibe, openWB" },
    ],
  ]),
  derived: [
    { point: "hvac.temperature", value: { first: [{ of: "raw.roomAverage" }, { of: "raw.room" }] } },
    ...shownSgReady({
      lookup: { of: "raw.smartGrid" },
      values: { 10: "AUTO", 20: "OFF", 30: "HEAT", 40: "HEAT" },
      otherwise: "UNKNOWN",
    }),
  ],
  controls: sgReadyControls({
    normal: smartGrid(1),
    boost: smartGrid(3),
    block: smartGrid(0),
    confidence: "single-source",
    source: "6008: evcc; 3032: yozik04/nibe",
  }),
});
