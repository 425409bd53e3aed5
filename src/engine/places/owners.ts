import { ASSET_KINDS } from "../../domain/asset.ts";
import { problem } from "../../domain/problem.ts";
import type { PartContext } from "../engine-part.ts";

/** Throws `not-found`, titled "User does not exist", for an id that is no user's. */
export interface UserCheck {
  require(id: string): unknown;
}

/** Users are who owns a device, of the configuration or one that is shown. */
export function ownersOf({ config, assets }: Pick<PartContext, "config" | "assets">): UserCheck {
  const owners = new Set([config.site.owner, ...config.devices.map(({ owner }) => owner ?? config.site.owner)]);
  const ownsAsset = (id: string): boolean =>
    ASSET_KINDS.some((kind) => assets.list(kind).some(({ asset }) => asset.userId === id));
  return {
    require: (id) => {
      if (owners.has(id) || ownsAsset(id)) return;
      throw problem("not-found", `There is no user "${id}".`, { title: "User does not exist" });
    },
  };
}
