/**
 * SMA's Monitoring API, read only. Everything here is unverified: hosts, answers and the life of tokens are as users of
 * the API quote its OpenAPI and developer pages (hosts, `EnergyBalance`, W in `Recent` and Wh in `Total`), nobody could
 * look at a plant, and the limit for each credential in five minutes, in force since July 2025, is not published. Access
 * takes a contract with SMA. Where a local path is there, it is the better one.
 */
import type { LinkableType } from "hemgate/sdk";
import { CloudError } from "../kit/cloud-error.ts";
import type { Ask, CloudConnector, CloudListing, CloudSession } from "../kit/connector.ts";
import { extra } from "../kit/extra.ts";
import { fitting, parsed } from "../kit/parsed.ts";
import { hasBattery, SmaPlant } from "./plant.ts";
import { Devices, Plant, Plants } from "./schemas.ts";

const HOST = "monitoring.smaapis.de";
const AUTH_HOST = "auth.smaapis.de";
const PLANTS = `https://${HOST}/v1/plants`;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The portal has a new value every five minutes. */
const PACE = { active: 5 * MINUTE_MS, usual: 5 * MINUTE_MS, idle: 6 * MINUTE_MS } as const;
const MAX_LOOKED_UP = 5;

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
    const listings: CloudListing[] = [];
    for (const [index, { plantId: key, name }] of (await plantsOf(session.ask, signal)).entries()) {
      const devices = index < MAX_LOOKED_UP ? await devicesOf(session, key, signal) : null;
      const types: LinkableType[] = ["inverter", "meter"];
      if (hasBattery(devices ?? [])) types.push("battery");
      listings.push({ key, types, name, model: null, detail: key });
    }
    return listings;
  },

  async open(session, key, signal) {
    const plants = await session.shared("plants", HOUR_MS, (inner) => plantsOf(session.ask, inner), signal);
    const plant = plants.find(({ plantId }) => plantId === key);
    if (plant === undefined) throw new CloudError("refused", `the SMA account has no plant ${key} any more`);
    const devices = (await devicesOf(session, key, signal)) ?? [];
    return new SmaPlant({ session, url: urlOf(key), plant, devices, usualMs: PACE.usual });
  },
};

function urlOf(key: string): string {
  return `${PLANTS}/${encodeURIComponent(key)}`;
}

async function plantsOf(ask: Ask, signal: AbortSignal): Promise<readonly Plant[]> {
  return fitting(Plant, parsed(Plants, await ask({ method: "GET", url: PLANTS }, signal), "plants").plants);
}

function devicesOf(session: CloudSession, key: string, signal: AbortSignal): Promise<Devices | null> {
  const fetch = async (inner: AbortSignal) => {
    const answer = await session.ask({ method: "GET", url: `${urlOf(key)}/devices/lean` }, inner);
    return parsed(Devices, answer, "devices").devices;
  };
  return extra(session, `devices ${key}`, DAY_MS, fetch, signal);
}
