/** What Growatt's hybrid families have in common; their registers stand in different places. */
import type { DeviceProfile } from "hemgate/sdk";
import { statusOfPower } from "./battery.ts";
import { difference } from "./formulas.ts";
import { plateText } from "./plate-field.ts";
import { crossChecked, singleSource } from "./provenance.ts";
import { rtu } from "./rtu.ts";

export const EVCC_WILLS106 = crossChecked("evcc, wills106/solax-modbus");
export const EVCC_WILLS106_OPENWB = crossChecked("evcc, wills106/solax-modbus, openWB");
export const WILLS106_ONLY = singleSource("wills106/solax-modbus");
export const WILLS106_OPENWB = crossChecked("wills106/solax-modbus, openWB");

export const GROWATT = {
  brand: "Growatt",
  vendors: ["GROWATT", "MODBUS"],
  transports: [rtu(9_600), { kind: "tcp", port: 502, unit: 1 }],
} satisfies Partial<DeviceProfile>;

const PROTOCOL = crossChecked("Growatt Modbus RTU protocol V1.24; WouterTuinstra/Homeassistant-Growatt-Local-Modbus");
/** What all families have at the same place. */
export const GROWATT_PLATE = { serial: plateText(23, 5, PROTOCOL), version: plateText(9, 3, PROTOCOL) };

const BATTERY_POWER = difference("raw.charge", "raw.discharge");

/** Each direction has its own register. */
export const GROWATT_POWERS: DeviceProfile["derived"] = [
  { point: "battery.power", value: BATTERY_POWER },
  { point: "battery.status", value: statusOfPower(BATTERY_POWER) },
  { point: "meter.power", value: difference("raw.import", "raw.export") },
];
