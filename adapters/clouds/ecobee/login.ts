/**
 * ecobee's login by PIN: we ask for one, the person enters it under "My Apps" on ecobee's site, and then it is good for
 * tokens. https://developer.ecobee.com, "PIN authorization".
 */
import type { LinkWords } from "hemgate/sdk";
import type { App, Ask, CloudLogin, Grant, LoginAsk } from "../kit/connector.ts";
import { parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { Pin, Token } from "./schemas.ts";

const BASE = "https://api.ecobee.com";
const MY_APPS = "https://www.ecobee.com/consumerportal/index.html";
const HINT: LinkWords = {
  "en-US": "There, sign in, open My Apps in the menu, and choose Add Application.",
  "de-DE": "Melden Sie sich dort an, öffnen Sie im Menü My Apps und wählen Sie Add Application.",
};

interface Tools {
  readonly ask: Ask;
  readonly app: App;
  readonly nowMs: () => number;
}

/** What goes from one try of a PIN to the next. */
type Kept = Readonly<Record<"pin" | "code" | "intervalS", string>>;

export const login: CloudLogin = {
  kind: "form",
  fields: [
    {
      name: "account",
      kind: "email",
      hint: {
        "en-US": "Only names the account here. ecobee itself asks for your password, on its own page.",
        "de-DE": "Benennt hier nur das Konto. Nach dem Passwort fragt ecobee selbst, auf der eigenen Seite.",
      },
    },
  ],
  keepsForm: false,
  signIn,
  renew,
};

async function signIn(form: Readonly<Record<string, string>>, tools: Tools, signal: AbortSignal) {
  const { code, pin, intervalS } = form;
  if (code === undefined || pin === undefined || intervalS === undefined) return await newPin(tools, signal);
  try {
    return await tokenFor({ grant_type: "ecobeePin", code }, tools, signal);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    // Not entered yet: the same PIN goes on. Over or unknown: another one.
    if (error.kind === "refused") return pinAsk({ pin, code, intervalS });
    if (error.kind === "login-refused") return await newPin(tools, signal);
    throw error;
  }
}

async function renew(grant: Grant, tools: Tools, signal: AbortSignal): Promise<Grant> {
  if (grant.refresh === null) throw new CloudError("login-refused", "ecobee gave no refresh token");
  return await tokenFor({ grant_type: "refresh_token", refresh_token: grant.refresh }, tools, signal);
}

async function newPin({ ask, app }: Tools, signal: AbortSignal): Promise<LoginAsk> {
  const query = { response_type: "ecobeePin", client_id: app.clientId, scope: "smartWrite" };
  const answer = await ask({ method: "GET", url: `${BASE}/authorize`, query, purpose: "login" }, signal);
  const { ecobeePin, code, interval } = parsed(Pin, answer, "GET /authorize");
  return pinAsk({ pin: ecobeePin, code, intervalS: String(interval) });
}

function pinAsk(keep: Kept): LoginAsk {
  return { enter: { url: MY_APPS, code: keep.pin, pollMs: Number(keep.intervalS) * 1_000, hint: HINT }, keep };
}

async function tokenFor(
  what: Readonly<Record<string, string>>,
  { ask, app, nowMs }: Tools,
  signal: AbortSignal,
): Promise<Grant> {
  // The parameters go into the query, the only place where ecobee documents them.
  const query = { ...what, client_id: app.clientId };
  const answer = await ask({ method: "POST", url: `${BASE}/token`, query, purpose: "login" }, signal);
  const { access_token: access, refresh_token: refresh, expires_in: expiresInS } = parsed(Token, answer, "POST /token");
  return { access, refresh, expiresAtMs: expiresInS === null ? null : nowMs() + expiresInS * 1_000 };
}
