/**
 * SolarEdge's monitoring API, read only. Sources: SolarEdge's monitoring API document, as the OpenAPI of
 * api-evangelist/solar-edge and solaredge-interface quote it; aiosolaredge and Home Assistant's tests for the answers.
 */

import { DAY_MS, MINUTE_MS } from "hemgate/sdk";
import type { Ask, BudgetRule, CloudConnector, CloudRequest, Grant } from "../kit/connector.ts";
import { lookedUp, siteTypes } from "../kit/device/site-parts.ts";
import { type AccountList, entryOf } from "../kit/session/account-list.ts";
import { Site } from "./schemas.ts";
import { SolarEdgeSite } from "./site.ts";
import { HOST, SiteAnswers, sitesOf } from "./site-answers.ts";

const PACE = { active: 5 * MINUTE_MS, usual: 6 * MINUTE_MS, idle: 6 * MINUTE_MS } as const;
const MAX_LOOKED_UP = 10;

const PER_DAY = {
  limit: 300,
  windowMs: DAY_MS,
  // When the vendor's day begins is not said, so no 24 hours may have more.
  window: "sliding",
  reserved: { command: 0, login: 10 },
  source: "SolarEdge monitoring API document, daily limitation",
  confidence: "documented",
} as const satisfies Partial<BudgetRule>;

const SITES: AccountList<Site> = {
  brand: "SolarEdge",
  one: "site",
  keyOf: ({ id }) => String(id),
  entry: Site,
  fetch: ({ ask }, signal) => sitesOf(ask, signal),
};

export const solaredge: CloudConnector = {
  id: "solaredge",
  vendors: ["SOLAREDGE"],
  types: ["inverter", "meter", "battery"],
  displayName: "SolarEdge",
  portalName: "SolarEdge Monitoring",
  hosts: [HOST],
  login: {
    kind: "form",
    keepsForm: false,
    fields: [
      {
        name: "apiKey",
        kind: "api-key",
        hint: {
          "en-US": "In the monitoring portal under Admin, Site Access, API Access; the installer may have to allow it.",
          "de-DE":
            "Im Monitoring-Portal unter Admin, Anlagenzugriff, API-Zugriff; eventuell gibt ihn der Installateur frei.",
        },
      },
    ],
    async signIn({ apiKey = "" }, { ask }, signal) {
      const grant: Grant = { access: apiKey.trim(), refresh: null, expiresAtMs: null };
      const asks: Ask = (request, inner) => ask(withKey({ ...request, purpose: "login" }, grant), inner);
      await sitesOf(asks, signal);
      return grant;
    },
  },
  needsApp: false,
  budgets: [
    { ...PER_DAY, name: "account-day", scope: "account" },
    { ...PER_DAY, name: "site-day", scope: "subject" },
  ],
  pace: PACE,
  authorize: withKey,
  /** A key that is not known is a 403, as is a site that the key may not see; only the first is the login's fault. */
  errorOf: ({ status, body }) =>
    status === 403 && /invalid token/i.test(JSON.stringify(body)) ? "login-refused" : null,

  async list(session, signal) {
    const sites = await SITES.fetch(session, signal);
    const inventoryOf = (site: Site) => new SiteAnswers(session, SITES.keyOf(site)).inventory(signal);
    return (await lookedUp(sites, MAX_LOOKED_UP, inventoryOf)).map(({ site, found }) => {
      const hasMeter = (found?.meters.length ?? 0) > 0;
      const types = siteTypes({ hasMeter, hasBattery: (found?.batteries.length ?? 0) > 0 });
      return { key: SITES.keyOf(site), types, name: site.name, model: null, detail: SITES.keyOf(site) };
    });
  },

  async open(session, key, signal) {
    await entryOf(session, SITES, key, signal);
    const answers = new SiteAnswers(session, key);
    const details = await answers.details(signal);
    const inventory = await answers.inventory(signal);
    return new SolarEdgeSite({ answers, details, inventory, flow: await answers.flow(signal), usualMs: PACE.usual });
  },
};

function withKey(request: CloudRequest, { access }: Grant): CloudRequest {
  return { ...request, query: { ...request.query, api_key: access } };
}
