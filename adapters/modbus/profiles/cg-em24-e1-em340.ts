import { defineProfile } from "hemgate/sdk";
import { EM24, EM24_POWERS } from "../profile/parts/em24.ts";
import { plateText } from "../profile/parts/plate-field.ts";
import { pointRows } from "../profile/parts/point-rows.ts";
import { crossChecked } from "../profile/parts/provenance.ts";
import { rtu, SERIAL_GAP_MS } from "../profile/parts/rtu.ts";

const PLATE = crossChecked("Carlo Gavazzi's communication protocols; victronenergy/dbus-modbus-client, dbus-cgwacs");

/** Three-phase meters of the newer series, on RS-485 or, the E1, on Ethernet. They cannot be written. */
export const cgEm24E1Em340 = defineProfile({
  id: "cg-em24-e1-em340",
  brand: "Carlo Gavazzi",
  model: "EM24 E1, EM330, EM340, ET330, ET340",
  vendors: ["MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 50, minGapMs: SERIAL_GAP_MS, isOneValuePerRequest: false },
  identity: { serial: plateText(0x5000, 7, PLATE) },
  points: pointRows(EM24, [
    ...EM24_POWERS,
    ["meter.frequency", 51, "uint16", "normal", { scale: 0.1 }],
    ["meter.energyImport", 52, "int32", "normal", { scale: 100 }],
    ["meter.energyExport", 78, "int32", "normal", { scale: 100 }],
  ]),
  derived: [],
  controls: [],
});
