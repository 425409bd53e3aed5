/** The changes that requests make to simulated devices. */
import type { AssetKind } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import type { SimulatedDevice } from "../../domain/sandbox/simulated.ts";
import type { SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";
import { VENDORS } from "../../domain/vendors/vendor.ts";

const GENERIC_VENDOR = "SIMULATED";

/** Returns the vendor code in the spelling of its kind. Throws `bad-request` if the kind does not have it. */
export function vendorOf(kind: AssetKind, requested: string): string {
  const known = [...VENDORS[kind], GENERIC_VENDOR].find((code) => code.toUpperCase() === requested.toUpperCase());
  if (known !== undefined) return known;
  throw problem("bad-request", `The vendor "${requested}" has no ${kind}; use SIMULATED for a generic one.`);
}

type Plate = Pick<SimulatedDevice, "name" | "model" | "year" | "category" | "groupName" | "location">;

export function plateAfter(before: Plate, changes: SimulatedChanges): Plate {
  const { name, model, year, category, groupName, location } = changes;
  return {
    name: name === undefined ? before.name : name,
    model: model === undefined ? before.model : model,
    year: year === undefined ? before.year : year,
    category: category === undefined ? before.category : category,
    groupName: groupName === undefined ? before.groupName : groupName,
    location: location === undefined ? before.location : location,
  };
}

/** Returns the part of a device that only a new connection can change, as text to compare. */
export function plateOf({ name, model, year, category, groupName, location }: Plate): string {
  return JSON.stringify([name, model, year, category, groupName, location === null]);
}

/** Adds the effects of plugging in or out: charging is enabled again, and an unplugged vehicle is at no charger. */
export function withPlugging(before: SimulatedDevice, changes: Readonly<Record<string, unknown>>): object {
  const isPluggedIn = changes["isPluggedIn"];
  if (typeof isPluggedIn !== "boolean" || !("isPluggedIn" in before.state)) return changes;
  if (isPluggedIn === before.state.isPluggedIn) return changes;
  if (before.kind === "charger") return { energySession: 0, isChargingEnabled: true, ...changes };
  return { isChargingEnabled: true, ...(isPluggedIn ? {} : { pluggedInChargerId: null }), ...changes };
}
