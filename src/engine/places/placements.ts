/** The assignment of chargers and HVAC units to locations (rule S5.2). */

import { changesBetween } from "../../domain/assets/changes.ts";
import type { Charger } from "../../domain/assets/charger.ts";
import type { Hvac } from "../../domain/assets/hvac.ts";
import { instant } from "../../domain/fields.ts";
import { patch } from "../../domain/patch.ts";
import type { PlacementRecord, Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";
import { assetUpdated } from "../events.ts";

type Placement = Omit<PlacementRecord, "assetId">;

/** Returns the charger with its assigned location; the same object if nothing changes. */
export function placedCharger(charger: Charger, { locationId, atMs }: Placement): Charger {
  const location = patch(charger.location, { id: locationId, lastUpdated: instant(atMs) });
  return patch(charger, { chargingLocationId: locationId, locationId, location });
}

/** Returns the HVAC unit with its assigned location; the same object if nothing changes. */
export function placedHvac(hvac: Hvac, { locationId }: Placement): Hvac {
  return patch(hvac, { locationId, location: patch(hvac.location, { id: locationId }) });
}

/** A placement to be stored, with its journal entry. */
export interface PlacementChange {
  readonly record: PlacementRecord;
  readonly write: Write;
  readonly entry: NewJournalEntry | null;
  /** The asset's fields that the entry contains. */
  readonly fields: object;
}

/** Returns the change that assigns an asset to a location. It has no journal entry if the asset is not shown. */
export function placementChange(assets: Pick<Assets, "get">, record: PlacementRecord): PlacementChange {
  const { kind, assetId } = record;
  const write: Write = { table: "placement", key: assetId, put: record };
  if (kind === "charger") {
    const charger = assets.get("charger", assetId);
    if (charger === null) return { record, write, entry: null, fields: {} };
    const placed = placedCharger(charger, record);
    const { chargingLocationId, locationId, location } = placed;
    const entry = assetUpdated(kind, placed, changesBetween(charger, placed).paths);
    return { record, write, entry, fields: { chargingLocationId, locationId, location } };
  }
  const hvac = assets.get("hvac", assetId);
  if (hvac === null) return { record, write, entry: null, fields: {} };
  const placed = placedHvac(hvac, record);
  const entry = assetUpdated(kind, placed, changesBetween(hvac, placed).paths);
  return { record, write, entry, fields: { locationId: placed.locationId, location: placed.location } };
}

/** Returns the writes that delete the placements of the matching assets. */
export function placementRemovals(store: Pick<Store, "all">, matches: (assetId: string) => boolean): readonly Write[] {
  return store
    .all("placement")
    .filter(({ assetId }) => matches(assetId))
    .map(({ assetId }): Write => ({ table: "placement", key: assetId, remove: true }));
}
