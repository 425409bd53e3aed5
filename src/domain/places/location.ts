import { z } from "zod";
import { Instant } from "../fields.ts";

const LATITUDE = "Latitude, degrees, −90 to 90, positive north.";
const LONGITUDE = "Longitude, degrees, −180 to 180, positive east.";
const NO_ZONE = "Unknown time zone; expected an IANA name such as Europe/Berlin";
const TIMEZONE = "IANA time zone of the location's tariffs, schedules and deadlines, such as `Europe/Berlin`.";

/** A location of a user: its devices, its tariff and its time zone (rules I2.10 and S5). */
export const Location = z
  .object({
    id: z.uuid().meta({ description: "Id of the location." }),
    userId: z.string().meta({ description: "User that the location belongs to." }),
    createdAt: Instant.meta({ description: "Time at which the location was created." }),
    name: z.string().meta({ description: "Name that the client gave to the location." }),
    latitude: z.number().meta({ description: LATITUDE }),
    longitude: z.number().meta({ description: LONGITUDE }),
    timezoneName: z.string().meta({ description: TIMEZONE }),
  })
  .meta({ id: "Location", description: "A location of a user, with its time zone, devices and tariff." });
export type Location = z.infer<typeof Location>;

const FIELDS = {
  name: z.string().min(1).max(255).meta({ description: "Name of the location, 1 to 255 characters." }),
  latitude: z.number().min(-90).max(90).meta({ description: LATITUDE }),
  longitude: z.number().min(-180).max(180).meta({ description: LONGITUDE }),
  timezoneName: z.string().max(64).refine(isTimeZone, { error: NO_ZONE }).meta({ description: TIMEZONE }),
} as const;

/** The body that creates a location (rule I4.8). */
export const NewLocation = z
  .strictObject({
    ...FIELDS,
    timezoneName: FIELDS.timezoneName.default("UTC").meta({ description: `${TIMEZONE} By default \`UTC\`.` }),
  })
  .meta({ id: "NewLocation" });
export type NewLocation = z.infer<typeof NewLocation>;

/** The body that changes a location; fields that are left out stay as they are. */
export const LocationChanges = z.strictObject(FIELDS).partial().meta({ id: "LocationChanges" });
export type LocationChanges = z.infer<typeof LocationChanges>;

/** The body that assigns a charger or an HVAC unit to a location (rule I4.3). */
export const PlaceRequest = z
  .strictObject({
    locationId: z.string().nullable().meta({ description: "Id of the location; `null` for none." }),
  })
  .meta({ id: "PlaceRequest" });

/** Returns true if the runtime knows a time zone with this name. Offsets such as +02:00 are not accepted. */
export function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
