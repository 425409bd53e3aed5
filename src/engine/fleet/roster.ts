import type { Config } from "../../config/config.ts";
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import type { Adapter } from "../../sdk/driver.ts";
import type { DeviceRecord } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { placedOptions } from "../discovery/moved-devices.ts";
import { type DeviceEntry, entryOfConfig, entryOfRecord } from "./device-entry.ts";

export interface RosterOptions {
  readonly config: Pick<Config, "site" | "devices">;
  readonly adapters: readonly Adapter[];
  readonly store: Pick<Store, "all" | "get">;
  /** True while nothing of the user may be reached. */
  isDeauthorized(userId: string): boolean;
}

/** A device that is reached through an account, as its option `account` says. */
export interface AccountUse {
  readonly deviceId: string;
  readonly userId: string;
  readonly adapter: string;
  readonly account: string;
}

/** Which devices there are and how each is run: those of the configuration, then those that were added. */
export class Roster {
  readonly #options: RosterOptions;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  ids(): readonly string[] {
    const { config, store } = this.#options;
    const added = store.all("device").map(({ id }) => id);
    return [...config.devices.map(({ id }) => id), ...added.filter((id) => this.configured(id) === null)];
  }

  /** The devices of users. */
  idsOf(userIds: readonly string[]): readonly string[] {
    return this.ids().filter((id) => userIds.includes(this.userOf(id) ?? ""));
  }

  /** The users that devices belong to. A configured device that was unlinked makes no user of its owner. */
  owners(): readonly string[] {
    const { config } = this.#options;
    const isLinked = (id: string): boolean => this.unlinkedKinds(id).length < ASSET_KINDS.length;
    const owners = this.ids().flatMap((id) => (isLinked(id) ? (this.userOf(id) ?? []) : []));
    // The house has its user before it has a device; not once that user's devices were unlinked.
    const isHouseGone = this.ids().some((id) => this.userOf(id) === config.site.owner && !isLinked(id));
    return isHouseGone ? owners : [config.site.owner, ...owners];
  }

  /** What the configuration says of a device; null when it does not name it. */
  configured(deviceId: string): { readonly userId: string; readonly name: string | null } | null {
    const { config } = this.#options;
    const device = config.devices.find(({ id }) => id === deviceId);
    return device === undefined ? null : { userId: device.owner ?? config.site.owner, name: device.name ?? null };
  }

  /** Null when there is no such device. */
  userOf(deviceId: string): string | null {
    return this.configured(deviceId)?.userId ?? this.#options.store.get("device", deviceId)?.userId ?? null;
  }

  /** The accounts that devices are reached through, also of those that cannot be connected as they are. */
  accounts(): readonly AccountUse[] {
    const { config, store } = this.#options;
    return this.ids().flatMap((deviceId) => {
      const configured = config.devices.find(({ id }) => id === deviceId);
      const record = store.get("device", deviceId);
      const account = configured === undefined ? record?.options["account"] : configured["account"];
      const adapter = configured?.adapter ?? record?.adapter;
      const userId = this.userOf(deviceId);
      if (typeof account !== "string" || adapter === undefined || userId === null) return [];
      return [{ deviceId, userId, adapter, account }];
    });
  }

  /** The kinds of a configured device's assets that its user unlinked. */
  unlinkedKinds(deviceId: string): readonly AssetKind[] {
    return this.#options.store.get("unlinked", deviceId)?.kinds ?? [];
  }

  /** How the device is run now, at the place where it was found last; null when there is no such device. */
  entry(deviceId: string): DeviceEntry | null {
    const entry = this.#entry(deviceId);
    if (entry?.options == null) return entry;
    return { ...entry, options: placedOptions(entry.options, this.#options.store.get("moved-device", deviceId)) };
  }

  /** What the device was configured or linked with, wherever it is now; null when it is not connected. */
  configuredOptions(deviceId: string): DeviceEntry["options"] {
    return this.#entry(deviceId)?.options ?? null;
  }

  #entry(deviceId: string): DeviceEntry | null {
    const { config, adapters, store, isDeauthorized } = this.#options;
    const context = { site: config.site, adapters };
    const configured = config.devices.find(({ id }) => id === deviceId);
    const record = store.get("device", deviceId);
    if (configured === undefined && record === null) return null;
    const entry =
      configured !== undefined
        ? entryOfConfig(configured, this.unlinkedKinds(deviceId), context)
        : record !== null
          ? entryOfRecord(record, context)
          : null;
    if (entry === null) return null;
    const shown = { ...entry, settings: { ...entry.settings, kinds: this.#shownKinds(entry.settings) } };
    return isDeauthorized(entry.settings.userId) ? { ...shown, options: null } : shown;
  }

  /** Without those that are another device's, seen a second time. */
  #shownKinds({ id, kinds }: DeviceEntry["settings"]): readonly AssetKind[] {
    const fixes = this.#options.store.get("correction", id)?.fixes ?? [];
    return kinds.filter((kind) => !fixes.some((fix) => fix.kind === "hide" && fix.assetKind === kind));
  }

  /** Why a device cannot be added, in words; null when it can. */
  faultOf({ adapter: name, options }: Pick<DeviceRecord, "adapter" | "options">): string | null {
    const adapter = this.#options.adapters.find((candidate) => candidate.name === name);
    if (adapter === undefined) return `There is no adapter "${name}".`;
    const parsed = adapter.options.safeParse(options);
    if (parsed.success) return null;
    const [issue] = parsed.error.issues;
    return `The adapter ${name} does not take this: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
  }
}
