import { z } from "zod";
import { ASSET_KINDS, type AssetKind } from "../assets/asset.ts";
import { LINK_LANGUAGES } from "../language.ts";
import { SCOPES } from "../users/scope.ts";

const MAX_URI_CHARACTERS = 500;
/** Schemes that run or show the content of the URI, start another program, or are no place to return to. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  [
    "about android-app blob chrome chrome-extension content cid data facetime feed feeds file filesystem ftp ftps geo",
    "intent itms itms-apps jar javascript livescript mailto market mhtml mid mocha moz-extension ms-settings news pcast",
    "podcast resource search-ms shell sms smsto ssh tel telnet urn vbscript view-source ws wss wyciwyg",
  ]
    .join(" ")
    .split(" "),
);
/** Addresses and names in the local network or on this machine; only they may use http without TLS. */
const HOUSE_ADDRESS =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$|^\[(?:::1|f[cd][0-9a-f]{2}:[0-9a-f:]+|fe[89ab][0-9a-f]:[0-9a-f:]+)\]$/;
const HOUSE_NAME = /^[^.:[\]]+$|\.(?:localhost|local|lan|home|internal|home\.arpa)$/;

const RedirectUri = z
  .string()
  .max(MAX_URI_CHARACTERS)
  .refine(isRedirectUri, {
    error:
      "expected an https URL, an http URL in the local network, or an app's URI scheme, without spaces and control characters",
  })
  .meta({
    format: "uri",
    description:
      "URI that the browser opens at the end: https, http in the local network, or an app's scheme such as `com.example.app:`.",
  });

const Language = z.enum(LINK_LANGUAGES).meta({
  description:
    "Language of the link pages. `browser`: the language of the user's browser. English if there is no translation.",
});

export const ColorScheme = z.enum(["system", "light", "dark"]).meta({
  description: "Colours of the link pages; `system`, the default, follows the user's browser.",
});
export type ColorScheme = z.infer<typeof ColorScheme>;

/** The body that starts a link session (rules I4.1 and S10.2). */
export const LinkBody = z
  .strictObject({
    scopes: z
      .array(z.enum(Object.values(SCOPES).flat()))
      .min(1)
      .meta({
        description:
          "Permissions to request from the user. Each kind of device needs its `read:data`, such as `charger:read:data`.",
      }),
    language: Language,
    redirectUri: RedirectUri,
    vendor: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "Vendor code, such as `TESLA`; skips the choice of the brand." }),
    vendorType: z.enum(ASSET_KINDS).meta({
      description:
        "Kind of device whose brands are offered. With scopes of other kinds, such parts of a device are linked too.",
    }),
    colorScheme: ColorScheme.optional(),
  })
  .superRefine(({ scopes, vendorType }, context) => {
    for (const type of scopes.length === 0 ? [] : new Set([vendorType, ...typesIn(scopes)])) {
      if (scopes.some((scope) => scope === `${type}:read:data`)) continue;
      context.addIssue({
        code: "custom",
        path: ["scopes"],
        message: `linking a ${type} needs the scope ${type}:read:data; add it`,
      });
    }
  })
  .meta({ id: "LinkRequest" });
export type LinkBody = z.infer<typeof LinkBody>;

/** The body that starts a link session to restore lost access to an asset (rule S10.4). */
export const RelinkBody = z
  .strictObject({ language: Language, redirectUri: RedirectUri, colorScheme: ColorScheme.optional() })
  .meta({ id: "RelinkRequest" });
export type RelinkBody = z.infer<typeof RelinkBody>;

/** The URL of a new link session. */
export const LinkAnswer = z
  .object({
    linkUrl: z.url().meta({ description: "Page to show to the user, in a browser or inside the app." }),
    linkToken: z.string().meta({ description: "Last part of the URL, for SDKs that show the page themselves." }),
  })
  .meta({
    id: "LinkSession",
    description: "A link session. It is valid for 24 hours and can be completed once.",
  });

/** The error code of the redirect when linking ended early (rule S10.3). */
export type LinkError =
  | "access_denied"
  | "invalid_request"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "server_error";

/** Texts for the developer of the app; the user has seen the page. */
const ERROR_TEXTS: Readonly<Record<LinkError, string>> = {
  access_denied: "The user ended linking.",
  invalid_request: "The link session is used, expired or unknown.",
  invalid_scope: "The user did not grant the permissions that linking needs.",
  temporarily_unavailable: "The vendor cannot be reached at present.",
  server_error: "The gateway failed; its log has the cause.",
};

/** The redirect URI of a session without one (before version 2024-01-01): the gateway's last page. */
export const OWN_END_URI = "hemgate:end";
/** The path of that page. */
export const OWN_END_PATH = "/link/end";

/** Returns the address that the browser opens when linking is complete. */
export function completeUri(redirectUri: string): string {
  return redirectUri === OWN_END_URI ? OWN_END_PATH : redirectUri;
}

/** Returns the redirect for linking that ended early: the URI with the error as query parameters. */
export function exitUri(redirectUri: string, error: LinkError): string {
  if (redirectUri === OWN_END_URI) return OWN_END_PATH;
  const uri = new URL(redirectUri);
  uri.searchParams.set("error", error);
  uri.searchParams.set("error_message", ERROR_TEXTS[error]);
  uri.searchParams.set("error_description", ERROR_TEXTS[error]);
  return uri.href;
}

/** Returns the kinds of asset that occur in the scopes, in the order of `ASSET_KINDS`. */
export function typesIn(scopes: readonly string[]): readonly AssetKind[] {
  return ASSET_KINDS.filter((kind) => scopes.some((scope) => scope.startsWith(`${kind}:`)));
}

function isRedirectUri(text: string): boolean {
  // The URL parser silently removes line breaks and spaces.
  if (/[\s\p{C}]/u.test(text)) return false;
  const uri = URL.parse(text);
  if (uri === null) return false;
  const { protocol, hostname } = uri;
  if (protocol === "https:") return true;
  if (protocol === "http:") return HOUSE_ADDRESS.test(hostname) || HOUSE_NAME.test(hostname);
  return !REFUSED_SCHEMES.has(protocol.slice(0, -1));
}
