/** The token endpoint of OAuth 2.0 (RFC 6749, 5.1 and 5.2). */
import { z } from "hemgate/sdk";
import type { CloudAnswer, CloudRequest, Grant } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";
import type { Form, LoginDesk } from "./login-desk.ts";

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  /** s. */
  expires_in: z.coerce.number().positive().nullish().catch(null),
  id_token: z.string().nullish().catch(null),
});

/** Only the person helps: the last is OpenID Connect's (Core 1.0, 3.1.2.6), and Tesla's for a used refresh token. */
const LOGIN_CODES: readonly string[] = ["invalid_grant", "access_denied", "expired_token", "login_required"];

const OAuthError = z.object({ error: z.string() });

const MAX_USER = 200;
const Claims = z.object({ sub: z.string().min(1).max(MAX_USER) });

/** Codes that may be repeated in a message: a vendor could write anything there, what it was asked with included. */
const KNOWN_CODES: readonly string[] = [
  ...LOGIN_CODES,
  "invalid_request",
  "invalid_client",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "authorization_pending",
  "slow_down",
];

/** What is asked for at a token endpoint. */
export interface TokenRequest {
  readonly url: string;
  readonly form: Form;
  /** How the client proves itself; `none` for a public client, whose id is in the form. */
  readonly clientAuth: "basic" | "body" | "none";
}

/** The answer's grant, or OAuth's code of the refusal, such as `invalid_grant`. */
export type TokenResult = { readonly grant: Grant } | { readonly refused: string };

/** Asks once. Rejects with a `CloudError` where nobody answered, or not as OAuth does. */
export async function askForToken(request: TokenRequest, desk: LoginDesk, signal: AbortSignal): Promise<TokenResult> {
  const answer = await desk.askAnyway(asRequest(request, desk), signal);
  if (answer.status >= 200 && answer.status < 300) return { grant: grantIn(answer, request, desk) };
  const error = OAuthError.safeParse(answer.body);
  if (error.success) return { refused: error.data.error };
  // Some say nothing but the status where the grant is refused (5.2 asks for a 400 with a code).
  const isRefused = answer.status === 400 || answer.status === 401;
  if (isRefused) return { refused: "invalid_grant" };
  const kind = answer.status === 429 ? "rate-limited" : answer.status === 403 ? "forbidden" : "unavailable";
  throw new CloudError(kind, `${where(request)} answered ${answer.status}`);
}

/** What a refusal means for a login that is there already. */
export function refusalOf(code: string, url: string): CloudError {
  const isLogin = LOGIN_CODES.includes(code);
  const kind = isLogin ? "login-refused" : code === "temporarily_unavailable" ? "unavailable" : "forbidden";
  const reported = KNOWN_CODES.includes(code) ? code : "with a vendor-specific code";
  return new CloudError(kind, `${where({ url })} refused: ${reported}`);
}

/** How a device or code login renews; the refresh token stays where the answer has no new one. */
export function refreshForm(refresh: string): Form {
  return { grant_type: "refresh_token", refresh_token: refresh };
}

function asRequest({ url, form, clientAuth }: TokenRequest, { app }: LoginDesk): CloudRequest {
  const { clientId, clientSecret } = app;
  const base = { method: "POST" as const, url, purpose: "login" as const, isRepeatable: false };
  if (clientAuth === "none") return { ...base, body: { form } };
  if (clientAuth === "basic" && clientSecret !== null) {
    // Both parts are form-encoded first (RFC 6749, 2.3.1).
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    return { ...base, headers: { authorization }, body: { form } };
  }
  const secret = clientSecret === null ? {} : { client_secret: clientSecret };
  return { ...base, body: { form: { ...form, client_id: clientId, ...secret } } };
}

function grantIn({ body }: CloudAnswer, request: TokenRequest, { clock }: LoginDesk): Grant {
  const parsed = TokenAnswer.safeParse(body);
  if (!parsed.success) throw new CloudError("malformed", `${where(request)} answered no token`);
  const { access_token, refresh_token = null, expires_in = null, id_token = null } = parsed.data;
  const user = (id_token === null ? null : subjectOf(id_token)) ?? subjectOf(access_token);
  return {
    access: access_token,
    refresh: refresh_token,
    expiresAtMs: expires_in === null ? null : clock.nowMs() + expires_in * 1_000,
    ...(user === null ? {} : { extra: { user } }),
  };
}

/** Whether a renewed grant is somebody else's than the one before; false where nobody can tell. */
export function isOfAnother(before: Grant, after: Grant): boolean {
  const [was, is] = [subjectOf(before.access), subjectOf(after.access)];
  if (was !== null && is !== null) return was !== is;
  // The identity of opaque tokens came beside them; those of two kinds of tokens may differ for one user.
  const [known, reported] = [before.extra?.["user"], after.extra?.["user"]];
  return was === is && known !== undefined && reported !== undefined && known !== reported;
}

/** Who a token was made for, where it is a JWT (RFC 7519). It names an account and proves nothing, so it is not verified. */
function subjectOf(token: string): string | null {
  const [, claims] = token.split(".");
  if (claims === undefined) return null;
  try {
    const parsed = Claims.safeParse(JSON.parse(Buffer.from(claims, "base64url").toString("utf8")));
    return parsed.success ? parsed.data.sub : null;
  } catch {
    return null;
  }
}

function where({ url }: Pick<TokenRequest, "url">): string {
  const { host, pathname } = new URL(url);
  return `POST ${host}${pathname}`;
}
