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
  /** True if the user's devices must not be connected. */
  isDeauthorized(userId: string): boolean;
}

/** A device with the option `account`. */
export interface AccountUse {
  readonly deviceId: string;
  readonly userId: string;
  readonly adapter: string;
  readonly account: string;
}

/** Lists the devices of the configuration, then those that were added, with their settings and options. */
export class Roster {
  readonly #options: RosterOptions;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** Returns the ids of all devices. */
  ids(): readonly string[] {
    const { config, store } = this.#options;
    const added = store.all("device").map(({ id }) => id);
    return [...config.devices.map(({ id }) => id), ...added.filter((id) => this.configured(id) === null)];
  }

  /** Returns the ids of the users' devices. */
  idsOf(userIds: readonly string[]): readonly string[] {
    return this.ids().filter((id) => userIds.includes(this.userOf(id) ?? ""));
  }

  /** Returns the owners of all devices, except owners of which all configured devices were unlinked. */
  owners(): readonly string[] {
    const { config } = this.#options;
    const isLinked = (id: string): boolean => this.unlinkedKinds(id).length < ASSET_KINDS.length;
    const owners = this.ids().flatMap((id) => (isLinked(id) ? (this.userOf(id) ?? []) : []));
    // The site's owner is a user even without devices, unless the owner's devices were unlinked.
    const isOwnerUnlinked = this.ids().some((id) => this.userOf(id) === config.site.owner && !isLinked(id));
    return isOwnerUnlinked ? owners : [config.site.owner, ...owners];
  }

  /** Returns owner and name of a configured device; `null` for all others. */
  configured(deviceId: string): { readonly userId: string; readonly name: string | null } | null {
    const { config } = this.#options;
    const device = config.devices.find(({ id }) => id === deviceId);
    return device === undefined ? null : { userId: device.owner ?? config.site.owner, name: device.name ?? null };
  }

  /** Returns the user of a device; `null` if the device is unknown. */
  userOf(deviceId: string): string | null {
    return this.configured(deviceId)?.userId ?? this.#options.store.get("device", deviceId)?.userId ?? null;
  }

  /** Returns the account of each device that has one, including devices with invalid options. */
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

  /** Returns the kinds of a configured device's assets that its user unlinked. */
  unlinkedKinds(deviceId: string): readonly AssetKind[] {
    return this.#options.store.get("unlinked", deviceId)?.kinds ?? [];
  }

  /** Returns settings and options of a device, with the address where it was last found; `null` if it is unknown. */
  entry(deviceId: string): DeviceEntry | null {
    const entry = this.#entry(deviceId);
    if (entry?.options == null) return entry;
    return { ...entry, options: placedOptions(entry.options, this.#options.store.get("moved-device", deviceId)) };
  }

  /** Returns the options that the device was configured or linked with; `null` if it is not connected. */
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

  /** Returns the kinds without those that a confirmed fix hides because another device shows them too. */
  #shownKinds({ id, kinds }: DeviceEntry["settings"]): readonly AssetKind[] {
    const fixes = this.#options.store.get("correction", id)?.fixes ?? [];
    return kinds.filter((kind) => !fixes.some((fix) => fix.kind === "hide" && fix.assetKind === kind));
  }

  /** Returns why a device cannot be added, as text; `null` if it can. */
  faultOf({ adapter: name, options }: Pick<DeviceRecord, "adapter" | "options">): string | null {
    const adapter = this.#options.adapters.find((candidate) => candidate.name === name);
    if (adapter === undefined) return `There is no adapter "${name}".`;
    const parsed = adapter.options.safeParse(options);
    if (parsed.success) return null;
    const [issue] = parsed.error.issues;
    return `The adapter ${name} refuses the options: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
  }
}
