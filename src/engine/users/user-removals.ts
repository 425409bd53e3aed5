import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import type { AssetRecord, DeviceRecord, Write } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Forgetter, Removal, UserRemovals } from "../contracts/users.ts";
import { kindsGranted, scopesWithout } from "../fleet/device-entry.ts";
import type { Detachment, FleetService } from "../fleet/fleet-service.ts";
import type { Roster } from "../fleet/roster.ts";
import { putUser, type UserService } from "./user-service.ts";

export interface UserRemovalOptions {
  readonly store: Pick<Store, "all" | "get">;
  readonly assets: Assets;
  readonly users: UserService;
  readonly fleet: Pick<FleetService, "detach">;
  readonly roster: Roster;
  /** What features keep of users and assets. */
  readonly forgetters: Required<Forgetter>;
}

export class UserRemovalService implements UserRemovals {
  readonly #options: UserRemovalOptions;

  constructor(options: UserRemovalOptions) {
    this.#options = options;
  }

  async remove(userId: string): Promise<void> {
    const { users, fleet, roster, store, forgetters } = this.#options;
    users.require(userId);
    const removal: Removal = { kind: "user", userId };
    const detachments = roster.idsOf([userId]).map((deviceId) => this.#leaving(deviceId, ASSET_KINDS));
    await fleet.detach(detachments, "deleted", {
      writes: () => [
        ...store.all("action").flatMap((record) => (record.action.userId === userId ? [removedAction(record)] : [])),
        ...this.#authorizationRemovals(userId, null),
        ...forgetters.forget(removal),
        { table: "user", key: userId, remove: true },
      ],
      onStored: () => forgetters.onForgotten(removal),
    });
  }

  async deauthorize(userId: string): Promise<void> {
    const { users, fleet, roster, forgetters } = this.#options;
    const { createdAtMs } = users.require(userId);
    const removal: Removal = { kind: "authorization", userId };
    const detachments = roster.idsOf([userId]).map((deviceId) => this.#parking(deviceId));
    await fleet.detach(detachments, "parked", {
      writes: () => [
        ...this.#authorizationRemovals(userId, null),
        ...forgetters.forget(removal),
        putUser({ id: userId, createdAtMs, isDeauthorized: true }),
      ],
      onStored: () => forgetters.onForgotten(removal),
    });
  }

  async unlink(userId: string, vendor: string, vendorType: AssetKind | null): Promise<void> {
    const { users, fleet } = this.#options;
    users.require(userId);
    const own = this.#assetsOf(userId, vendor);
    const leaving = own.filter(({ kind }) => vendorType === null || kind === vendorType);
    const kindsByDevice = Map.groupBy(leaving, ({ deviceId }) => deviceId);
    const detachments = [...kindsByDevice].map(([deviceId, records]) =>
      this.#leaving(
        deviceId,
        records.map(({ kind }) => kind),
      ),
    );
    const isLast = leaving.length === own.length;
    await fleet.detach(detachments, "deleted", {
      writes: () => (isLast ? this.#authorizationRemovals(userId, vendor) : []),
    });
  }

  #assetsOf(userId: string, vendor: string): readonly AssetRecord[] {
    const { assets, store } = this.#options;
    return store.all("asset").filter(({ kind, id }) => {
      const asset = assets.get(kind, id);
      return asset?.userId === userId && asset.vendor === vendor;
    });
  }

  /** Kinds of a device's assets go. A device without any left is forgotten; a configured one is hidden. */
  #leaving(deviceId: string, kinds: readonly AssetKind[]): Detachment {
    return {
      deviceId,
      concerns: ({ kind }) => kinds.includes(kind),
      writes: () => {
        const records = this.#options.store.all("asset").filter((record) => record.deviceId === deviceId);
        const isEmpty = records.every(({ kind }) => kinds.includes(kind));
        return [this.#write(deviceId, isEmpty ? ASSET_KINDS : kinds)];
      },
    };
  }

  #write(deviceId: string, kinds: readonly AssetKind[]): Write {
    const { roster, store } = this.#options;
    const record = store.get("device", deviceId);
    if (record === null || roster.configured(deviceId) !== null) {
      const unlinked = new Set([...roster.unlinkedKinds(deviceId), ...kinds]);
      return { table: "unlinked", key: deviceId, put: { deviceId, kinds: [...unlinked] } };
    }
    const scopes = scopesWithout(record.scopes, kinds);
    return kindsGranted(scopes).length === 0
      ? { table: "device", key: deviceId, remove: true }
      : { table: "device", key: deviceId, put: { ...record, scopes } };
  }

  #parking(deviceId: string): Detachment {
    const { store, roster } = this.#options;
    return {
      deviceId,
      concerns: () => true,
      writes: () => {
        const record = roster.configured(deviceId) === null ? store.get("device", deviceId) : null;
        return record === null ? [] : [{ table: "device", key: deviceId, put: withoutCredentials(record) }];
      },
    };
  }

  #authorizationRemovals(userId: string, vendor: string | null): readonly Write[] {
    return this.#options.store
      .all("authorization")
      .filter((record) => record.userId === userId && (vendor === null || record.vendor === vendor))
      .map((record) => ({ table: "authorization", key: `${userId}/${record.vendor}`, remove: true }));
  }
}

function removedAction({ action }: { readonly action: { readonly id: string } }): Write {
  return { table: "action", key: action.id, remove: true };
}

/** A simulated device keeps what it is: it has no credentials, only a state. */
function withoutCredentials(record: DeviceRecord): DeviceRecord {
  return { ...record, options: record.source === "simulated" ? record.options : {}, isUnlinked: true };
}
