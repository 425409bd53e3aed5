import type { Asset, AssetKind } from "../../domain/assets/asset.ts";
import { KIND_RULES } from "../../domain/assets/asset-kinds.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { AssetRecord, LeaseRecord, Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import { removeLease } from "../actions/lease-records.ts";
import { assetEvent } from "../events.ts";

/** What a commit takes to forget assets, and what it tells. */
export interface Farewell {
  readonly writes: readonly Write[];
  readonly entries: readonly NewJournalEntry[];
}

export interface FarewellContext {
  /** The asset as it is shown now; null when it is not. */
  shown(kind: AssetKind, id: string): Asset | null;
  /** The user of a device that names none. */
  readonly owner: string;
}

/** Forgets assets, and tells their `deleted` events. */
export function farewellTo(records: readonly AssetRecord[], { shown, owner }: FarewellContext): Farewell {
  return {
    writes: records.map(({ id }) => ({ table: "asset", key: id, remove: true })),
    entries: records.flatMap((record) => {
      const asset = shown(record.kind, record.id) ?? lastKnownAsset(record, owner);
      return asset === null ? [] : [assetEvent("deleted", record.kind, asset)];
    }),
  };
}

/** Forgets what is held on devices for these assets. */
export function leasesOf(records: readonly AssetRecord[], store: Pick<Store, "all">): readonly Write[] {
  const isHeldFor = (lease: LeaseRecord, { deviceId, kind }: AssetRecord): boolean =>
    deviceId === lease.deviceId && lease.point.startsWith(`${kind}.`);
  const leases = store.all("lease").filter((lease) => records.some((record) => isHeldFor(lease, record)));
  return leases.map(removeLease);
}

/** The last state of an asset that no device shows; null when its device was never connected. */
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
