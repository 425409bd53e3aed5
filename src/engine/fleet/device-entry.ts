import type { Config, DeviceConfig } from "../../config/config.ts";
import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { SCOPES } from "../../domain/users/scope.ts";
import type { Adapter } from "../../sdk/driver.ts";
import type { DeviceRecord } from "../../store/records.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";

/** A device as it is run, whether the configuration names it or a user added it. */
export interface DeviceEntry {
  readonly settings: DeviceSettings;
  /** As the adapter's schema parsed them; null: it is not connected, and only its assets are shown. */
  readonly options: Readonly<Record<string, unknown>> | null;
}

/** What entries are made with. */
export interface EntryContext {
  readonly site: Config["site"];
  readonly adapters: readonly Adapter[];
}

/** The entry of a configured device. The configuration was checked, so a fault in it is a bug. */
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

/** The entry of a device that was added. Its options were checked then; what an update made invalid is not connected. */
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

/** The kinds of asset that scopes let be linked: their data may be read (rule S4.1). Null grants all. */
export function kindsGranted(scopes: readonly string[] | null): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => scopes === null || scopes.includes(`${kind}:read:data`));
}

/** The scopes that are left when kinds of asset are taken away. */
export function scopesWithout(scopes: readonly string[] | null, kinds: readonly AssetKind[]): readonly string[] {
  const all = scopes ?? Object.values(SCOPES).flat();
  return all.filter((scope) => !kinds.some((kind) => scope.startsWith(`${kind}:`)));
}
