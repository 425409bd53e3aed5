/** Who lives here: the owners of the configured devices. */

import type { Config } from "../config/config.ts";
import { ASSET_KINDS } from "../domain/asset.ts";
import { problem } from "../domain/problem.ts";
import type { Assets } from "../engine/services.ts";

/** Throws unless the user exists. */
export type RequireUser = (userId: string) => void;

export function createRequireUser(config: Pick<Config, "site" | "devices">, assets: Assets): RequireUser {
  const owners = new Set([config.site.owner, ...config.devices.map((device) => device.owner ?? config.site.owner)]);
  // A device that left the configuration may still have its assets, and they name their user.
  const ownsAsset = (userId: string): boolean =>
    ASSET_KINDS.some((kind) => assets.list(kind).some((entry) => entry.asset.userId === userId));
  return (userId) => {
    if (owners.has(userId) || ownsAsset(userId)) return;
    throw problem("not-found", `There is no user "${userId}".`, { title: "User does not exist" });
  };
}
