import type { AssetKind } from "../../domain/assets/asset.ts";
import type { VendorAccountView } from "../../domain/vendors/vendor-account-view.ts";
import type { Integration, VendorHealth } from "../../domain/vendors/vendor-health.ts";

/** The vendors that this gateway really reaches, and how they do (rules I4.13 and S6.4). */
export interface Vendors {
  /** Of one category, by vendor code. */
  health(kind: AssetKind): readonly VendorHealth[];
  /** One row a vendor across the categories asked for, by vendor code. */
  integrations(kinds: readonly AssetKind[]): readonly Integration[];
  /** The accounts with vendors' clouds, by vendor and account. */
  accounts(): readonly VendorAccountView[];
  /** What a vendor wants to find at a path below `/.well-known/` of the owner's own domain; null: there is nothing. */
  readonly wellKnown: (path: string) => Promise<string | null>;
}
