/**
 * Easee's chargers. Sources: developer.easee.com (authentication, commands), nordicopen/pyeasee, evcc's charger/easee,
 * ricott/homey-no.easee.
 */
import { MINUTE_MS, z } from "hemgate/sdk";
import type { BudgetRule, CloudAnswer, CloudConnector, Grant } from "../kit/connector.ts";
import { maybeText } from "../kit/device/maybe.ts";
import { listOf, parsed } from "../kit/device/parsed.ts";
import { refusing } from "../kit/login/refused-login.ts";
import { type AccountList, entriesOf, entryOf } from "../kit/session/account-list.ts";
import { HOST, openCharger } from "./charger.ts";
import { push, STREAM_HOST } from "./push.ts";

const Token = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  expiresIn: z.number().positive(),
});
const ListedCharger = z.object({ id: z.string().min(1), name: maybeText });
type ListedCharger = z.infer<typeof ListedCharger>;
const Chargers = listOf(ListedCharger);

const BUDGETS: readonly BudgetRule[] = [
  {
    name: "requests",
    limit: 20,
    windowMs: MINUTE_MS,
    scope: "account",
    window: "sliding",
    reserved: { command: 8, login: 2 },
    source: "20 settings a minute and charger, as clients keep to; the rest of the limits is not published",
    confidence: "unverified",
  },
];

const CHARGERS: AccountList<ListedCharger> = {
  brand: "Easee",
  one: "charger",
  keyOf: ({ id }) => id,
  async fetch(session, signal) {
    const url = `${HOST}/api/chargers`;
    const answer = await session.ask({ method: "GET", url }, signal);
    return parsed(Chargers, answer, `GET ${url}`);
  },
};

export const easee: CloudConnector = {
  id: "easee",
  vendors: ["EASEE"],
  types: ["charger"],
  displayName: "Easee",
  portalName: "Easee",
  hosts: ["api.easee.com", STREAM_HOST],
  login: {
    kind: "form",
    fields: [
      {
        name: "userName",
        kind: "username",
        hint: {
          "en-US": "Email address, or phone number with its country code",
          "de-DE": "E-Mail-Adresse oder Telefonnummer mit Ländervorwahl",
        },
      },
      { name: "password", kind: "password" },
    ],
    keepsForm: false,
    async signIn({ userName = "", password = "" }, { ask, nowMs }, signal) {
      const url = `${HOST}/api/accounts/login`;
      const body = { json: { userName, password } };
      return grantOf(await refusing(() => ask({ method: "POST", url, body, purpose: "login" }, signal)), url, nowMs());
    },
    async renew({ access, refresh }, { ask, nowMs }, signal) {
      const url = `${HOST}/api/accounts/refresh_token`;
      const body = { json: { accessToken: access, refreshToken: refresh } };
      return grantOf(await refusing(() => ask({ method: "POST", url, body, purpose: "login" }, signal)), url, nowMs());
    },
  },
  needsApp: false,
  budgets: BUDGETS,
  // While the stream is away, plugging in shows at the next question.
  pace: { active: MINUTE_MS, usual: 3 * MINUTE_MS, idle: 6 * MINUTE_MS },
  stream: push,
  errorOf,
  async list(session, signal) {
    return (await entriesOf(session, CHARGERS, signal)).map(({ id, name }) => ({
      key: id,
      types: ["charger"],
      name,
      model: null,
      detail: id,
    }));
  },
  async open(session, key, signal) {
    return openCharger(session, await entryOf(session, CHARGERS, key, signal), signal);
  },
};

function grantOf(answer: CloudAnswer, url: string, nowMs: number): Grant {
  const { accessToken, refreshToken, expiresIn } = parsed(Token, answer, `POST ${url}`);
  return { access: accessToken, refresh: refreshToken, expiresAtMs: nowMs + expiresIn * 1_000 };
}

/** Too many requests may come as a 403 (evcc-io/evcc#3835). */
function errorOf({ status, body }: CloudAnswer): "rate-limited" | null {
  return status === 403 && /too many/i.test(JSON.stringify(body ?? "")) ? "rate-limited" : null;
}
