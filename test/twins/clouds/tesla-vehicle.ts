/** A vehicle as Tesla's cloud shows it, and what it does when it is told. */
import type { Clock } from "../../../src/platform/ports/ports.ts";

export interface TwinVehicle {
  readonly vin: string;
  name: string;
  power: "online" | "asleep" | "offline";
  /** Signed commands only. */
  isSigned: boolean;
  chargingState: string;
  /** %. */
  level: number;
  chargeLimit: number;
  amps: number;
  mostAmps: number;
  volts: number;
  phases: number;
  rangeMiles: number;
  odometerMiles: number;
  minutesToFull: number;
  isLocationShared: boolean;
  isFastCharging: boolean;
}

export const COMMANDS = ["charge_start", "charge_stop", "set_charging_amps"];

export function commanded(vehicle: TwinVehicle, command: string, body: Readonly<Record<string, unknown>>) {
  const isPlugged = vehicle.chargingState !== "Disconnected";
  if (command === "set_charging_amps") {
    vehicle.amps = Number(body["charging_amps"]);
    return { result: true, reason: "" };
  }
  const isCharging = vehicle.chargingState === "Charging";
  if (!isPlugged) return { result: false, reason: "disconnected" };
  if (command === "charge_start" && isCharging) return { result: false, reason: "is_charging" };
  if (command === "charge_stop" && !isCharging) return { result: false, reason: "not_charging" };
  vehicle.chargingState = isCharging ? "Stopped" : "Charging";
  return { result: true, reason: "" };
}

export function vehicleData(vehicle: TwinVehicle, endpoints: readonly string[], clock: Clock) {
  const timestamp = clock.nowMs();
  const isCharging = vehicle.chargingState === "Charging";
  const watts = isCharging ? vehicle.volts * vehicle.amps * vehicle.phases : 0;
  const charge = {
    timestamp,
    battery_level: vehicle.level,
    battery_range: vehicle.rangeMiles,
    charge_limit_soc: vehicle.chargeLimit,
    charging_state: vehicle.chargingState,
    charge_enable_request: vehicle.chargingState !== "Stopped",
    charge_current_request: vehicle.amps,
    charge_current_request_max: vehicle.mostAmps,
    charger_actual_current: isCharging && !vehicle.isFastCharging ? vehicle.amps : 0,
    charger_voltage: isCharging ? vehicle.volts : 2,
    // Three phases are told as two.
    charger_phases: isCharging ? Math.min(2, vehicle.phases) : null,
    charger_power: Math.round(watts / 1_000),
    minutes_to_full_charge: vehicle.minutesToFull,
  };
  const place = { latitude: 52.5, longitude: 13.4, gps_as_of: Math.floor(timestamp / 1_000) };
  return {
    vin: vehicle.vin,
    state: "online",
    ...(endpoints.includes("charge_state") && { charge_state: charge }),
    drive_state: {
      timestamp,
      ...(vehicle.isLocationShared && endpoints.includes("location_data") && place),
    },
    ...(endpoints.includes("vehicle_state") && { vehicle_state: { timestamp, odometer: vehicle.odometerMiles } }),
  };
}
