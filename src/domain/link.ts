import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "./asset.ts";
import { LINK_LANGUAGES } from "./language.ts";
import { SCOPES } from "./scope.ts";

const MAX_URI_CHARACTERS = 500;
/** Schemes that run or show what the URI itself holds, or name nothing that a browser can go back to. */
const REFUSED_SCHEMES = [
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "javascript:",
  "vbscript:",
  "view-source:",
];

const RedirectUri = z
  .string()
  .max(MAX_URI_CHARACTERS)
  .refine(isRedirectUri, { error: "expected an absolute URI that an app or a page can be reopened by" })
  .meta({
    format: "uri",
    description: "Where the browser goes at the end; custom schemes are allowed, `about:blank` and scripts are not.",
  });

const Language = z.enum(LINK_LANGUAGES).meta({
  description: "Language of the pages. `browser`: what the browser asks for. English where there is no translation.",
});

export const ColorScheme = z.enum(["system", "light", "dark"]);
export type ColorScheme = z.infer<typeof ColorScheme>;

/** What a client asks for when a user is to link devices (interface 4.1, supplement 10.2). */
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
    vendorType: z
      .enum(ASSET_KINDS)
      .optional()
      .meta({ description: "The kind of device to link; default every kind that the scopes name." }),
    colorScheme: ColorScheme.optional().meta({ description: "Default `system`." }),
  })
  .superRefine(({ scopes, vendorType }, context) => {
    const types = vendorType === undefined ? typesIn(scopes) : [vendorType];
    for (const type of types) {
      if (scopes.some((scope) => scope === `${type}:read:data`)) continue;
      context.addIssue({ code: "custom", path: ["scopes"], message: `linking a ${type} needs ${type}:read:data` });
    }
  })
  .meta({ id: "LinkRequest" });
export type LinkBody = z.infer<typeof LinkBody>;

/** What a client asks for when lost access to an asset is to be restored (supplement 10.4). */
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

/** Why linking ended early, as the redirect says it (supplement 10.3). */
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
  return uri !== null && !REFUSED_SCHEMES.includes(uri.protocol);
}
