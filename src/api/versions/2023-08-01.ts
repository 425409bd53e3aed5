import { z } from "zod";
import { OWN_END_URI } from "../../domain/linking/link.ts";
import { lacks } from "./field-change.ts";
import { isObject } from "./json.ts";
import { ownBody, type VersionStep } from "./step.ts";

/** Languages of the link pages before 2024-01-01, with what they are called since. */
const LANGUAGES = { en: "en-US", de: "de-DE", nb: "nb-NO", sv: "sv-SE", ja: "ja-JP", es: "es-ES" } as const;

const KINDS = ["vehicle", "charger", "hvac", "inverter"] as const;

/** Scopes before 2024-01-01, with what a kind of device is asked for under them. */
const ALL_SCOPES: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  vehicle: ["vehicle:read:data", "vehicle:read:location", "vehicle:control:charging"],
  charger: ["charger:read:data", "charger:control:charging"],
  hvac: ["hvac:read:data", "hvac:control:mode"],
  inverter: ["inverter:read:data", "inverter:read:location"],
};

const OlderLinkBody = z.strictObject({
  vendor: z.string().min(1).max(64).optional().meta({ description: "Vendor code; skips the choice of the brand." }),
  vendorType: z.enum(KINDS).default("vehicle"),
  forceLanguage: z
    .enum(["en", "de", "nb", "sv", "ja", "es"])
    .optional()
    .meta({ description: "Language of the pages; absent: what the browser asks for." }),
  scopes: z
    .array(z.string())
    .optional()
    .meta({ description: "`all`, `offline_access`, `control:vehicle:charging`; absent: `all`." }),
  redirectUri: z
    .string()
    .optional()
    .meta({ description: "Where the browser goes at the end; absent: a page of the gateway." }),
  username: z.string().optional().meta({ deprecated: true, description: "Has no effect." }),
});

/** What 2024-01-01 changed: linking, and the scopes of each asset. */
export const VERSION_2023_08_01: VersionStep = {
  date: "2023-08-01",
  records: Object.fromEntries(
    ["Battery", "Charger", "Vehicle", "Inverter", "Meter", "Hvac"].map((asset) => [asset, [lacks("scopes")]]),
  ),
  routes: {
    "POST /users/{userId}/link": {
      body: ownBody(OlderLinkBody, ({ vendor, vendorType, forceLanguage, redirectUri, scopes }) => ({
        ...(vendor !== undefined && { vendor }),
        vendorType,
        language: forceLanguage === undefined ? "browser" : LANGUAGES[forceLanguage],
        scopes: newerScopes(scopes ?? ["all"], vendorType),
        redirectUri: redirectUri ?? OWN_END_URI,
      })),
      answer: {
        down: (session) =>
          isObject(session) ? { linkState: session["linkToken"], linkUrl: session["linkUrl"] } : session,
        schema: () => ({
          type: "object",
          properties: { linkState: { type: "string" }, linkUrl: { type: "string", format: "uri" } },
          required: ["linkState", "linkUrl"],
        }),
      },
    },
  },
  lacks: [],
};

/** The newer version's scopes for the older's; those that neither knows are refused further on. */
function newerScopes(scopes: readonly string[], kind: (typeof KINDS)[number]): readonly string[] {
  const all = ALL_SCOPES[kind];
  const newer = scopes.flatMap((scope) => {
    if (scope === "all") return all;
    if (scope === "offline_access") return [];
    if (scope === "control:vehicle:charging") return kind === "vehicle" ? ["vehicle:control:charging"] : [];
    return [scope];
  });
  // Reading is what linking is for; the older scopes did not name it.
  return [...new Set([`${kind}:read:data`, ...newer])];
}
