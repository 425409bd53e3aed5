/**
 * Short codes of points and of the states they take. They are on disk: a code keeps its meaning for good, new ones are
 * added at the end, and a name without a code is written out.
 */
import type { BatteryStatus, OperationMode, PointName, PowerDeliveryState } from "../../sdk/points.ts";

/** Code 0 says that the name follows as text. */
export const NAMED = 0;

/** Code 1 is the first. */
export const POINT_CODES: readonly PointName[] = [
  "battery.power",
  "battery.soc",
  "battery.capacity",
  "battery.reserve",
  "battery.status",
  "battery.mode",
  "inverter.power",
  "inverter.energy",
  "inverter.powerLimit",
  "meter.power",
  "meter.power.l1",
  "meter.power.l2",
  "meter.power.l3",
  "meter.voltage.l1",
  "meter.voltage.l2",
  "meter.voltage.l3",
  "meter.current.l1",
  "meter.current.l2",
  "meter.current.l3",
  "meter.frequency",
  "meter.energyImport",
  "meter.energyExport",
  "charger.power",
  "charger.state",
  "charger.maxCurrent",
  "charger.enabled",
  "charger.current.l1",
  "charger.current.l2",
  "charger.current.l3",
  "charger.voltage.l1",
  "charger.voltage.l2",
  "charger.voltage.l3",
  "charger.energy",
  "charger.energySession",
];

/** Code 1 is the first. */
export const STATE_CODES: readonly (BatteryStatus | OperationMode | PowerDeliveryState)[] = [
  "CHARGING",
  "DISCHARGING",
  "IDLE",
  "FAULT",
  "UNKNOWN",
  "IMPORT_FOCUS",
  "EXPORT_FOCUS",
  "TIME_OF_USE",
  "SELF_RELIANCE",
  "UNPLUGGED",
  "PLUGGED_IN:INITIALIZING",
  "PLUGGED_IN:CHARGING",
  "PLUGGED_IN:STOPPED",
  "PLUGGED_IN:NO_POWER",
  "PLUGGED_IN:FAULT",
  "PLUGGED_IN:DISCHARGING",
];
