import { z } from "zod";
import { Instant } from "./fields.ts";

/** A place of a user: its devices, its prices and its time zone belong together (interface 2.10, supplement 5). */
export const Location = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    createdAt: Instant,
    name: z.string(),
    latitude: z.number().meta({ description: "Degrees north, −90 to 90." }),
    longitude: z.number().meta({ description: "Degrees east, −180 to 180." }),
    timezoneName: z.string().meta({ description: "IANA time zone of tariffs, schedules and deadlines here." }),
  })
  .meta({ id: "Location", description: "A place of a user." });
export type Location = z.infer<typeof Location>;
