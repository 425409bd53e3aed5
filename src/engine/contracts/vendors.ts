import type { AssetKind } from "../../domain/assets/asset.ts";
import type { VendorAccountView } from "../../domain/vendors/vendor-account-view.ts";
import type { Integration, VendorHealth } from "../../domain/vendors/vendor-health.ts";

/** The vendors that this gateway supports, and their health (rules I4.13 and S6.4). */
export interface Vendors {
  /** Returns the health of the vendors of one kind, sorted by vendor code. */
  health(kind: AssetKind): readonly VendorHealth[];
  /** Returns one row per vendor over some kinds, sorted by vendor code. */
  integrations(kinds: readonly AssetKind[]): readonly Integration[];
  /** Returns the accounts with vendors' clouds, sorted by vendor and account. */
  accounts(): readonly VendorAccountView[];
  /** Returns the text that a vendor requires at a path below `/.well-known/` of the owner's domain; `null` if none. */
  readonly wellKnown: (path: string) => Promise<string | null>;
}
