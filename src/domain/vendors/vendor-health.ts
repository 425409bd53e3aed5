import { z } from "zod";
import { ASSET_KINDS } from "../assets/asset.ts";

export const VendorStatus = z.enum(["READY", "ELEVATED_ERROR_RATE", "OUTAGE"]);
export type VendorStatus = z.infer<typeof VendorStatus>;

const FIELDS = {
  vendor: z.string().meta({ description: "Vendor code, such as `TESLA`." }),
  displayName: z.string().meta({ description: "Name of the brand." }),
  portalName: z.string().meta({ description: "Name of the vendor's app or service that users sign in to." }),
  status: VendorStatus.meta({
    description:
      "`READY`: devices answer. `ELEVATED_ERROR_RATE`: half of the devices or more do not answer. `OUTAGE`: no device answers.",
  }),
  linkingStatus: VendorStatus.meta({
    description:
      "`READY`: linking works. `ELEVATED_ERROR_RATE`: linking may take several attempts. `OUTAGE`: linking is blocked.",
  }),
} as const;

/** The health of a vendor for one kind of device (rule I2.17). */
export const VendorHealth = z
  .object(FIELDS)
  .meta({ id: "VendorHealth", description: "Health of a vendor for one kind of device." });
export type VendorHealth = z.infer<typeof VendorHealth>;

/** The health of a vendor for all its kinds of device (rule S6.4). */
export const Integration = z
  .object({
    ...FIELDS,
    assetTypes: z.array(z.enum(ASSET_KINDS)).meta({ description: "Kinds of device that can be linked." }),
    scopes: z.array(z.string()).meta({ description: "Permissions that can be requested." }),
  })
  .meta({ id: "Integration", description: "A vendor with its kinds of device, permissions and health." });
export type Integration = z.infer<typeof Integration>;

/** The failed ones among a vendor's devices, or among the attempts to link one. */
export interface Tally {
  readonly failed: number;
  readonly all: number;
}

/** Returns OUTAGE if all failed, ELEVATED_ERROR_RATE if at least half did, else READY; READY also below `least` in all. */
export function statusOf({ failed, all }: Tally, least: number): VendorStatus {
  if (all < least || failed * 2 < all) return "READY";
  return failed === all ? "OUTAGE" : "ELEVATED_ERROR_RATE";
}

/** Returns the worse of two statuses. */
export function worseOf(one: VendorStatus, other: VendorStatus): VendorStatus {
  return rank(one) >= rank(other) ? one : other;
}

/** Returns the better of two statuses. */
export function betterOf(one: VendorStatus, other: VendorStatus): VendorStatus {
  return rank(one) <= rank(other) ? one : other;
}

function rank(status: VendorStatus): number {
  return VendorStatus.options.indexOf(status);
}
