/** Field shapes that every resource shares, so that a unit or a nullable instant is said once. */
import { z } from "zod";

/** The parser of URLs takes tabs and line breaks out without a word, and encodes the others. */
export function hasNoControls(text: string): boolean {
  return !/\p{C}/u.test(text);
}

export const CONTROLS_IN_URL = { error: "a URL holds no line break, tab or other control character" } as const;

/** A URL with one of the schemes, such as `https:`, as it was written: `z.url` would hand on a cleaned one. */
export function urlOf(...schemes: readonly string[]) {
  return z
    .string()
    .refine(hasNoControls, { ...CONTROLS_IN_URL, abort: true })
    .refine((text) => schemes.includes(URL.parse(text)?.protocol ?? ""), {
      error: `expected a URL that begins with ${schemes.join(" or ")}`,
    })
    .meta({ format: "uri" });
}

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime();

export const NullableInstant = Instant.nullable();

/** The instant of a wall-clock reading in ms. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** As `instant`; null stays null. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

/** Where a device is. Coordinates are null without the scope that lets them be read. */
export const AssetLocation = z
  .object({
    id: z.uuid().nullable().meta({ description: "The location the device is at; null when none matches." }),
    longitude: z.number().nullable().meta({ description: "Degrees east, −180 to 180." }),
    latitude: z.number().nullable().meta({ description: "Degrees north, −90 to 90." }),
    lastUpdated: NullableInstant,
  })
  .meta({ id: "AssetLocation" });
export type AssetLocation = z.infer<typeof AssetLocation>;

/** The location of a device that nothing is known about. */
export const NO_LOCATION: AssetLocation = { id: null, longitude: null, latitude: null, lastUpdated: null };

/** What every device carries at the top (rules I2.2 to I2.8). */
export const ASSET_FIELDS = {
  id: z.uuid(),
  userId: z.string().meta({ description: "The user that the device belongs to." }),
  vendor: z.string().meta({ description: "Vendor code, as in /health." }),
  lastSeen: Instant.meta({ description: "Last successful communication, or the time of linking." }),
  isReachable: z.boolean().meta({ description: "False: updates of the data are delayed." }),
  scopes: z.array(z.string()).meta({ description: "Permissions granted for this device." }),
} as const;

/** The brand and model of every device; never null (rule S14). */
export const MAKE_FIELDS = {
  brand: z.string().meta({ description: "The maker's brand; the vendor's name if the device does not report one." }),
  model: z.string().meta({ description: "`Unknown` if the device does not report it." }),
} as const;

/** The name that the user gave, else one made from the site's. */
export const DeviceName = z
  .string()
  .meta({ description: "The name that the user gave, else one made from the site's." });

/** What a battery, an inverter and a meter say of themselves alike. */
export const STATIONARY_FIELDS = {
  ...MAKE_FIELDS,
  siteName: DeviceName,
  installationDate: Instant.meta({
    description: "The day that the installer set, else the instant at which the gateway first met the device.",
  }),
} as const;
