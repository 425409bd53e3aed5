import { z } from "zod";
import { ASSET_KINDS } from "../assets/asset.ts";

export const VendorStatus = z.enum(["READY", "ELEVATED_ERROR_RATE", "OUTAGE"]);
export type VendorStatus = z.infer<typeof VendorStatus>;

const FIELDS = {
  vendor: z.string().meta({ description: "Vendor code, as in requests." }),
  displayName: z.string().meta({ description: "The brand as people write it." }),
  portalName: z.string().meta({ description: "The vendor's own app or service that users sign in to." }),
  status: VendorStatus.meta({ description: "Whether the vendor's devices answer." }),
  linkingStatus: VendorStatus.meta({
    description: "ELEVATED_ERROR_RATE: linking may take several attempts. OUTAGE: linking is blocked.",
  }),
} as const;

/** How a vendor does in one category (rule I2.17). */
export const VendorHealth = z.object(FIELDS).meta({ id: "VendorHealth" });
export type VendorHealth = z.infer<typeof VendorHealth>;

/** A vendor across all categories (rule S6.4). */
export const Integration = z
  .object({
    ...FIELDS,
    assetTypes: z.array(z.enum(ASSET_KINDS)).meta({ description: "The kinds of device it has here." }),
    scopes: z.array(z.string()).meta({ description: "The permissions that can be asked for." }),
  })
  .meta({ id: "Integration" });
export type Integration = z.infer<typeof Integration>;

/** How many of a vendor's devices, or of the attempts to link one, failed. */
export interface Tally {
  readonly failed: number;
  readonly all: number;
}

/** All of them failed: OUTAGE. Half or more: ELEVATED_ERROR_RATE. Fewer than `least` say nothing yet: READY. */
export function statusOf({ failed, all }: Tally, least: number): VendorStatus {
  if (all < least || failed * 2 < all) return "READY";
  return failed === all ? "OUTAGE" : "ELEVATED_ERROR_RATE";
}

/** The worse of two. */
export function worseOf(one: VendorStatus, other: VendorStatus): VendorStatus {
  return rank(one) >= rank(other) ? one : other;
}

/** The better of two. */
export function betterOf(one: VendorStatus, other: VendorStatus): VendorStatus {
  return rank(one) <= rank(other) ? one : other;
}

function rank(status: VendorStatus): number {
  return VendorStatus.options.indexOf(status);
}
