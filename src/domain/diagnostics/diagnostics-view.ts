/** What helps to find a fault: the response of `GET /local/diagnostics`. */
import { z } from "zod";
import { CloudLinkView } from "../cloud/cloud-link-view.ts";
import { Instant, NullableInstant } from "../fields.ts";
import { VendorAccountView } from "../vendors/vendor-account-view.ts";
import { LogLineView } from "./log-view.ts";

const Device = z
  .object({
    id: z.string().meta({ description: "As the configuration names it." }),
    adapter: z.string(),
    vendor: z.string().nullable(),
    model: z.string().nullable(),
    firmware: z.string().nullable(),
    isReachable: z.boolean(),
    lastError: z.string().nullable().meta({ description: "Why it is not reachable, in English." }),
    lastSeenAt: NullableInstant.meta({ description: "Time of its last answer; `null` before the first." }),
    assets: z.array(z.object({ kind: z.string(), id: z.string() })),
    points: z.array(
      z.object({
        point: z.string(),
        value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
        at: Instant,
      }),
    ),
  })
  .meta({ id: "DiagnosticDevice" });

const Check = z
  .object({
    id: z.string(),
    check: z.string(),
    deviceId: z.string().nullable(),
    measured: z.string(),
    state: z.string(),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
  })
  .meta({ id: "DiagnosticCheck" });

export const DiagnosticsView = z
  .object({
    madeAt: Instant,
    versions: z.object({
      gateway: z.string().nullable().meta({ description: "Version of the gateway; `null` if it is embedded." }),
      api: z.string().meta({ description: "Newest version of the API." }),
    }),
    health: z.object({ isReady: z.boolean(), failures: z.array(z.string()) }),
    configuration: z.record(z.string(), z.unknown()).meta({
      description: "The configuration in use without secrets, names of people, places and serial numbers.",
    }),
    devices: z.array(Device),
    checks: z.array(Check).meta({ description: "The findings about the installation." }),
    vendors: z.array(VendorAccountView),
    cloud: CloudLinkView,
    log: z.array(LogLineView).meta({ description: "The last lines of the log, oldest first." }),
  })
  .meta({ id: "Diagnostics", description: "What helps to find a fault, without secrets." });
export type DiagnosticsView = z.infer<typeof DiagnosticsView>;
