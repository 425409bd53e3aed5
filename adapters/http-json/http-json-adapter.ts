import {
  choicesProblem,
  confirmedControls,
  confirmedNoFailsafe,
  DAY_MS,
  defineAdapter,
  type LinkableVendor,
  lazy,
  runOnUse,
  type SearchScope,
} from "hemgate/sdk";
import { z } from "zod";
import { ANNOUNCED_TYPES, readAnnounced } from "./discovery/announced.ts";
import { HTTP_SUMMARIES } from "./http-summaries.generated.ts";
import type { HttpSummary } from "./http-summary.ts";
import { missingCredential } from "./sessions/missing-credential.ts";

const POLL_LIMITS_MS = { min: 500, max: DAY_MS };
/** Longer than any password, or token with claims. */
const MAX_SECRET = 4_000;

const pollMs = z.int().min(POLL_LIMITS_MS.min).max(POLL_LIMITS_MS.max).optional();
const secret = z.string().min(1).max(MAX_SECRET).optional();

const OPTIONS = z.object({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, "is no name or IP address")
    .meta({ description: "Name or IP address of the device." }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "TCP port; default that of the profile." }),
  scheme: z.enum(["http", "https"]).optional().meta({ description: "Default that of the profile." }),
  profile: z.enum(HTTP_SUMMARIES.map(({ id }) => id)).meta({ description: "What the device is." }),
  username: z.string().min(1).max(200).optional().meta({ description: "Default the one that the device has." }),
  password: secret.meta({ description: "Of the device itself, where it asks for one." }),
  token: secret.meta({ description: "Of the device, where it asks for one; docs/http-devices.md says how to get it." }),
  fingerprint: z
    .string()
    .regex(/^([0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}$/, "is not the SHA-256 of a certificate")
    .optional()
    .meta({
      description: "SHA-256 of the device's own certificate; default the first one that it shows, from then on.",
    }),
  settings: z
    .record(z.string().max(40), z.number())
    .default({})
    .meta({ description: "Numbers that the profile asks for, such as channel; docs/http-devices.md names them." }),
  confirmUnverified: confirmedControls("controls that no two sources agree on"),
  confirmNoFailsafe: confirmedNoFailsafe("device"),
  pollMs: z
    .strictObject({ fast: pollMs, normal: pollMs, slow: pollMs })
    .prefault({})
    .meta({ description: "How often points are read, ms: power and states, what drifts, what hardly changes." }),
});
export type HttpOptions = z.infer<typeof OPTIONS>;

/** The ways to link a device of each profile. What has no asset, such as inputs, is set up in the configuration instead. */
export const HTTP_VENDORS: readonly LinkableVendor[] = HTTP_SUMMARIES.filter(
  ({ vendorTypes }) => vendorTypes.length > 0,
).map(({ id, vendors, vendorTypes, brand, model, fields }) => ({
  id,
  vendors,
  vendorTypes,
  displayName: brand,
  portalName: model,
  method: "local",
  fields,
}));

const loadRunning = lazy("the adapter of HTTP devices", async () => (await import("./running-http.ts")).RunningHttp);

/**
 * Devices in the house that answer requests by HTTP. This half checks options and offers links; the other is loaded with
 * the first device.
 */
export const httpJsonAdapter = defineAdapter({
  name: "http-json",
  options: OPTIONS,
  check(options) {
    const { id, auth, settings = {}, controls } = summaryOf(options);
    const { password = null, token = null } = options;
    const missing = missingCredential(auth, { password, token });
    if (missing !== null) return { path: [missing], message: `missing; a device of ${id} needs it` };
    return choicesProblem({ id, settings, controls: controls.map((point) => ({ point })) }, options);
  },
  linking: HTTP_VENDORS,
  start: (context) =>
    runOnUse(
      async () => {
        const Running = await loadRunning();
        return new Running(context, { parse: (options) => OPTIONS.parse(options) });
      },
      { linking: { hasSetup: true }, discovery: { serviceTypes: ANNOUNCED_TYPES, canFind } },
    ),
});

/** A search that may ask no host finds only what announces itself. */
function canFind(scope: SearchScope): boolean {
  return (
    scope.isActive || scope.missing !== null || scope.services().some((service) => readAnnounced(service) !== null)
  );
}

function summaryOf({ profile }: Pick<HttpOptions, "profile">): HttpSummary {
  const found = HTTP_SUMMARIES.find(({ id }) => id === profile);
  if (found === undefined) throw new RangeError(`there is no profile ${profile}`);
  return found;
}
