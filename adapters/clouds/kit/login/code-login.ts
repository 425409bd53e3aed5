/** OAuth 2.0 authorization code with PKCE (RFC 6749, 4.1; RFC 7636) in the person's browser. */
import { hash } from "node:crypto";
import { type LinkRefusal, type LinkStep, z } from "hemgate/sdk";
import type { LoginDesk, LoginOf, SignInResult } from "./login-desk.ts";
import { askForToken, refusalOf } from "./oauth-token.ts";

/** 256 bits, as RFC 7636 advises: 43 characters. */
const VERIFIER_BYTES = 32;

const Memo = z.object({ verifier: z.string(), redirectUri: z.string() });

export async function codeStep(
  login: LoginOf<"code">,
  { answer, memo, callback }: LinkStep,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<SignInResult> {
  if (answer.kind !== "returned") return begin(login, callback, desk);
  const begun = Memo.safeParse(memo);
  const { code, state, error } = answer.query;
  const isOurs = begun.success && state === callback.state;
  if (!isOurs || error !== undefined || code === undefined) return { kind: "refused", why: whyNot(error) };
  const { verifier, redirectUri } = begun.data;
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, ...login.tokenParameters };
  const proof = login.hasPkce ? { code_verifier: verifier } : {};
  const { tokenUrl: url, clientAuth } = login;
  const result = await askForToken({ url, form: { ...form, ...proof }, clientAuth }, desk, signal);
  if ("refused" in result) throw refusalOf(result.refused, url);
  return { kind: "signed-in", grant: result.grant, form: null, person: null };
}

function begin(
  { authorizeUrl, scopes, hasPkce, authorizeParameters = {} }: LoginOf<"code">,
  { url: redirectUri, state }: LinkStep["callback"],
  { app, random }: LoginDesk,
): SignInResult {
  const verifier = Buffer.from(random.secretBytes(VERIFIER_BYTES)).toString("base64url");
  const url = new URL(authorizeUrl);
  const parameters = {
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    state,
    ...(hasPkce ? { code_challenge: hash("sha256", verifier, "base64url"), code_challenge_method: "S256" } : {}),
    ...authorizeParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { kind: "redirect", url: url.href, memo: { verifier, redirectUri } };
}

/** The person said no at the vendor's page, or the vendor cannot (RFC 6749, 4.1.2.1). */
function whyNot(error: string | undefined): LinkRefusal {
  if (error === "access_denied") return "denied";
  return error === "server_error" || error === "temporarily_unavailable" ? "unavailable" : "invalid-credentials";
}
