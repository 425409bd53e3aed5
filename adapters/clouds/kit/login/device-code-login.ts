/** OAuth 2.0 device grant (RFC 8628): the person enters a short code on the vendor's page, on any device. */
import { HOUR_MS, type LinkStep, z } from "hemgate/sdk";
import { CloudError } from "../session/cloud-error.ts";
import { CodeToEnter } from "./code-to-enter.ts";
import { type LoginDesk, type LoginOf, PASSING, type SignInResult } from "./login-desk.ts";
import { askForToken, refusalOf, type TokenResult } from "./oauth-token.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";
/** Where the vendor does not say (RFC 8628, 3.2), and what `slow_down` adds (3.5). */
const INTERVAL_MS = 5_000;
const SLOWER_MS = 5_000;
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** Nobody waits longer for a person, whatever the vendor says. */
const MAX_LIFE_MS = HOUR_MS;

const https = z
  .string()
  .regex(/^[^\s\p{C}]+$/u)
  .pipe(z.url({ protocol: /^https$/ }));

const Begun = z.object({
  device_code: z.string().min(1),
  user_code: CodeToEnter,
  verification_uri: https.optional(),
  /** As some call it that were built before the RFC. */
  verification_url: https.optional(),
  verification_uri_complete: https.optional().catch(undefined),
  /** s. */
  expires_in: z.coerce.number().positive(),
  /** s. */
  interval: z.coerce.number().positive().nullish().catch(null),
});

const Memo = z.object({
  deviceCode: z.string(),
  url: z.string(),
  code: z.string(),
  intervalMs: z.number(),
  /** Monotonic ms. */
  endsAtMs: z.number(),
});
type Memo = z.infer<typeof Memo>;

export async function deviceCodeStep(
  login: LoginOf<"device-code">,
  { answer, memo }: LinkStep,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<SignInResult> {
  const begun = Memo.safeParse(memo);
  if (answer.kind !== "poll" || !begun.success) return waiting(await begin(login, desk, signal));
  const entered = begun.data;
  if (desk.clock.monotonicMs() >= entered.endsAtMs) return { kind: "refused", why: "code-expired" };
  const result = await poll(login, entered, desk, signal);
  if ("grant" in result) return { kind: "signed-in", grant: result.grant, form: null, person: null };
  switch (result.refused) {
    case "authorization_pending":
      return waiting(entered);
    case "slow_down":
      return waiting(slower(entered));
    case "expired_token":
      return { kind: "refused", why: "code-expired" };
    case "access_denied":
      return { kind: "refused", why: "denied" };
    default:
      throw refusalOf(result.refused, login.tokenUrl);
  }
}

/** The client's id, with its secret where it has one. */
export function deviceClient(
  { publicClientId }: LoginOf<"device-code">,
  { app }: Pick<LoginDesk, "app">,
): Readonly<Record<string, string>> {
  if (publicClientId !== undefined) return { client_id: publicClientId };
  const { clientId, clientSecret } = app;
  return { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}

async function begin(login: LoginOf<"device-code">, desk: LoginDesk, signal: AbortSignal): Promise<Memo> {
  const { deviceUrl, scopes } = login;
  const scope: Readonly<Record<string, string>> = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
  const form = { ...deviceClient(login, desk), ...scope };
  const request = { method: "POST" as const, url: deviceUrl, purpose: "login" as const, body: { form } };
  const { body } = await desk.ask(request, signal);
  const parsed = Begun.safeParse(body);
  const url = parsed.data?.verification_uri_complete ?? parsed.data?.verification_uri ?? parsed.data?.verification_url;
  if (!parsed.success || url === undefined) throw new CloudError("malformed", "the vendor gave no code to enter");
  const { device_code: deviceCode, user_code: code, expires_in, interval = null } = parsed.data;
  const requestedMs = interval === null ? INTERVAL_MS : interval * 1_000;
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, requestedMs));
  const lifeMs = Math.min(MAX_LIFE_MS, expires_in * 1_000);
  return { deviceCode, url, code, intervalMs, endsAtMs: desk.clock.monotonicMs() + lifeMs };
}

async function poll(
  login: LoginOf<"device-code">,
  { deviceCode }: Memo,
  desk: LoginDesk,
  signal: AbortSignal,
): Promise<TokenResult> {
  const form = { grant_type: GRANT_TYPE, device_code: deviceCode, ...deviceClient(login, desk) };
  try {
    return await askForToken({ url: login.tokenUrl, form, clientAuth: "none" }, desk, signal);
  } catch (error) {
    if (error instanceof CloudError && PASSING.includes(error.kind)) return { refused: "slow_down" };
    throw error;
  }
}

function slower(memo: Memo): Memo {
  return { ...memo, intervalMs: Math.min(MAX_INTERVAL_MS, memo.intervalMs + SLOWER_MS) };
}

function waiting(memo: Memo): SignInResult {
  return { kind: "wait", url: memo.url, code: memo.code, pollMs: memo.intervalMs, memo };
}
