import type { PointName, Reading } from "../../points/points.ts";
import { instant } from "../fields.ts";
import { ASSET_KINDS, type Asset, type AssetKind, type AssetTypes } from "./asset.ts";
import type { AssetSeed } from "./asset-seed.ts";
import { foldBattery, newBattery } from "./battery.ts";
import { foldCharger, newCharger } from "./charger.ts";
import { foldHvac, newHvac } from "./hvac.ts";
import { foldInverter, newInverter } from "./inverter.ts";
import { foldMeter, newMeter } from "./meter.ts";
import type { Snapshot } from "./snapshot.ts";
import { foldVehicle, newVehicle } from "./vehicle.ts";

/** How an asset of a kind is created and how a poll changes it. */
interface KindRules<Kind extends AssetKind> {
  /** Returns the asset before its first reading. */
  create(seed: AssetSeed): AssetTypes[Kind];
  /** Returns the asset after a poll; the same object if the poll read nothing of it. */
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

/** Returns the kinds of asset that a device with these points has. */
export function kindsOf(points: readonly PointName[]): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => {
    const prefix = `${kind}.`;
    return points.some((point) => point.startsWith(prefix));
  });
}

/** Returns the asset for its discovery event: its identity without readings (rule S1.7); of an HVAC unit also `isActive`. */
export function asDiscovered(
  { information }: Asset,
  bare: Asset,
  { readings, nowMs }: { readonly readings: readonly Reading[]; readonly nowMs: number },
): Asset {
  const found = Object.assign({}, bare, { information });
  if (!("temperatureState" in found)) return found;
  const reading = readings.find(({ point }) => point === "hvac.isActive")?.value ?? null;
  const isActive = reading === true;
  const lastUpdated = reading === null ? null : instant(nowMs);
  return { ...found, isActive, temperatureState: { ...found.temperatureState, isActive, lastUpdated } };
}
