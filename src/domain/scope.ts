import type { AssetKind } from "./asset.ts";

/** The scopes of this slice's assets (supplement 4.1). */
export const SCOPES: Readonly<Record<AssetKind, readonly string[]>> = {
  battery: ["battery:control:operation_mode", "battery:read:data", "battery:read:location"],
  charger: ["charger:control:charging", "charger:read:data"],
  inverter: ["inverter:read:data", "inverter:read:location"],
  meter: ["meter:read:data", "meter:read:location"],
};
