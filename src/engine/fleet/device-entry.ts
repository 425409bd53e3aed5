import type { Config, DeviceConfig } from "../../config/config.ts";
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { Adapter } from "../../sdk/driver.ts";
import type { DeviceRecord } from "../../store/records.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";

/** The settings and options of a device of the configuration, or of one that a user added. */
export interface DeviceEntry {
  readonly settings: DeviceSettings;
  /** Parsed with the adapter's schema; `null` if the device is not connected and only its assets are shown. */
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** The configuration and adapters that entries are made with. */
export interface EntryContext {
  readonly site: Config["site"];
  readonly adapters: readonly Adapter[];
}

/** Returns the entry of a configured device. Throws if its adapter is unknown, which the configuration's check rules out. */
export function entryOfConfig(
  config: DeviceConfig,
  unlinked: readonly AssetKind[],
  context: EntryContext,
): DeviceEntry {
  const { id, adapter: adapterName, name, owner, installedOn, scopes, ...rest } = config;
  const adapter = context.adapters.find((candidate) => candidate.name === adapterName);
  if (adapter === undefined) throw new Error(`device ${id}: there is no adapter ${adapterName}`);
  const kinds = ASSET_KINDS.filter((kind) => !unlinked.includes(kind));
  return {
    settings: {
      id,
      adapter: adapterName,
      name,
      userId: owner ?? context.site.owner,
      installedOn,
      scopes,
      kinds,
      siteName: context.site.name,
      timezone: context.site.timezone,
    },
    options: kinds.length === 0 ? null : adapter.options.parse(rest),
  };
}

/** Returns the entry of an added device. It is not connected if an update has made its options invalid. */
export function entryOfRecord(record: DeviceRecord, context: EntryContext): DeviceEntry {
  const adapter = context.adapters.find((candidate) => candidate.name === record.adapter);
  const parsed = adapter?.options.safeParse(record.options);
  return {
    settings: {
      id: record.id,
      adapter: record.adapter,
      name: record.name ?? undefined,
      userId: record.userId,
      scopes: record.scopes ?? undefined,
      kinds: kindsGranted(record.scopes),
      siteName: context.site.name,
      timezone: context.site.timezone,
    },
    options: parsed?.success === true && record.isUnlinked !== true ? parsed.data : null,
  };
}

/** Returns the kinds of asset whose data the scopes allow to read (rule S4.1); all for `null`. */
export function kindsGranted(scopes: readonly string[] | null): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => scopes === null || scopes.includes(`${kind}:read:data`));
}

/** Returns the scopes without those of the kinds; `null` stands for all scopes. */
export function scopesWithout(scopes: readonly string[] | null, kinds: readonly AssetKind[]): readonly string[] {
  const all = scopes ?? Object.values(SCOPES).flat();
  return all.filter((scope) => !kinds.some((kind) => scope.startsWith(`${kind}:`)));
}
