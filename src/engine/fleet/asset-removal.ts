import type { Asset, AssetKind } from "../../domain/assets/asset.ts";
import { KIND_RULES } from "../../domain/assets/asset-kinds.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { AssetRecord, LeaseRecord, Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import { removeLease } from "../actions/lease-records.ts";
import { assetEvent } from "../events.ts";

/** The writes that remove assets, and the journal entries of their `deleted` events. */
export interface AssetRemoval {
  readonly writes: readonly Write[];
  readonly entries: readonly NewJournalEntry[];
}

export interface AssetRemovalContext {
  /** Returns the asset as the API shows it; `null` if it is not shown. */
  shown(kind: AssetKind, id: string): Asset | null;
  /** The user of devices without a configured owner. */
  readonly owner: string;
}

/** Returns the writes and events that remove assets. */
export function assetRemoval(records: readonly AssetRecord[], { shown, owner }: AssetRemovalContext): AssetRemoval {
  return {
    writes: records.map(({ id }) => ({ table: "asset", key: id, remove: true })),
    entries: records.flatMap((record) => {
      const asset = shown(record.kind, record.id) ?? lastKnownAsset(record, owner);
      return asset === null ? [] : [assetEvent("deleted", record.kind, asset)];
    }),
  };
}

/** Returns the writes that remove the leases of assets. */
export function leaseRemovals(records: readonly AssetRecord[], store: Pick<Store, "all">): readonly Write[] {
  const isOfAsset = (lease: LeaseRecord, { deviceId, kind }: AssetRecord): boolean =>
    deviceId === lease.deviceId && lease.point.startsWith(`${kind}.`);
  const leases = store.all("lease").filter((lease) => records.some((record) => isOfAsset(lease, record)));
  return leases.map(removeLease);
}

/** Returns the last known state of an asset that is not shown; `null` if its device was never connected. */
function lastKnownAsset(record: AssetRecord, owner: string): Asset | null {
  if (record.device === undefined) return null;
  return KIND_RULES[record.kind].create({
    id: record.id,
    userId: record.userId ?? owner,
    scopes: SCOPES[record.kind],
    siteName: "",
    timezone: "UTC",
    lastSeenMs: record.lastSeenMs ?? record.createdAtMs,
    installedAtMs: record.createdAtMs,
    device: record.device,
  });
}
