import { defineProfile, type Formula, type WriteStep } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";
import { sgReadyControls, shownSgReady } from "../profile/parts/sg-ready.ts";
import { writeStep } from "../profile/parts/write-step.ts";

const SOURCE = "evcc, nymea";

function input(address: 4_001 | 4_002, value: Formula): WriteStep {
  return writeStep(address, 6, "uint16", value);
}

/** Heat pumps with a WPM controller behind an ISG, web or plus, with its Modbus option. */
export const stiebelWpm = defineProfile({
  id: "stiebel-wpm",
  brand: "Stiebel Eltron",
  model: "WPM 3, WPM 3i, WPM 4 with ISG",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 125, minGapMs: 0, isOneValuePerRequest: false },
  notes: [
    "Sold by tecalor too. It does not report power and setpoints of the room.",
    "SG Ready has to be switched on in the ISG; without that it stays as it is.",
    "LWZ systems have other registers: this profile is not for them.",
  ],
  noSerial: "Stiebel Eltron's ISG list tells the kind of the controller, but no serial number",
  points: pointRows({ table: "input", confidence: "cross-checked", source: SOURCE }, [
    [
      "hvac.temperature",
      502,
      "int16",
      "normal",
      // No remote control in the room, or its sensor is missing.
      { scale: 0.1, sentinels: [-32_768], confidence: "single-source", source: "nymea" },
    ],
    ["raw.smartGrid", 5_000, "uint16", "fast"],
  ]),
  derived: [
    ...shownSgReady({
      lookup: { of: "raw.smartGrid" },
      values: { 1: "OFF", 2: "AUTO", 3: "HEAT", 4: "HEAT" },
      otherwise: "UNKNOWN",
    }),
  ],
  // In such an order that what is between two writes is normal, never forced.
  controls: sgReadyControls({
    normal: [input(4_001, 0), input(4_002, 0)],
    boost: [input(4_002, 0), input(4_001, 1)],
    block: [input(4_001, 0), input(4_002, 1)],
    confidence: "cross-checked",
    source: SOURCE,
  }),
});
