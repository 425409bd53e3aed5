/**
 * Enphase's API, version 4, for what IQ gateways report to the cloud. Sources: Enphase's documentation of the version 4
 * endpoints, as Shane32/EnphaseAPI, NathanBaulch/EnphaseOpenAPI and api-evangelist/enphase quote it. Which plan may set a
 * battery's profile is not said there: a refusal shows it.
 */

import { HOUR_MS, MINUTE_MS } from "hemgate/sdk";
import type { CloudAnswer, CloudConnector } from "../kit/connector.ts";
import { lookedUp, siteTypes } from "../kit/device/site-parts.ts";
import { type AccountList, entryOf } from "../kit/session/account-list.ts";
import { Exceeded, System } from "./schemas.ts";
import { EnphaseSystem } from "./system.ts";
import { HOST, SystemAnswers, systemsOf } from "./system-answers.ts";

const MONTH_MS = 31 * 24 * HOUR_MS;
const PACE = { active: 5 * MINUTE_MS, usual: 15 * MINUTE_MS, idle: 60 * MINUTE_MS } as const;
/** Each costs a request of the month's. */
const MAX_LOOKED_UP = 5;
const SOURCE = "Enphase developer plans: Watt, the free one";

const SYSTEMS: AccountList<System> = {
  brand: "Enphase",
  one: "system",
  keyOf: ({ system_id }) => String(system_id),
  entry: System,
  fetch: ({ ask }, signal) => systemsOf(ask, signal),
};

export const enphase: CloudConnector = {
  id: "enphase",
  vendors: ["ENPHASE"],
  types: ["inverter", "meter", "battery"],
  displayName: "Enphase",
  portalName: "Enlighten",
  hosts: [HOST],
  login: {
    kind: "code",
    authorizeUrl: `https://${HOST}/oauth/authorize`,
    tokenUrl: `https://${HOST}/oauth/token`,
    scopes: [],
    clientAuth: "basic",
    hasPkce: false,
  },
  needsApp: true,
  budgets: [
    {
      name: "minute",
      limit: 10,
      windowMs: MINUTE_MS,
      scope: "app",
      window: "sliding",
      reserved: { command: 2, login: 2 },
      source: SOURCE,
      confidence: "documented",
    },
    {
      name: "month",
      limit: 1_000,
      windowMs: MONTH_MS,
      scope: "app",
      window: "month",
      reserved: { command: 60, login: 40 },
      source: SOURCE,
      confidence: "documented",
    },
  ],
  pace: PACE,
  authorize: (request, { access }, { apiKey }) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${access}`, ...(apiKey !== null && { key: apiKey }) },
  }),
  /** What the plan does not include is "not implemented". */
  errorOf: ({ status }) => (status === 501 ? "forbidden" : null),
  budgetNews: exceeded,

  async list(session, signal) {
    const systems = await SYSTEMS.fetch(session, signal);
    const look = (system: System) => new SystemAnswers(session, SYSTEMS.keyOf(system)).devices(signal);
    return (await lookedUp(systems, MAX_LOOKED_UP, look)).map(({ site, found }) => {
      const { meters = [], encharges = [] } = found ?? {};
      const types = siteTypes({ hasMeter: meters.length > 0, hasBattery: encharges.length > 0 });
      return { key: SYSTEMS.keyOf(site), types, name: site.name, model: null, detail: SYSTEMS.keyOf(site) };
    });
  },

  async open(session, key, signal) {
    const system = await entryOf(session, SYSTEMS, key, signal);
    const answers = new SystemAnswers(session, key);
    const devices = await answers.devices(signal);
    const settings = devices.encharges.length > 0 ? await answers.settings(false, signal) : null;
    return new EnphaseSystem({
      clock: session.clock,
      name: system.name,
      answers,
      devices,
      settings,
      usualMs: PACE.usual,
    });
  },
};

/** There are no headers for it; the body of a refusal names the period that is used up. */
function exceeded({ status, body, headers }: CloudAnswer) {
  const exceeded = status === 429 ? Exceeded.safeParse(body) : null;
  if (exceeded?.success !== true) return [];
  const { period, period_start: startS, period_end: endS, limit } = exceeded.data;
  const atMs = Date.parse(headers["date"] ?? "");
  const resetsInMs = endS * 1_000 - (Number.isNaN(atMs) ? startS * 1_000 : atMs);
  return [{ budget: period, left: 0, resetsInMs: Math.max(0, resetsInMs), ...(limit !== null && { limit }) }];
}
