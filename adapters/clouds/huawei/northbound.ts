/** How FusionSolar's northbound interface is asked: everything is a POST, and each resource has its own limit. */
import { MINUTE_MS } from "hemgate/sdk";
import type { BudgetRule, CloudRequest } from "../kit/connector.ts";

/** A client's tick in HomeAssistant-FusionSolar: a minute, and what clocks are apart. */
const TICK_MS = 63_000;
const LOGINS_MS = 10 * MINUTE_MS;

const BUDGET_OF = {
  login: "logins",
  stations: "plants",
  getStationList: "plants-before",
  getDevList: "devices",
  getDevRealKpi: "device-data",
} as const;
type Resource = keyof typeof BUDGET_OF;

export const BUDGETS: readonly BudgetRule[] = Object.values(BUDGET_OF).map((name) => ({
  name,
  limit: name === "logins" ? 4 : 1,
  windowMs: name === "logins" ? LOGINS_MS : TICK_MS,
  scope: "account",
  window: "sliding",
  reserved: { command: 0, login: 0 },
  source:
    name === "logins"
      ? "users tell of 5 logins in 10 minutes"
      : "HomeAssistant-FusionSolar: one call a minute and resource, else failCode 407",
  confidence: "observed",
}));

/** Units of each budget: those of one resource, and none of the others'. */
export function costOf(resource: Resource, units = 1): Readonly<Record<string, number>> {
  return Object.fromEntries(BUDGETS.map(({ name }) => [name, name === BUDGET_OF[resource] ? units : 0]));
}

/** A request to the portal that the account is at. */
export function post(
  { portal = "" }: Readonly<Record<string, string>>,
  resource: Resource,
  json: Readonly<Record<string, unknown>>,
): CloudRequest {
  return { method: "POST", url: `https://${portal}/thirdData/${resource}`, body: { json }, cost: costOf(resource) };
}
