import { z } from "zod";

/** Where nothing else is said. */
export const DEFAULT_EVENT_MEGABYTES = 64;

/** The cloud service that is told what happens in the house. */
export const CloudConfig = z.strictObject({
  gateway: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
    .meta({ description: "Name of this gateway at the cloud service, given when it was enrolled." }),
  maxEventMegabytes: z.int().min(1).max(4_096).default(DEFAULT_EVENT_MEGABYTES).meta({
    description:
      "Events that may wait for the cloud service; beyond that its commands are refused until it has taken some. None is dropped.",
  }),
});
