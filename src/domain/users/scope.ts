import type { AssetKind } from "../assets/asset.ts";

/** The scopes of each kind of asset (rule S4.1). */
export const SCOPES: Readonly<Record<AssetKind, readonly string[]>> = {
  battery: ["battery:control:operation_mode", "battery:read:data", "battery:read:location"],
  charger: ["charger:control:charging", "charger:read:data"],
  hvac: ["hvac:control:mode", "hvac:read:data"],
  inverter: ["inverter:read:data", "inverter:read:location"],
  meter: ["meter:read:data", "meter:read:location"],
  vehicle: ["vehicle:control:charging", "vehicle:read:data", "vehicle:read:location"],
};

/** Returns the scopes of an asset: those of its kind that are configured for its device, or all if none are configured. */
export function scopesFor(kind: AssetKind, configured: readonly string[] | undefined): readonly string[] {
  if (configured === undefined) return SCOPES[kind];
  return SCOPES[kind].filter((scope) => configured.includes(scope));
}

/** The scopes of clients of the API: what a client may do beside what every client may. */
export const CLIENT_SCOPES = ["energy:limits", "people:manage"] as const;
export type ClientScope = (typeof CLIENT_SCOPES)[number];
