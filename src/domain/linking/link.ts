import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { LINK_LANGUAGES } from "../language.ts";
import { SCOPES } from "../users/scope.ts";

const MAX_URI_CHARACTERS = 500;
/** Schemes that run, show or open what the URI itself holds, start something else, or name no place to go back to. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  [
    "about android-app blob chrome chrome-extension content cid data facetime feed feeds file filesystem ftp ftps geo",
    "intent itms itms-apps jar javascript livescript mailto market mhtml mid mocha moz-extension ms-settings news pcast",
    "podcast resource search-ms shell sms smsto ssh tel telnet urn vbscript view-source ws wss wyciwyg",
  ]
    .join(" ")
    .split(" "),
);
/** Addresses and names that are in the house or this machine: plain http is for them only. */
const HOUSE_ADDRESS =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$|^\[(?:::1|f[cd][0-9a-f]{2}:[0-9a-f:]+|fe[89ab][0-9a-f]:[0-9a-f:]+)\]$/;
const HOUSE_NAME = /^[^.:[\]]+$|\.(?:localhost|local|lan|home|internal|home\.arpa)$/;

const RedirectUri = z
  .string()
  .max(MAX_URI_CHARACTERS)
  .refine(isRedirectUri, {
    error: "expected https, http in the house, or the scheme of an app, without spaces and control characters",
  })
  .meta({
    format: "uri",
    description:
      "Where the browser goes at the end: https, http in the house, or an app's own scheme such as `com.example.app:`.",
  });

const Language = z.enum(LINK_LANGUAGES).meta({
  description: "Language of the pages. `browser`: what the browser asks for. English where there is no translation.",
});

export const ColorScheme = z.enum(["system", "light", "dark"]);
export type ColorScheme = z.infer<typeof ColorScheme>;

/** What a client asks for when a user is to link devices (rules I4.1 and S10.2). */
export const LinkBody = z
  .strictObject({
    scopes: z
      .array(z.enum(Object.values(SCOPES).flat()))
      .min(1)
      .meta({ description: "Permissions to ask the user for. Each kind needs its `read:data`." }),
    language: Language,
    redirectUri: RedirectUri,
    vendor: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Vendor code, as in /health; skips the choice of the brand." }),
    vendorType: z.enum(ASSET_KINDS).meta({
      description: "The kind of device to link: its brands are offered. Scopes of other kinds link such parts too.",
    }),
    colorScheme: ColorScheme.optional().meta({ description: "Default `system`." }),
  })
  .superRefine(({ scopes, vendorType }, context) => {
    for (const type of scopes.length === 0 ? [] : new Set([vendorType, ...typesIn(scopes)])) {
      if (scopes.some((scope) => scope === `${type}:read:data`)) continue;
      context.addIssue({ code: "custom", path: ["scopes"], message: `linking a ${type} needs ${type}:read:data` });
    }
  })
  .meta({ id: "LinkRequest" });
export type LinkBody = z.infer<typeof LinkBody>;

/** What a client asks for when lost access to an asset is to be restored (rule S10.4). */
export const RelinkBody = z
  .strictObject({ language: Language, redirectUri: RedirectUri, colorScheme: ColorScheme.optional() })
  .meta({ id: "RelinkRequest" });
export type RelinkBody = z.infer<typeof RelinkBody>;

export const LinkAnswer = z
  .object({
    linkUrl: z.url().meta({ description: "The page to show to the user, in a browser or inside the app." }),
    linkToken: z.string().meta({ description: "The last part of the URL, for SDKs that show the page themselves." }),
  })
  .meta({ id: "LinkSession", description: "A link session: valid for 24 hours, to be completed once." });

/** Why linking ended early, as the redirect says it (rule S10.3). */
export type LinkError =
  | "access_denied"
  | "invalid_request"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "server_error";

/** For the developer of the app; the user has read the page. */
const ERROR_TEXTS: Readonly<Record<LinkError, string>> = {
  access_denied: "The user ended linking.",
  invalid_request: "The link session is used, expired or unknown.",
  invalid_scope: "The user did not grant what linking needs.",
  temporarily_unavailable: "The vendor cannot be reached at present.",
  server_error: "The gateway failed.",
};

/** The redirect URI of a session whose client names none (before 2024-01-01): the gateway's own last page. */
export const OWN_END_URI = "hemgate:end";
/** Where that page is. */
export const OWN_END_PATH = "/link/end";

/** Where the browser goes when linking is complete. */
export function completeUri(redirectUri: string): string {
  return redirectUri === OWN_END_URI ? OWN_END_PATH : redirectUri;
}

/** The redirect of an early exit, with everything that the URI had before. */
export function exitUri(redirectUri: string, error: LinkError): string {
  if (redirectUri === OWN_END_URI) return OWN_END_PATH;
  const uri = new URL(redirectUri);
  uri.searchParams.set("error", error);
  uri.searchParams.set("error_message", ERROR_TEXTS[error]);
  uri.searchParams.set("error_description", ERROR_TEXTS[error]);
  return uri.href;
}

/** The kinds that scopes name, in the order of the kinds. */
export function typesIn(scopes: readonly string[]): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => scopes.some((scope) => scope.startsWith(`${kind}:`)));
}

function isRedirectUri(text: string): boolean {
  // The parser would quietly take line breaks and spaces out.
  if (/[\s\p{C}]/u.test(text)) return false;
  const uri = URL.parse(text);
  if (uri === null) return false;
  const { protocol, hostname } = uri;
  if (protocol === "https:") return true;
  if (protocol === "http:") return HOUSE_ADDRESS.test(hostname) || HOUSE_NAME.test(hostname);
  return !REFUSED_SCHEMES.has(protocol.slice(0, -1));
}
