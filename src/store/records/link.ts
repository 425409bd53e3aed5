import type { AssetKind } from "../../domain/assets/asset.ts";
import type { ColorScheme } from "../../domain/linking/link.ts";

/** A link session (rule S10). What the user typed is never part of it. */
export interface LinkRecord {
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly userId: string;
  /** The client that asked, as people know it; null when it has no name. */
  readonly appName: string | null;
  /** Null: the user chooses the brand. */
  readonly vendor: string | null;
  readonly vendorTypes: readonly AssetKind[];
  /** What the user is asked to grant. */
  readonly scopes: readonly string[];
  /** As asked for, `browser` among them. */
  readonly language: string;
  readonly redirectUri: string;
  readonly colorScheme: ColorScheme;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** Wall-clock ms; a running gateway counts monotonic time instead. */
  readonly expiresAtMs: number;
  /** True: its one completion is over. */
  readonly isUsed: boolean;
  /** The device whose access is restored; null: devices are added. */
  readonly relinkDeviceId: string | null;
}

/** How a device was linked: what a later sign-in finds it again by. */
export interface LinkOrigin {
  /** Of the adapter's `LinkableVendor`. */
  readonly vendorId: string;
  /** Of the adapter's `FoundDevice`. */
  readonly key: string;
}
