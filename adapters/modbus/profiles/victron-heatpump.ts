import { defineProfile } from "hemgate/sdk";
import { pointRows } from "../profile/parts/point-rows.ts";

const VENDOR = { table: "holding", confidence: "vendor-list", source: "victronenergy/dbus_modbustcp" } as const;

/** A heat pump that a Victron GX knows. Read only; its temperatures (5506, 5507) are the water's, not the room's. */
export const victronHeatpump = defineProfile({
  id: "victron-heatpump",
  brand: "Victron",
  model: "GX heat pump",
  vendors: ["MODBUS"],
  transports: [{ kind: "tcp", port: 502, unit: 1 }],
  limits: { maxRegisters: 60, minGapMs: 0, isOneValuePerRequest: false },
  notes: ["The unit id is under Settings, Services, Modbus TCP of the GX."],
  noSerial: "No source found: the list of victronenergy/dbus_modbustcp that was read names none for heat pumps",
  points: pointRows(VENDOR, [
    [
      "hvac.isActive",
      5501,
      "uint16",
      "fast",
      // Off, error, start-up; heating, cooling.
      { states: { values: { 0: false, 1: false, 2: false, 3: true, 4: true }, otherwise: null } },
    ],
    ["hvac.power", 5502, "uint32", "fast"],
  ]),
  derived: [],
  controls: [],
});
