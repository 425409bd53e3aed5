import { HOUR_MS } from "hemgate/sdk";
import type { InverterControls } from "./inverter-controls.ts";

interface BatterySpec {
  /** Wh between empty and full. */
  readonly capacityWh: number;
  /** W, at the terminals. */
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  /** Energy out for energy in, 0 to 1; half of the loss falls on each way. */
  readonly roundTripEfficiency: number;
}

export interface InverterSpec {
  /** Rated AC power, W, in both directions. */
  readonly ratedW: number;
  readonly battery: BatterySpec;
}

/** The inverter over one slice of time. */
export interface InverterSlice {
  readonly durationMs: number;
  /** What the panels could give, W. */
  readonly availableW: number;
  /** What the house and the car take, W. */
  readonly demandW: number;
  /** Power of the battery in the slice before, W; positive charges. */
  readonly batteryBeforeW: number;
  /** Wh in the battery when the slice begins. */
  readonly storedWh: number;
}

export interface InverterFlow {
  /** What the panels give, W, after limits. */
  readonly pvW: number;
  /** W at the battery's terminals; positive charges. */
  readonly batteryW: number;
  /** W into the house's grid; negative takes from it. Panels less battery: the inverter itself loses nothing. */
  readonly acW: number;
  /** Wh in the battery when the slice ends. */
  readonly storedWh: number;
}

/** How fast the battery's regulator moves, W per ms. */
const RAMP_W_PER_MS = 2.5;

/**
 * Lets the inverter run for a slice: the battery takes what the house leaves over and gives what it lacks, as far as the
 * controls, the state of charge and the rated power let it.
 */
export function inverterFlow(spec: InverterSpec, controls: InverterControls, slice: InverterSlice): InverterFlow {
  const { storedWh, durationMs, batteryBeforeW } = slice;
  if (!controls.connection.isConnected) return { pvW: 0, batteryW: 0, acW: 0, storedWh };
  const outputW = spec.ratedW * (controls.output.isLimited ? Math.min(100, controls.output.limit) / 100 : 1);
  const hard = hardBounds(spec, controls, slice, outputW);
  // Light that may not become AC goes into the battery first; only the rest is curtailed.
  const targetW = Math.max(slice.availableW - slice.demandW, slice.availableW - outputW);
  const aimW = clamp(targetW, commandedBounds(spec.battery, controls));
  const rampW = RAMP_W_PER_MS * durationMs;
  const batteryW = clamp(clamp(aimW, { low: batteryBeforeW - rampW, high: batteryBeforeW + rampW }), hard);
  const pvW = Math.max(0, Math.min(slice.availableW, outputW + batteryW));
  const hours = durationMs / HOUR_MS;
  const oneWay = Math.sqrt(spec.battery.roundTripEfficiency);
  const change = batteryW > 0 ? batteryW * oneWay * hours : (batteryW / oneWay) * hours;
  return { pvW, batteryW, acW: pvW - batteryW, storedWh: clamp(storedWh + change, full(spec.battery)) };
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Where the controls want the battery's power, W. A negative rate forces the other direction. */
function commandedBounds(battery: BatterySpec, { storage }: InverterControls): Bounds {
  const chargeRate = (storage.modeBits & 1) === 0 ? 100 : storage.chargeRate;
  const dischargeRate = (storage.modeBits & 2) === 0 ? 100 : storage.dischargeRate;
  const high = (battery.maxChargeW * chargeRate) / 100;
  const low = (-battery.maxChargeW * dischargeRate) / 100;
  // Forced both ways at once: the battery does neither.
  return low > high ? { low: 0, high: 0 } : { low, high };
}

/** What the battery can do at all in this slice, W. */
function hardBounds(spec: InverterSpec, controls: InverterControls, slice: InverterSlice, outputW: number): Bounds {
  const { battery, ratedW } = spec;
  const { isGridChargingAllowed, reserve } = controls.storage;
  const oneWay = Math.sqrt(battery.roundTripEfficiency);
  const hours = slice.durationMs / HOUR_MS;
  const room = Math.max(0, battery.capacityWh - slice.storedWh) / oneWay / hours;
  const spare = (Math.max(0, slice.storedWh - (battery.capacityWh * reserve) / 100) * oneWay) / hours;
  const source = isGridChargingAllowed ? slice.availableW + ratedW : slice.availableW;
  return {
    low: 0 - Math.min(battery.maxDischargeW, spare, outputW),
    high: Math.min(battery.maxChargeW, room, source),
  };
}

function full(battery: BatterySpec): Bounds {
  return { low: 0, high: battery.capacityWh };
}

function clamp(value: number, { low, high }: Bounds): number {
  return Math.min(high, Math.max(low, value));
}
