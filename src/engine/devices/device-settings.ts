import type { AssetKind } from "../../domain/assets/asset.ts";

/** What the configuration says about a device and its house. */
export interface DeviceSettings {
  readonly id: string;
  readonly adapter: string;
  readonly name: string | undefined;
  readonly userId: string;
  /** Day of the installation, YYYY-MM-DD; absent: nobody set it. */
  readonly installedOn?: string | undefined;
  readonly scopes: readonly string[] | undefined;
  /** The kinds of asset that are shown of it, whatever else it carries. */
  readonly kinds: readonly AssetKind[];
  readonly siteName: string;
  /** IANA time zone. */
  readonly timezone: string;
}
