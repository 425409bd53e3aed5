import { CONTROL_SCOPES } from "../../../domain/actions/action-refusal.ts";
import type { Vehicle, VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import { type ProblemError, problem } from "../../../domain/problem.ts";
import type { SmartParts } from "../smart-parts.ts";
import { locationOf } from "./vehicle-outlook.ts";

/** Percent that a vendor's vehicles cannot be limited below, so that a lower minimum means nothing to them. */
const VENDOR_FLOORS: Readonly<Record<string, number>> = { TESLA: 50 };

/** Why smart charging cannot be switched on with a policy (rule S2.4); null when it can. */
export function activationFault(
  vehicle: Vehicle,
  policy: VehicleSmartChargingPolicy,
  parts: Pick<SmartParts, "assets" | "locations" | "prices">,
): ProblemError | null {
  const why =
    incapable(vehicle) ??
    taken(vehicle, parts) ??
    (policy.deadline === null ? "A deadline is needed: set `deadline` to the time by which to be charged." : null) ??
    badMinimum(vehicle, policy) ??
    unpriced(vehicle, parts);
  return why === null ? null : problem("bad-request", why, { title: "Cannot activate smart charging" });
}

/** True while the vehicle can be smart charged: it can be switched, it tells its state, and the user allows it. */
export function isSmartCapable({ capabilities, scopes }: Vehicle): boolean {
  return capabilities.smartCharging.isCapable && scopes.includes(CONTROL_SCOPES.vehicle);
}

function incapable({ capabilities, scopes }: Vehicle): string | null {
  if (!scopes.includes(CONTROL_SCOPES.vehicle)) return `The scope ${CONTROL_SCOPES.vehicle} is not granted.`;
  return capabilities.smartCharging.isCapable ? null : "This vehicle is not capable of smart charging.";
}

/** Two users may link one vehicle; one of them may have it charged smartly. */
function taken({ id, userId, information }: Vehicle, { assets }: Pick<SmartParts, "assets">): string | null {
  if (information.vin === null) return null;
  const isOthers = assets
    .list("vehicle")
    .some(
      ({ asset }) =>
        asset.id !== id &&
        asset.userId !== userId &&
        asset.information.vin === information.vin &&
        asset.smartChargingPolicy.isEnabled,
    );
  return isOthers ? "Another user has smart charging switched on for this vehicle." : null;
}

function badMinimum(vehicle: Vehicle, { minimumChargeLimit }: VehicleSmartChargingPolicy): string | null {
  const { chargeLimit } = vehicle.chargeState;
  if (chargeLimit !== null && minimumChargeLimit > chargeLimit) {
    return `minimumChargeLimit ${minimumChargeLimit} % is above the vehicle's charge limit of ${chargeLimit} %.`;
  }
  const floor = VENDOR_FLOORS[vehicle.vendor] ?? 0;
  // 0 is "no minimum", and no limit of the vehicle.
  if (minimumChargeLimit === 0 || minimumChargeLimit >= floor) return null;
  return `minimumChargeLimit ${minimumChargeLimit} % is below ${floor} %, the least for vehicles of ${vehicle.vendor}.`;
}

/** A vehicle on the road has no location: then any of the user's will do. */
function unpriced(vehicle: Vehicle, { locations, prices }: Pick<SmartParts, "locations" | "prices">): string | null {
  const own = locations.list(vehicle.userId).map(({ location }) => location.id);
  const at = locationOf(vehicle);
  const places = at === null ? [null, ...own] : [at];
  if (places.some((place) => prices.hasSource(place))) return null;
  return "Prices are not known: the vehicle's location has no tariff and is in no price area.";
}
