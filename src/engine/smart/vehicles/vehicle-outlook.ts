import type { Vehicle, VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import { DAY_MS } from "../../../domain/duration.ts";
import { PriceCurve } from "../../../domain/market/price-curve.ts";
import { neededChargeMs } from "../../../domain/smart/charge-planner.ts";
import { nextTimeOfDay } from "../../../domain/smart/smart-deadline.ts";
import type { Consideration } from "../../../domain/smart/vehicle-smart-charging.ts";
import type { SmartParts } from "../smart-parts.ts";

/** The expected power of a vehicle that never reported it, kW: one phase at 16 A, which all can take. */
const DEFAULT_KW = 3.7;
/** Less than this is the beginning or the end of a charge, and tells nothing of its power, kW. */
const LEAST_KW = 1;
/** How much a new reading counts: a charge that ramps up for a minute does not make a slow vehicle. */
const NEWEST_SHARE = 0.3;
/** How far ahead prices must be known to speak of any, ms. */
const AHEAD_MS = DAY_MS;
/** What is known of prices is looked up again after this long, ms; sooner when prices change. */
const KNOWN_FOR_MS = 60_000;

/** What lies ahead of a vehicle: its deadline, how long it charges, what that costs. */
export class VehicleOutlook {
  readonly #parts: Pick<SmartParts, "clock" | "prices" | "locations">;
  readonly #hasPrices = new Map<string | null, { readonly atMs: number; readonly isKnown: boolean }>();

  constructor(parts: Pick<SmartParts, "clock" | "prices" | "locations">) {
    this.#parts = parts;
  }

  /** Forgets what it knows of prices. */
  pricesChanged(): void {
    this.#hasPrices.clear();
  }

  /** True when the price of some hour of the next day is known at a location. */
  hasPrices(locationId: string | null): boolean {
    const { clock, prices } = this.#parts;
    const atMs = clock.monotonicMs();
    const known = this.#hasPrices.get(locationId);
    if (known !== undefined && atMs - known.atMs < KNOWN_FOR_MS) return known.isKnown;
    const nowMs = clock.nowMs();
    const isKnown = prices.hasSource(locationId) && prices.between(locationId, nowMs, nowMs + AHEAD_MS).length > 0;
    this.#hasPrices.set(locationId, { atMs, isKnown });
    return isKnown;
  }

  prices(locationId: string | null, fromMs: number, toMs: number): PriceCurve {
    return new PriceCurve(this.#parts.prices.between(locationId, fromMs, toMs));
  }

  /** The next deadline in the zone of the vehicle's location, ms; null when the policy has none. */
  deadlineMs(vehicle: Vehicle, { deadline }: VehicleSmartChargingPolicy): number | null {
    if (deadline === null) return null;
    const { clock, locations } = this.#parts;
    return nextTimeOfDay(clock.nowMs(), deadline, locations.zoneOf(locationOf(vehicle)));
  }
}

/** Where the vehicle is; null when it is at no known location. */
export function locationOf({ location, locationId }: Vehicle): string | null {
  return location.id ?? locationId;
}

export function neededMs({ chargeState }: Vehicle, seenKw: number | null): number | null {
  return neededChargeMs(chargeState, seenKw ?? DEFAULT_KW);
}

export function expectedKw(seenKw: number | null): number {
  return seenKw ?? DEFAULT_KW;
}

/** The charging power after a reading, kW; as it was when the reading tells nothing of it. */
export function seenKwAfter(before: number | null, { chargeState }: Vehicle): number | null {
  const rate = chargeState.isCharging === true ? chargeState.chargeRate : null;
  if (rate === null || rate < LEAST_KW) return before;
  return before === null ? rate : before * (1 - NEWEST_SHARE) + rate * NEWEST_SHARE;
}

export function considerationOf(vehicle: Vehicle, seenKw: number | null): Consideration {
  const { isPluggedIn, isCharging } = vehicle.chargeState;
  return {
    isPluggedIn: isPluggedIn === true,
    isCharging: isCharging === true,
    atChargingLocation: locationOf(vehicle) !== null,
    hasTimeEstimate: neededMs(vehicle, seenKw) !== null,
  };
}

/** True while the vehicle is to charge at any price. */
export function isBelowMinimum({ chargeState }: Vehicle, { minimumChargeLimit }: VehicleSmartChargingPolicy): boolean {
  return chargeState.batteryLevel !== null && chargeState.batteryLevel < minimumChargeLimit;
}
