/** A car's charging as Tesla tells it, as points. */

import type { VehiclePowerDeliveryState } from "hemgate/sdk";
import type { CloudReading } from "../kit/connector.ts";
import { lookup } from "../kit/device/lookup.ts";
import type { ChargeState, VehicleData } from "./schemas.ts";

const KM_PER_MILE = 1.609_344;
const W_PER_KW = 1_000;
/** `charger_power` is in whole kW. */
const POWER_STEP_W = 1_000;

const STATES: Readonly<Record<string, VehiclePowerDeliveryState>> = {
  Disconnected: "UNPLUGGED",
  Starting: "PLUGGED_IN:INITIALIZING",
  Calibrating: "PLUGGED_IN:INITIALIZING",
  Charging: "PLUGGED_IN:CHARGING",
  Complete: "PLUGGED_IN:COMPLETE",
  Stopped: "PLUGGED_IN:STOPPED",
  Pending: "PLUGGED_IN:STOPPED",
  NoPower: "PLUGGED_IN:NO_POWER",
};

export function vehicleReadings({
  charge_state: charge,
  drive_state: drive,
  vehicle_state: vehicle,
}: VehicleData): readonly CloudReading[] {
  const driven = vehicle?.odometer ?? null;
  return [
    ...chargeReadings(charge),
    ...at(drive?.gps_as_of == null ? null : drive.gps_as_of * 1_000, [
      { point: "vehicle.latitude", value: drive?.latitude ?? null },
      { point: "vehicle.longitude", value: drive?.longitude ?? null },
    ]),
    ...at(vehicle?.timestamp ?? null, [
      { point: "vehicle.odometer", value: driven === null ? null : driven * KM_PER_MILE },
    ]),
  ];
}

/** Every point of the charging, null where the car does not tell it. */
function chargeReadings(charge: ChargeState | null): readonly CloudReading[] {
  const state = stateOf(charge);
  const isCharging = state === "PLUGGED_IN:CHARGING";
  const range = charge?.battery_range ?? null;
  return at(charge?.timestamp ?? null, [
    { point: "vehicle.soc", value: charge?.battery_level ?? null },
    { point: "vehicle.chargeLimit", value: charge?.charge_limit_soc ?? null },
    { point: "vehicle.range", value: range === null ? null : range * KM_PER_MILE },
    { point: "vehicle.state", value: charge === null ? null : state },
    { point: "vehicle.power", value: charge === null ? null : powerOf(charge) },
    { point: "vehicle.timeToFull", value: isCharging ? (charge?.minutes_to_full_charge ?? null) : null },
    { point: "vehicle.enabled", value: enabledOf(charge) },
    { point: "vehicle.maxCurrent", value: charge?.charge_current_request ?? null },
  ]);
}

export function stateOf(charge: ChargeState | null): VehiclePowerDeliveryState {
  return lookup(STATES, charge?.charging_state) ?? "UNKNOWN";
}

/** Whether the car takes power when it is offered; unplugged, what it would do. */
function enabledOf(charge: ChargeState | null): boolean | null {
  switch (stateOf(charge)) {
    case "PLUGGED_IN:INITIALIZING":
    case "PLUGGED_IN:CHARGING":
    case "PLUGGED_IN:COMPLETE":
      return true;
    case "PLUGGED_IN:STOPPED":
      return false;
    default:
      return charge?.charge_enable_request ?? null;
  }
}

/**
 * W into the car. `charger_power` is in whole kW, too coarse at 6 A; volt and ampere are finer, but `charger_phases` says
 * 2 of three, so the number of phases is the one that fits the whole kW. Fast chargers tell the kW alone.
 */
function powerOf(charge: ChargeState): number | null {
  const { charger_power: kilowatts, charger_voltage: volts, charger_actual_current: amperes } = charge;
  if (kilowatts === null) return null;
  const coarse = kilowatts * W_PER_KW;
  if (stateOf(charge) !== "PLUGGED_IN:CHARGING" || !volts || !amperes) return coarse;
  const fitting = [1, 2, 3]
    .map((phases) => phases * volts * amperes)
    .reduce((best, watts) => (Math.abs(watts - coarse) < Math.abs(best - coarse) ? watts : best));
  return Math.abs(fitting - coarse) <= POWER_STEP_W ? fitting : coarse;
}

function at(measuredAtMs: number | null, readings: readonly CloudReading[]): readonly CloudReading[] {
  return measuredAtMs === null ? readings : readings.map((reading) => ({ ...reading, measuredAtMs }));
}
