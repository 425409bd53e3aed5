/** What a path of an older version leads to: whose it is, and whether that version knows such a thing. */
import type { Action } from "../../domain/actions/action.ts";
import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Engine } from "../../engine/contracts/engine.ts";
import type { ApiVersion } from "../versions/version.ts";

type OwnerOf = (id: string, path: string) => string | null | undefined;

export interface Owners {
  /** The owner of what a routed path leads to; null when it leads to nothing that has one. */
  ownerOf(parameters: Readonly<Record<string, string>>, path: string): string | null;
  /** True when the path leads to what the version does not know. */
  isHidden(parameters: Readonly<Record<string, string>>, version: ApiVersion): boolean;
}

export function createOwners({ assets, actions, services }: Engine): Owners {
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
    scheduleId: (id) => services.schedules.list().find(({ schedule }) => schedule.id === id)?.userId,
    actionId: (id, path) => {
      const targetType = TARGETS[path.split("/")[1] ?? ""];
      return targetType === undefined ? null : actions.get(targetType, id)?.userId;
    },
  };
  return {
    ownerOf(parameters, path) {
      for (const [name, id] of Object.entries(parameters)) {
        const owner = owners[name]?.(id, path) ?? null;
        if (owner !== null) return owner;
      }
      return null;
    },
    isHidden({ scheduleId }, { lacksTypes }) {
      if (scheduleId === undefined || !lacksTypes.has("TemperatureSchedule")) return false;
      return services.schedules.get(scheduleId)?.targetType === "hvac";
    },
  };
}

const TARGETS: Readonly<Record<string, Action["targetType"]>> = {
  chargers: "charger",
  hvacs: "hvac",
  vehicles: "vehicle",
};
