/** Reads a token request (RFC 6749, 2.3.1 and 4.4.2): its client, by HTTP Basic or in the form, and what it asks for. */
import { z } from "zod";
import type { ClientCredentials } from "./clients.ts";
import { OAuthError } from "./oauth-error.ts";

/** The form of a token request. Parameters it does not know are ignored, as the RFC says. */
export const TokenForm = z
  .object({
    grant_type: z.string().meta({ description: "`client_credentials`." }),
    client_id: z.string().optional().meta({ description: "Only without the Authorization header." }),
    client_secret: z.string().optional().meta({ description: "Only without the Authorization header." }),
    scope: z.string().optional().meta({ description: "Empty: tokens have no scopes." }),
  })
  .meta({ id: "TokenRequest" });
export type TokenForm = z.infer<typeof TokenForm>;

/** The fields of a form. Throws when one is there twice. */
export function parseForm(text: string): Readonly<Record<string, string>> {
  const fields = [...new URLSearchParams(text)];
  const names = new Set(fields.map(([name]) => name));
  if (names.size < fields.length) throw new OAuthError("invalid_request", "A parameter is there more than once.");
  return Object.fromEntries(fields);
}

/** The credentials of a token request that asks for what we grant. Throws an OAuth error. */
export function readCredentials(authorization: string | undefined, form: TokenForm): ClientCredentials {
  if (form.grant_type !== "client_credentials") {
    throw new OAuthError("unsupported_grant_type", "Only client_credentials is supported.");
  }
  if (form.scope !== undefined && form.scope !== "") {
    throw new OAuthError("invalid_scope", "Tokens have no scopes; leave the parameter out.");
  }
  if (authorization === undefined) return credentialsOfForm(form);
  if (form.client_secret !== undefined) {
    throw new OAuthError("invalid_request", "Credentials are given both in the header and in the form.");
  }
  const credentials = credentialsOfHeader(authorization);
  if (form.client_id !== undefined && form.client_id !== credentials.id) {
    throw new OAuthError("invalid_request", "The client ids of the header and the form differ.");
  }
  return credentials;
}

function credentialsOfForm({ client_id: id, client_secret: secret }: TokenForm): ClientCredentials {
  if (id === undefined || secret === undefined) {
    throw new OAuthError("invalid_client", "Give the client's id and secret by HTTP Basic or in the form.");
  }
  return { id, secret };
}

/** The credentials of HTTP Basic. Throws an OAuth error for anything else. */
export function credentialsOfHeader(authorization: string): ClientCredentials {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization) ?? [];
  const decoded = Buffer.from(encoded ?? "", "base64").toString();
  const colon = decoded.indexOf(":");
  if (colon === -1) throw new OAuthError("invalid_client", "The Authorization header is not HTTP Basic.");
  return { id: formDecoded(decoded.slice(0, colon)), secret: formDecoded(decoded.slice(colon + 1)) };
}

/** The RFC encodes both halves as in a form before they go into the header. */
function formDecoded(text: string): string {
  return new URLSearchParams(`=${text.replaceAll("&", "%26")}`).get("") ?? "";
}
