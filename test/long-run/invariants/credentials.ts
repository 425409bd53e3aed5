import type { Capability } from "../../../src/domain/assets/capability.ts";

interface ShownAsset {
  readonly id: string;
  readonly userId: string;
  readonly vendor: string;
  readonly isReachable: boolean | null;
  readonly capabilities: object;
}

interface ShownUser {
  readonly id: string;
  readonly linkedVendors: readonly { readonly vendor: string; readonly isValid: boolean }[];
}

/** An asset whose credentials are invalid is not reachable, can do nothing, and says how to help (rule I3.4). */
export function credentialBreaches(users: readonly ShownUser[], assets: readonly ShownAsset[]): readonly string[] {
  return assets.flatMap((asset) => {
    const linked = users.find(({ id }) => id === asset.userId)?.linkedVendors ?? [];
    if (!linked.some(({ vendor, isValid }) => vendor === asset.vendor && !isValid)) return [];
    const name = `asset ${asset.id} without credentials`;
    const capable = Object.entries(asset.capabilities)
      .filter((entry): entry is [string, Capability] => isCapability(entry[1]))
      .filter(([, { isCapable, interventionIds }]) => isCapable || interventionIds.length === 0);
    return [
      ...(asset.isReachable === true ? [`${name} is reachable`] : []),
      ...capable.map(([key]) => `${name} is capable of ${key}, or names no remedy`),
    ];
  });
}

function isCapability(value: unknown): value is Capability {
  return typeof value === "object" && value !== null && "isCapable" in value;
}
