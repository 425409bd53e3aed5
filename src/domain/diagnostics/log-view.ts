/** The last lines of the log in the API: the response of `GET /local/logs`. */
import { z } from "zod";
import { Instant } from "../fields.ts";

export const LogLevel = z.enum(["error", "warn", "info", "debug"]);

export const LogLineView = z
  .object({
    at: Instant.meta({ description: "Time of the line." }),
    level: LogLevel,
    text: z.string().meta({ description: "What happened, in English." }),
    fields: z.record(z.string(), z.unknown()).meta({
      description: "Details such as the device; secrets are `[redacted]`.",
    }),
  })
  .meta({ id: "LogLine" });
export type LogLineView = z.infer<typeof LogLineView>;
