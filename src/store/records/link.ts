import type { AssetKind } from "../../domain/assets/asset.ts";
import type { ColorScheme } from "../../domain/linking/link.ts";

/** A link session (rule S10). It never contains what the user typed. */
export interface LinkRecord {
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly userId: string;
  /** Name of the client for people; `null` if it has none. */
  readonly appName: string | null;
  /** True if a person began on the gateway's own page; absent in records of earlier versions. */
  readonly isOwnPage?: boolean;
  /** `null` if the user chooses the vendor. */
  readonly vendor: string | null;
  readonly vendorTypes: readonly AssetKind[];
  /** The scopes that the user is asked to grant. */
  readonly scopes: readonly string[];
  /** As requested; `browser` is allowed. */
  readonly language: string;
  readonly redirectUri: string;
  readonly colorScheme: ColorScheme;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
  /** Wall-clock ms; a running gateway uses monotonic time instead. */
  readonly expiresAtMs: number;
  /** True if the session was completed; it can be completed once. */
  readonly isUsed: boolean;
  /** The device whose access is restored; `null` if devices are added. */
  readonly relinkDeviceId: string | null;
}

/** How a device was linked, so that a later sign-in can find it. */
export interface LinkOrigin {
  /** Id of the adapter's `LinkableVendor`. */
  readonly vendorId: string;
  /** Key of the adapter's `FoundDevice`. */
  readonly key: string;
}
