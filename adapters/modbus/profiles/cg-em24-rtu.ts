import { defineProfile } from "hemgate/sdk";
import { EM24, EM24_POWERS } from "../profile/parts/em24.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("Carlo Gavazzi's communication protocols; victronenergy/dbus-cgwacs");
const SINGLE = { confidence: "single-source", source: "volkszaehler/mbmd" } as const;

/** Three-phase meter with a selector on its front. It cannot be written. */
export const cgEm24Rtu = defineProfile({
  id: "cg-em24-rtu",
  brand: "Carlo Gavazzi",
  model: "EM24 DIN",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  // Its communication protocol limits a request to 11 words; not held against a device.
  limits: { maxRegisters: 11, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  notes: [
    "It counts export only in application H (some versions: E). The application can be changed while the selector on the front is unlocked.",
    "The EM24 with Ethernet has other addresses: cg-em24-e1-em340.",
  ],
  identity: { serial: plateText(0x1300, 7, PLATE) },
  points: pointRows(EM24, [
    ...EM24_POWERS,
    ["meter.frequency", 55, "uint16", "normal", { scale: 0.1, ...SINGLE }],
    ["meter.energyImport", 66, "int32", "normal", { scale: 100, ...SINGLE }],
    ["meter.energyExport", 92, "int32", "normal", { scale: 100, ...SINGLE }],
  ]),
  derived: [],
  controls: [],
});
