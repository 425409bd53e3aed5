/**
 * Fronius' Solar.web Query API, read only; each flow counts as one data point, which Fronius bills. Sources: Fronius'
 * description of the API, python-fronius-web and Fronius_solarweb for the answers, Predbat for the signs, the codes and
 * the headers. No figure of the limit is published, and the signs are not verified at a device (`flow.ts`).
 */

import { DAY_MS, HOUR_MS, MINUTE_MS } from "hemgate/sdk";
import type { Ask, CloudAnswer, CloudConnector, CloudRequest, CloudSession, Grant } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { parsed } from "../kit/device/parsed.ts";
import { lookedUp, siteTypes } from "../kit/device/site-parts.ts";
import { type AccountList, entryOf } from "../kit/session/account-list.ts";
import type { CloudErrorKind } from "../kit/session/cloud-error.ts";
import { FroniusPvSystem, hasDevice } from "./pv-system.ts";
import { Devices, type PvSystem, PvSystems, Refusal } from "./schemas.ts";

const HOST = "api.solarweb.com";
const API = `https://${HOST}/swqapi`;
const PACE = { active: 5 * MINUTE_MS, usual: 5 * MINUTE_MS, idle: 6 * MINUTE_MS } as const;
const MAX_LOOKED_UP = 10;

/** `responseError` of refusals: keys that are missing, not known, not active, ended, blocked or odd; the rest by status. */
const CODES: Readonly<Record<number, CloudErrorKind>> = {
  1011: "rate-limited",
  1012: "unavailable",
  1013: "forbidden",
  1101: "login-refused",
  1102: "login-refused",
  1103: "login-refused",
  1104: "login-refused",
  1105: "login-refused",
  1106: "login-refused",
  1125: "login-refused",
};

const PV_SYSTEMS: AccountList<PvSystem> = {
  brand: "Solar.web",
  one: "PV system",
  keyOf: ({ pvSystemId }) => pvSystemId,
  fetch: ({ ask }, signal) => systemsOf(ask, signal),
};

export const fronius: CloudConnector = {
  id: "fronius-solarweb",
  vendors: ["FRONIUS"],
  types: ["inverter", "meter", "battery"],
  displayName: "Fronius",
  portalName: "Solar.web",
  hosts: [HOST],
  login: {
    kind: "form",
    keepsForm: false,
    fields: [
      {
        name: "accessKeyId",
        kind: "text",
        label: { "en-US": "Access key ID", "de-DE": "Access-Key-ID" },
        hint: {
          "en-US": "In Solar.web under user settings, REST API; it begins with FKIA.",
          "de-DE": "In Solar.web unter Benutzereinstellungen, REST API; sie beginnt mit FKIA.",
        },
      },
      { name: "accessKeyValue", kind: "api-key", label: { "en-US": "Access key value", "de-DE": "Access-Key-Wert" } },
    ],
    async signIn({ accessKeyId = "", accessKeyValue = "" }, { ask }, signal) {
      const grant: Grant = {
        access: accessKeyValue.trim(),
        refresh: null,
        expiresAtMs: null,
        extra: { accessKeyId: accessKeyId.trim() },
      };
      await systemsOf((request, inner) => ask(withKeys({ ...request, purpose: "login" }, grant), inner), signal);
      return grant;
    },
  },
  needsApp: false,
  budgets: [
    {
      name: "requests",
      limit: 60,
      windowMs: HOUR_MS,
      scope: "account",
      window: "sliding",
      reserved: { command: 0, login: 5 },
      source: "no figure published; the vendor's x-rate-limit headers correct it",
      confidence: "unverified",
    },
  ],
  pace: PACE,
  authorize: withKeys,
  errorOf({ status, body }) {
    if (status < 400) return null;
    const refusal = Refusal.safeParse(body);
    const kind = refusal.success ? CODES[refusal.data.responseError] : undefined;
    return kind ?? (status === 401 ? "login-refused" : null);
  },
  budgetNews,

  async list(session, signal) {
    const systems = await PV_SYSTEMS.fetch(session, signal);
    const look = ({ pvSystemId }: PvSystem) => devicesOf(session, pvSystemId, signal);
    return (await lookedUp(systems, MAX_LOOKED_UP, look)).map(({ site: { pvSystemId: key, name }, found }) => {
      const devices = found ?? [];
      const hasMeter = hasDevice(devices, "smartmeter");
      const types = siteTypes({ hasMeter, hasBattery: hasDevice(devices, "battery") });
      return { key, types, name, model: null, detail: null };
    });
  },

  async open(session, key, signal) {
    const system = await entryOf(session, PV_SYSTEMS, key, signal);
    const devices = (await devicesOf(session, key, signal)) ?? [];
    return new FroniusPvSystem({ session, url: urlOf(key), name: system.name, devices, usualMs: PACE.usual });
  },
};

function withKeys(request: CloudRequest, { access, extra: { accessKeyId = "" } = {} }: Grant): CloudRequest {
  return { ...request, headers: { ...request.headers, accesskeyid: accessKeyId, accesskeyvalue: access } };
}

function urlOf(key: string): string {
  return `${API}/pvsystems/${encodeURIComponent(key)}`;
}

async function systemsOf(ask: Ask, signal: AbortSignal): Promise<readonly PvSystem[]> {
  const answer = await ask({ method: "GET", url: `${API}/pvsystems` }, signal);
  return parsed(PvSystems, answer, "pvsystems").pvSystems;
}

function devicesOf(session: CloudSession, key: string, signal: AbortSignal): Promise<Devices | null> {
  const fetch = async (inner: AbortSignal) =>
    parsed(Devices, await session.ask({ method: "GET", url: `${urlOf(key)}/devices` }, inner), "devices").devices;
  return extra(session, `devices ${key}`, DAY_MS, fetch, signal);
}

/** The time of the reset has seven digits of a second. */
function budgetNews({ headers }: CloudAnswer) {
  const [limit, left] = ["x-rate-limit-limit", "x-rate-limit-remaining"].map((name) => wholeOf(headers[name]));
  const resetsInMs = Date.parse(headers["x-rate-limit-reset"] ?? "") - Date.parse(headers["date"] ?? "");
  if (left === undefined) return [];
  return [
    {
      budget: "requests",
      left,
      ...(limit !== undefined && { limit }),
      ...(!Number.isNaN(resetsInMs) && { resetsInMs: Math.max(0, resetsInMs) }),
    },
  ];
}

function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
