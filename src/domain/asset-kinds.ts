import type { PointName } from "../sdk/points.ts";
import { ASSET_KINDS, type AssetKind, type AssetTypes } from "./asset.ts";
import type { AssetSeed } from "./asset-seed.ts";
import { foldBattery, newBattery } from "./battery.ts";
import { foldCharger, newCharger } from "./charger.ts";
import { foldHvac, newHvac } from "./hvac.ts";
import { foldInverter, newInverter } from "./inverter.ts";
import { foldMeter, newMeter } from "./meter.ts";
import type { Snapshot } from "./snapshot.ts";
import { foldVehicle, newVehicle } from "./vehicle.ts";

/** How an asset of a kind begins and how a turn changes it. */
interface KindRules<Kind extends AssetKind> {
  create(seed: AssetSeed): AssetTypes[Kind];
  /** Answers the same object when the turn read nothing of the asset. */
  fold(asset: AssetTypes[Kind], snapshot: Snapshot, nowMs: number): AssetTypes[Kind];
}

export const KIND_RULES: { readonly [Kind in AssetKind]: KindRules<Kind> } = {
  battery: { create: newBattery, fold: foldBattery },
  charger: { create: newCharger, fold: foldCharger },
  hvac: { create: newHvac, fold: foldHvac },
  inverter: { create: newInverter, fold: foldInverter },
  meter: { create: newMeter, fold: foldMeter },
  vehicle: { create: newVehicle, fold: foldVehicle },
};

/** The kinds of asset that a device with these points carries. */
export function kindsOf(points: readonly PointName[]): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => points.some((point) => point.startsWith(`${kind}.`)));
}
