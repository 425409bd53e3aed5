/** What a request makes of a made-up device. Pure. */
import type { AssetKind } from "../../domain/assets/asset.ts";
import { problem } from "../../domain/problem.ts";
import type { SimulatedDevice } from "../../domain/sandbox/simulated.ts";
import type { SimulatedChanges } from "../../domain/sandbox/simulated-request.ts";
import { VENDORS } from "../../domain/vendors/vendor.ts";

const GENERIC_VENDOR = "SIMULATED";

/** The code as its category writes it. Throws for one that the category does not have. */
export function vendorOf(kind: AssetKind, asked: string): string {
  const known = [...VENDORS[kind], GENERIC_VENDOR].find((code) => code.toUpperCase() === asked.toUpperCase());
  if (known !== undefined) return known;
  throw problem("bad-request", `No ${kind} is of the vendor "${asked}"; SIMULATED is for any.`);
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

/** What a new connection tells anew. */
export function plateOf({ name, model, year, category, groupName, location }: Plate): string {
  return JSON.stringify([name, model, year, category, groupName, location === null]);
}

/** Plugging in starts anew: the vehicle takes power when it is offered, and hangs where it is said to. */
export function withPlugging(before: SimulatedDevice, changes: Readonly<Record<string, unknown>>): object {
  const isPluggedIn = changes["isPluggedIn"];
  if (typeof isPluggedIn !== "boolean" || !("isPluggedIn" in before.state)) return changes;
  if (isPluggedIn === before.state.isPluggedIn) return changes;
  if (before.kind === "charger") return { energySession: 0, isChargingEnabled: true, ...changes };
  return { isChargingEnabled: true, ...(isPluggedIn ? {} : { pluggedInChargerId: null }), ...changes };
}
