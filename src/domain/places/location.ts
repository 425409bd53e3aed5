import { z } from "zod";
import { Instant } from "../fields.ts";

const LATITUDE = "Degrees north, −90 to 90.";
const LONGITUDE = "Degrees east, −180 to 180.";
const NO_ZONE = "No such time zone; expected an IANA name such as Europe/Berlin";
const TIMEZONE = "IANA time zone of tariffs, schedules and deadlines here.";

/** A place of a user: its devices, its prices and its time zone belong together (rules I2.10 and S5). */
export const Location = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    createdAt: Instant,
    name: z.string(),
    latitude: z.number().meta({ description: LATITUDE }),
    longitude: z.number().meta({ description: LONGITUDE }),
    timezoneName: z.string().meta({ description: TIMEZONE }),
  })
  .meta({ id: "Location", description: "A place of a user." });
export type Location = z.infer<typeof Location>;

const FIELDS = {
  name: z.string().min(1).max(255).meta({ description: "1 to 255 characters." }),
  latitude: z.number().min(-90).max(90).meta({ description: LATITUDE }),
  longitude: z.number().min(-180).max(180).meta({ description: LONGITUDE }),
  timezoneName: z.string().max(64).refine(isTimeZone, { error: NO_ZONE }).meta({ description: TIMEZONE }),
} as const;

/** The body that makes a location (rule I4.8). */
export const NewLocation = z
  .strictObject({
    ...FIELDS,
    timezoneName: FIELDS.timezoneName.default("UTC").meta({ description: `${TIMEZONE} UTC when absent.` }),
  })
  .meta({ id: "NewLocation" });
export type NewLocation = z.infer<typeof NewLocation>;

/** The body that changes a location; what is absent stays. */
export const LocationChanges = z.strictObject(FIELDS).partial().meta({ id: "LocationChanges" });
export type LocationChanges = z.infer<typeof LocationChanges>;

/** The body that puts a charger or an HVAC unit at a location (rule I4.3). */
export const PlaceRequest = z
  .strictObject({
    locationId: z.string().nullable().meta({ description: "The location's id; null: at none." }),
  })
  .meta({ id: "PlaceRequest" });

/** Whether the runtime knows a time zone by this name. Offsets such as +02:00 are no zones. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
