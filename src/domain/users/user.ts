import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";

const LinkedVendor = z
  .object({
    vendor: z.string().meta({ description: "Vendor code, such as `TESLA`." }),
    vendorType: z.enum(ASSET_KINDS).meta({ description: "Kind of device that was linked." }),
    isValid: z.boolean().meta({
      description: "`false` if the vendor no longer accepts the credentials; the user has to link the account again.",
    }),
  })
  .meta({ id: "LinkedVendor", description: "A vendor that a user linked for one kind of device." });

const USER_FIELDS = {
  id: z.string().meta({ description: "Id of the user, chosen by the client." }),
  createdAt: Instant.meta({ description: "Time at which the user was created." }),
  scopes: z.array(z.literal("all")).meta({ deprecated: true, description: "Use the scopes of each device." }),
} as const;

/** A user in a list (rule I2.11). */
export const UserEntry = z.object(USER_FIELDS).meta({ id: "UserEntry" });
export type UserEntry = z.infer<typeof UserEntry>;

/** A user with the linked vendors (rule S0.2). */
export const User = z
  .object({
    ...USER_FIELDS,
    linkedVendors: z.array(LinkedVendor).meta({ description: "Vendors that the user linked." }),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

/** Returns the kind of asset with this name; `null` if there is none. */
export function assetKindOf(word: string): AssetKind | null {
  return ASSET_KINDS.find((kind) => kind === word) ?? null;
}
