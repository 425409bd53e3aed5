/** Field schemas that several resources share, so that each unit and description stands in one place. */
import { z } from "zod";

/** Returns true if the text has no control characters. The URL parser silently removes or encodes them. */
export function hasNoControls(text: string): boolean {
  return !/\p{C}/u.test(text);
}

export const CONTROLS_IN_URL = {
  error: "a URL must not contain line breaks, tabs or other control characters",
} as const;

/** Returns the schema of a URL with one of the schemes, such as `https:`. The text stays as written; `z.url` changes it. */
export function urlOf(...schemes: readonly string[]) {
  return z
    .string()
    .refine(hasNoControls, { ...CONTROLS_IN_URL, abort: true })
    .refine((text) => schemes.includes(URL.parse(text)?.protocol ?? ""), {
      error: `expected a URL that begins with ${schemes.join(" or ")}`,
    })
    .meta({ format: "uri" });
}

/** An instant in the API: ISO 8601 in UTC with milliseconds. */
export const Instant = z.iso.datetime();

export const NullableInstant = Instant.nullable();

/** When a part of a record was last read from the device. */
export const LastUpdated = NullableInstant.meta({
  description: "Time of the last reading of these values; `null` before the first one.",
});

/** The energy system of a device. */
export const HemSystemId = z.uuid().nullable().meta({
  description: "Energy system that the device belongs to; `null` if it belongs to none.",
});

/** The location of a device that has no coordinates in the API. */
export const LocationId = z.uuid().nullable().meta({ description: "Location that the device is at; `null` if none." });

/** Converts a wall-clock time in ms to ISO 8601 in UTC. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** As `instant`; `null` stays `null`. */
export function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

/** Where a device is. All fields are `null` without the scope to read the location. */
export const AssetLocation = z
  .object({
    id: z.uuid().nullable().meta({ description: "Location that the device is at; `null` if it is at none." }),
    longitude: z.number().nullable().meta({
      description: "Longitude, degrees, −180 to 180, positive east; `null` if not known.",
    }),
    latitude: z.number().nullable().meta({
      description: "Latitude, degrees, −90 to 90, positive north; `null` if not known.",
    }),
    lastUpdated: LastUpdated,
  })
  .meta({
    id: "AssetLocation",
    description: "Where the device is. Each field is `null` without the scope to read the location.",
  });
export type AssetLocation = z.infer<typeof AssetLocation>;

/** The location of a device whose location is not known. */
export const NO_LOCATION: AssetLocation = { id: null, longitude: null, latitude: null, lastUpdated: null };

/** The top-level fields of every device (rules I2.2 to I2.8). */
export const ASSET_FIELDS = {
  id: z.uuid().meta({ description: "Id of the device in this API." }),
  userId: z.string().meta({ description: "User that the device belongs to." }),
  vendor: z.string().meta({ description: "Vendor code, such as `TESLA`." }),
  lastSeen: Instant.meta({ description: "Time of the last successful communication, or of the linking." }),
  isReachable: z.boolean().meta({
    description: "`false` if the device does not answer now; the values are then those of its last answer.",
  }),
  scopes: z.array(z.string()).meta({ description: "Permissions that the user granted for this device." }),
} as const;

/** The brand and model of every device; never `null` (rule S14). */
export const MAKE_FIELDS = {
  brand: z.string().meta({ description: "Brand of the device; the vendor's name if the device does not report one." }),
  model: z.string().meta({ description: "Model of the device; `Unknown` if the device does not report it." }),
} as const;

/** The name of a device. */
export const DeviceName = z.string().meta({
  description: "Name that the user gave to the device, else one derived from the name of the site.",
});

/** The `information` fields that batteries, inverters and meters share. */
export const STATIONARY_FIELDS = {
  ...MAKE_FIELDS,
  siteName: DeviceName,
  installationDate: Instant.meta({
    description: "Day that the installer entered, else the time at which the gateway first connected to the device.",
  }),
} as const;
