import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { Instant } from "../fields.ts";

const LinkedVendor = z
  .object({
    vendor: z.string().meta({ description: "Vendor code, as in /health." }),
    vendorType: z.enum(ASSET_KINDS),
    isValid: z
      .boolean()
      .meta({ description: "False: the credentials are not accepted any more; the user links again." }),
  })
  .meta({ id: "LinkedVendor", description: "A vendor that a user linked for one type of device." });

const USER_FIELDS = {
  id: z.string().meta({ description: "As the client chose it." }),
  createdAt: Instant,
  scopes: z.array(z.literal("all")).meta({ deprecated: true, description: "Each device has scopes of its own." }),
} as const;

/** A user as a list shows it (rule I2.11). */
export const UserEntry = z.object(USER_FIELDS).meta({ id: "UserEntry" });
export type UserEntry = z.infer<typeof UserEntry>;

/** A user with what it linked (rule S0.2). */
export const User = z.object({ ...USER_FIELDS, linkedVendors: z.array(LinkedVendor) }).meta({ id: "User" });
export type User = z.infer<typeof User>;

/** The kind of asset that a word in a path names; null when it names none. */
export function assetKindOf(word: string): AssetKind | null {
  return ASSET_KINDS.find((kind) => kind === word) ?? null;
}
