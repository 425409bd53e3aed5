/**
 * SMA's Monitoring API, read only. Everything here is unverified: hosts, answers and the life of tokens are as users of
 * the API quote its OpenAPI and developer pages (hosts, `EnergyBalance`, W in `Recent` and Wh in `Total`), nobody could
 * look at a plant, and the limit for each credential in five minutes, in force since July 2025, is not published. Access
 * takes a contract with SMA. Where a local path is there, it is the better one.
 */

import { DAY_MS, MINUTE_MS } from "hemgate/sdk";
import type { Ask, CloudConnector, CloudSession } from "../kit/connector.ts";
import { extra } from "../kit/device/extra.ts";
import { parsed } from "../kit/device/parsed.ts";
import { lookedUp, siteTypes } from "../kit/device/site-parts.ts";
import { type AccountList, entryOf } from "../kit/session/account-list.ts";
import { hasBattery, SmaPlant } from "./plant.ts";
import { Devices, type Plant, Plants } from "./schemas.ts";

const HOST = "monitoring.smaapis.de";
const AUTH_HOST = "auth.smaapis.de";
const PLANTS = `https://${HOST}/v1/plants`;
/** The portal has a new value every five minutes. */
const PACE = { active: 5 * MINUTE_MS, usual: 5 * MINUTE_MS, idle: 6 * MINUTE_MS } as const;
const MAX_LOOKED_UP = 5;

const PLANT_LIST: AccountList<Plant> = {
  brand: "SMA",
  one: "plant",
  keyOf: ({ plantId }) => plantId,
  fetch: ({ ask }, signal) => plantsOf(ask, signal),
};

export const sma: CloudConnector = {
  id: "sma",
  vendors: ["SMA"],
  types: ["inverter", "meter", "battery"],
  displayName: "SMA",
  portalName: "Sunny Portal",
  hosts: [HOST, AUTH_HOST],
  login: {
    kind: "code",
    authorizeUrl: `https://${AUTH_HOST}/oauth2/auth`,
    tokenUrl: `https://${AUTH_HOST}/oauth2/token`,
    // Without it the refresh token ends after two days.
    scopes: ["offline_access"],
    clientAuth: "body",
    hasPkce: false,
  },
  needsApp: true,
  budgets: [
    {
      name: "requests",
      limit: 30,
      windowMs: 5 * MINUTE_MS,
      scope: "app",
      window: "sliding",
      reserved: { command: 0, login: 5 },
      source: "SMA limits each credential in five minutes; the figure is in the contract and not published",
      confidence: "unverified",
    },
  ],
  pace: PACE,

  async list(session, signal) {
    const plants = await PLANT_LIST.fetch(session, signal);
    const look = ({ plantId }: Plant) => devicesOf(session, plantId, signal);
    return (await lookedUp(plants, MAX_LOOKED_UP, look)).map(({ site: { plantId: key, name }, found }) => {
      const types = siteTypes({ hasMeter: true, hasBattery: hasBattery(found ?? []) });
      return { key, types, name, model: null, detail: key };
    });
  },

  async open(session, key, signal) {
    const plant = await entryOf(session, PLANT_LIST, key, signal);
    const devices = (await devicesOf(session, key, signal)) ?? [];
    return new SmaPlant({ session, url: urlOf(key), plant, devices, usualMs: PACE.usual });
  },
};

function urlOf(key: string): string {
  return `${PLANTS}/${encodeURIComponent(key)}`;
}

async function plantsOf(ask: Ask, signal: AbortSignal): Promise<readonly Plant[]> {
  return parsed(Plants, await ask({ method: "GET", url: PLANTS }, signal), "plants").plants;
}

function devicesOf(session: CloudSession, key: string, signal: AbortSignal): Promise<Devices | null> {
  const fetch = async (inner: AbortSignal) => {
    const answer = await session.ask({ method: "GET", url: `${urlOf(key)}/devices/lean` }, inner);
    return parsed(Devices, answer, "devices").devices;
  };
  return extra(session, `devices ${key}`, DAY_MS, fetch, signal);
}
