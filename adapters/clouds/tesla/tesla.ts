/**
 * Tesla's Fleet API: energy sites and vehicles. Sources: Tesla's documentation at developer.tesla.com (billing and limits,
 * conventions, home, virtual keys), teslamotors/vehicle-command's protocol.md for signed commands,
 * Teslemetry/python-tesla-fleet-api, Home Assistant's tesla_fleet, timdorr/tesla-api's samples.
 */

import { DAY_MS, MINUTE_MS } from "hemgate/sdk";
import type { BudgetNews, BudgetRule, CloudAnswer, CloudConnector, CloudListing } from "../kit/connector.ts";
import { fitting } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { BASES, Fleet, wantsSignature } from "./fleet.ts";
import { PUBLIC_KEY_AT } from "./pairing.ts";
import { SiteProduct, VehicleProduct } from "./schemas.ts";
import { openSite, siteTypes } from "./site.ts";
import { modelOf, openVehicle } from "./vehicle.ts";

/** Thousandths of a dollar: every answer below 500 is billed, refusals too, so that a loop of them costs money; faults are not. */
const BUDGETS: readonly BudgetRule[] = [
  {
    name: "credit",
    limit: 10_000,
    windowMs: 30 * DAY_MS,
    scope: "app",
    window: "month",
    isWithoutFaults: true,
    reserved: { command: 1_000, login: 0 },
    source: "developer.tesla.com: $10 monthly discount; 500 data requests, 1000 commands or 50 wakes a dollar",
    confidence: "documented",
  },
  {
    name: "credit-day",
    limit: 500,
    windowMs: DAY_MS,
    scope: "app",
    window: "day",
    isWithoutFaults: true,
    reserved: { command: 100, login: 0 },
    source: "our own cap: one day may not use up more than a twentieth of the month's discount",
    confidence: "documented",
  },
  {
    name: "requests",
    limit: 60,
    windowMs: MINUTE_MS,
    scope: "subject",
    window: "sliding",
    reserved: { command: 10, login: 0 },
    source: "developer.tesla.com, billing and limits: real-time data per device and minute",
    confidence: "unverified",
  },
];

export const tesla: CloudConnector = {
  id: "tesla",
  vendors: ["TESLA"],
  types: ["battery", "inverter", "meter", "vehicle"],
  displayName: "Tesla",
  portalName: "Tesla",
  hosts: ["auth.tesla.com", "fleet-auth.prd.vn.cloud.tesla.com", ...BASES.map((base) => new URL(base).hostname)],
  login: {
    kind: "code",
    authorizeUrl: "https://auth.tesla.com/oauth2/v3/authorize",
    tokenUrl: "https://fleet-auth.prd.vn.cloud.tesla.com/oauth2/v3/token",
    scopes: [
      "openid",
      "offline_access",
      "user_data",
      "energy_device_data",
      "energy_cmds",
      "vehicle_device_data",
      "vehicle_location",
      "vehicle_charging_cmds",
    ],
    clientAuth: "body",
    hasPkce: true,
    tokenParameters: { audience: BASES[0] },
  },
  needsApp: true,
  publicKeyAt: PUBLIC_KEY_AT,
  budgets: BUDGETS,
  // A car needs about a quarter of an hour without a question to fall asleep (Home Assistant's tesla_fleet).
  pace: { active: MINUTE_MS, usual: 5 * MINUTE_MS, idle: 20 * MINUTE_MS },
  errorOf: (answer) => (wantsSignature(answer) ? "refused" : null),
  budgetNews,
  async list(session, signal) {
    return (await new Fleet(session).products(signal)).flatMap(listings);
  },
  async open(session, key, signal) {
    const fleet = new Fleet(session);
    const products = await fleet.products(signal);
    const site = fitting(SiteProduct, products).find((one) => one.energy_site_id === key);
    if (site !== undefined) return openSite(fleet, site.energy_site_id, signal);
    const vehicle = fitting(VehicleProduct, products).find(({ vin }) => vin === key);
    if (vehicle !== undefined) return openVehicle(fleet, vehicle, signal);
    fleet.lacksProduct();
    throw new CloudError("refused", "the Tesla account has no such site or vehicle any more");
  },
};

/** None for what is neither a vehicle nor a site with something to show, such as a wall connector alone. */
function listings(product: unknown): readonly CloudListing[] {
  const [site] = fitting(SiteProduct, [product]);
  if (site !== undefined) {
    const types = siteTypes(site);
    if (types.length === 0) return [];
    const model = types.includes("battery") ? "Powerwall" : "Solar";
    return [{ key: site.energy_site_id, types, name: site.site_name, model, detail: site.energy_site_id }];
  }
  return fitting(VehicleProduct, [product]).map((vehicle) => ({
    key: vehicle.vin,
    types: ["vehicle"],
    name: vehicle.display_name,
    model: modelOf(vehicle.vin),
    detail: vehicle.vin,
  }));
}

/** `RateLimit-Limit`, `-Remaining` and `-Reset` (s), with or without `X-`. */
function budgetNews({ headers }: CloudAnswer): readonly BudgetNews[] {
  const read = (name: string) => {
    const text = headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`] ?? "";
    return /^\d+$/.test(text) ? Number(text) : null;
  };
  const [limit, left, resetS] = [read("limit"), read("remaining"), read("reset")];
  if (left === null) return [];
  return [
    {
      budget: "requests",
      left,
      ...(limit !== null && { limit }),
      ...(resetS !== null && { resetsInMs: resetS * 1_000 }),
    },
  ];
}
