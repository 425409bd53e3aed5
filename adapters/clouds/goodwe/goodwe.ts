/**
 * GoodWe's SEMS portal, read only. The portal has no documented interface: everything here is as its app asks. Source:
 * goodwe-sems-home-assistant, for addresses, codes and answers. Accounts of SEMS+ alone sign in elsewhere and are not
 * served. Where a local path is there, it is the better one.
 */

import { MINUTE_MS } from "hemgate/sdk";
import type { Ask, CloudAnswer, CloudConnector, CloudSession, Grant } from "../kit/connector.ts";
import { lookup } from "../kit/device/lookup.ts";
import { parsed } from "../kit/device/parsed.ts";
import { lookedUp, siteTypes } from "../kit/device/site-parts.ts";
import { refusing } from "../kit/login/refused-login.ts";
import { type AccountList, entryOf } from "../kit/session/account-list.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { Detail, Login, Outcome, type Station, Stations } from "./schemas.ts";
import { GoodweStation, hasBattery, hasMeter, isOnline } from "./station.ts";

const LOGIN_URL = "https://www.semsportal.com/api/v3/Common/CrossLogin";
/** What a client shows before it has signed in. */
const NOBODY = '{"version":"3.1.1","client":"ios","language":"en"}';
const MAX_LOOKED_UP = 5;
/** Who asked too often waits for as long. */
const REST_MS = 5 * MINUTE_MS;
const TOO_OFTEN = "GY0429";
const BUDGET = "requests";

const RIGHT: readonly string[] = ["0", "00000"];
const CODES: Readonly<Record<string, CloudErrorKind>> = {
  [TOO_OFTEN]: "rate-limited",
  "100001": "expired",
  "100002": "expired",
  C0602: "expired",
};

const STATIONS: AccountList<Station> = {
  brand: "SEMS",
  one: "station",
  keyOf: ({ id }) => id,
  async fetch(session, signal) {
    const answer = await post(session, "PowerStation/GetPowerStationIdByOwner", {}, signal);
    return parsed(Stations, answer, "GetPowerStationIdByOwner").data;
  },
};

export const goodwe: CloudConnector = {
  id: "goodwe-sems",
  vendors: ["GOODWE"],
  types: ["inverter", "meter", "battery"],
  displayName: "GoodWe",
  portalName: "SEMS Portal",
  hosts: ["www.semsportal.com", "*.semsportal.com"],
  login: {
    kind: "form",
    fields: [
      { name: "account", kind: "email" },
      { name: "password", kind: "password" },
    ],
    // The token cannot be renewed.
    keepsForm: true,
    signIn,
  },
  needsApp: false,
  budgets: [
    {
      name: BUDGET,
      limit: 20,
      windowMs: REST_MS,
      scope: "account",
      window: "sliding",
      reserved: { command: 0, login: 4 },
      source: "no figure published; users ask once a minute, and wait five after GY0429",
      confidence: "unverified",
    },
  ],
  pace: { active: MINUTE_MS, usual: 2 * MINUTE_MS, idle: 6 * MINUTE_MS },
  authorize: (request, { access }) => ({ ...request, headers: { ...request.headers, token: access } }),
  errorOf,
  budgetNews: ({ body }) => (codeOf(body) === TOO_OFTEN ? [{ budget: BUDGET, left: 0, resetsInMs: REST_MS }] : []),

  async list(session, signal) {
    const stations = await STATIONS.fetch(session, signal);
    const look = ({ id }: Station) => detailOf(session, id, signal);
    return (await lookedUp(stations, MAX_LOOKED_UP, look)).map(({ site: { id: key, name }, found }) => ({
      key,
      types: siteTypes({
        hasMeter: found !== null && hasMeter(found),
        hasBattery: found !== null && hasBattery(found),
      }),
      name: found?.info?.stationname ?? name,
      model: null,
      detail: null,
    }));
  },

  async open(session, key, signal) {
    const station = await entryOf(session, STATIONS, key, signal);
    const detail = await detailOf(session, key, signal);
    // What it has would be taken for less than it is.
    if (!isOnline(detail) && !hasMeter(detail)) throw new CloudError("asleep", "SEMS does not hear of the station");
    const look = (inner: AbortSignal) => askDetail(session, key, inner);
    return new GoodweStation({ name: station.name, detail, look });
  },
};

async function signIn(
  { account = "", password = "" }: Readonly<Record<string, string>>,
  { ask }: { readonly ask: Ask },
  signal: AbortSignal,
): Promise<Grant> {
  const request = {
    method: "POST",
    url: LOGIN_URL,
    headers: { token: NOBODY },
    body: { json: { account: account.trim(), pwd: password } },
    purpose: "login",
  } as const;
  // A password that is tried again and again locks the account.
  const { api, data } = parsed(Login, await refusing(() => ask(request, signal)), "CrossLogin");
  const base = baseOf(api ?? data.api ?? "");
  const extra = { api: base, ...(data.uid !== null && { user: data.uid }) };
  return { access: inAscii(JSON.stringify(data)), refresh: null, expiresAtMs: null, extra };
}

/** The region's address; stations are not at the gateway that SEMS+ names, but at the region's older address. */
function baseOf(api: string): string {
  const [, region] = /^([a-z0-9]{2,8})(?:-gateway)?\.semsportal\.com$/.exec(URL.parse(api)?.hostname ?? "") ?? [];
  if (region === undefined) throw new CloudError("malformed", "CrossLogin names no address that is the portal's");
  return `https://${region}.semsportal.com/api`;
}

/** As a header can carry it. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function codeOf(body: unknown): string | null {
  const outcome = Outcome.safeParse(body);
  return outcome.success ? outcome.data.code : null;
}

function errorOf({ status, body }: CloudAnswer): CloudErrorKind | null {
  const code = codeOf(body);
  if (status >= 400 || code === null || RIGHT.includes(code)) return null;
  return lookup(CODES, code) ?? "refused";
}

function detailOf(session: CloudSession, key: string, signal: AbortSignal): Promise<Detail> {
  return session.shared(`detail ${key}`, MINUTE_MS, (inner) => askDetail(session, key, inner), signal);
}

async function askDetail(session: CloudSession, key: string, signal: AbortSignal): Promise<Detail> {
  const resource = "GetMonitorDetailByPowerstationId";
  const answer = await post(session, `v3/PowerStation/${resource}`, { powerStationId: key }, signal);
  return parsed(Detail, answer, resource).data;
}

function post(
  { ask, extra: { api = "" } }: CloudSession,
  path: string,
  json: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<CloudAnswer> {
  return ask({ method: "POST", url: `${api}/${path}`, body: { json } }, signal);
}
