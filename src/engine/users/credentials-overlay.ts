import type { AssetKind, AssetTypes } from "../../domain/assets/asset.ts";
import type { Capability } from "../../domain/assets/capability.ts";
import { interventionId } from "../../domain/interventions/intervention.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";

/**
 * What assets show while their user's credentials are not accepted (rule I3.4): they are out of reach, can do
 * nothing, and name the intervention that helps.
 */
export function createCredentialsOverlay(isValid: (userId: string, vendor: string) => boolean): AssetOverlay {
  const overlay =
    <Kind extends AssetKind>(kind: Kind) =>
    (asset: AssetTypes[Kind]): AssetTypes[Kind] => {
      if (isValid(asset.userId, asset.vendor)) return asset;
      const capabilities = incapable(asset.capabilities, [interventionId("relink", asset.vendor, kind)]);
      if (asset.isReachable === false && capabilities === asset.capabilities) return asset;
      return Object.assign({}, asset, { isReachable: false, capabilities });
    };
  return {
    battery: overlay("battery"),
    charger: overlay("charger"),
    hvac: overlay("hvac"),
    inverter: overlay("inverter"),
    meter: overlay("meter"),
    vehicle: overlay("vehicle"),
  };
}

/** The same object when it says so already. */
function incapable<Capabilities extends object>(capabilities: Capabilities, interventionIds: string[]): Capabilities {
  const changed: Record<string, Capability> = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (!isCapability(value)) continue;
    const isSaid = !value.isCapable && value.interventionIds.join() === interventionIds.join();
    if (!isSaid) changed[name] = { isCapable: false, interventionIds };
  }
  return Object.keys(changed).length === 0 ? capabilities : Object.assign({}, capabilities, changed);
}

function isCapability(value: unknown): value is Capability {
  return typeof value === "object" && value !== null && "isCapable" in value && "interventionIds" in value;
}
