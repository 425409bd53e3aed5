/** Whose a path is: for versions in which a header names the user, and a stranger's things are not found. */
import type { Action } from "../domain/action.ts";
import type { AssetKind } from "../domain/asset.ts";
import type { Engine } from "../engine/services.ts";

type OwnerOf = (id: string, path: string) => string | null | undefined;

/** Answers the owner of what a routed path leads to; null when it leads to nothing that has one. */
export function createOwners({ assets, actions, services }: Engine) {
  const ofAsset =
    (kind: AssetKind): OwnerOf =>
    (id) =>
      assets.get(kind, id)?.userId;
  const owners: Readonly<Record<string, OwnerOf>> = {
    chargerId: ofAsset("charger"),
    hvacId: ofAsset("hvac"),
    inverterId: ofAsset("inverter"),
    vehicleId: ofAsset("vehicle"),
    locationId: (id) => services.locations.get(id)?.userId,
    actionId: (id, path) => {
      const targetType = TARGETS[path.split("/")[1] ?? ""];
      return targetType === undefined ? null : actions.get(targetType, id)?.userId;
    },
  };
  return (parameters: Readonly<Record<string, string>>, path: string): string | null => {
    for (const [name, id] of Object.entries(parameters)) {
      const owner = owners[name]?.(id, path) ?? null;
      if (owner !== null) return owner;
    }
    return null;
  };
}

const TARGETS: Readonly<Record<string, Action["targetType"]>> = {
  chargers: "charger",
  hvacs: "hvac",
  vehicles: "vehicle",
};
