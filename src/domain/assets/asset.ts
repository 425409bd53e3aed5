import type { Battery } from "./battery.ts";
import type { Charger } from "./charger.ts";
import type { Hvac } from "./hvac.ts";
import type { Inverter } from "./inverter.ts";
import type { Meter } from "./meter.ts";
import type { Vehicle } from "./vehicle.ts";

/** The record of each kind of asset. An asset is what the API shows; one device can have several. */
export interface AssetTypes {
  readonly battery: Battery;
  readonly charger: Charger;
  readonly hvac: Hvac;
  readonly inverter: Inverter;
  readonly meter: Meter;
  readonly vehicle: Vehicle;
}
export type AssetKind = keyof AssetTypes;
export type Asset = AssetTypes[AssetKind];

export const ASSET_KINDS: readonly AssetKind[] = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"];
