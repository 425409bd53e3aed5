/** How Growatt's OpenAPI is asked. */
import { DAY_MS, MINUTE_MS } from "hemgate/sdk";
import type { BudgetRule, CloudRequest } from "../kit/connector.ts";

export const BUDGETS: readonly BudgetRule[] = [
  {
    name: "requests",
    limit: 20,
    windowMs: 5 * MINUTE_MS,
    scope: "account",
    window: "sliding",
    reserved: { command: 6, login: 2 },
    source: "Growatt answers 10012 and publishes no number; loggers send every five minutes",
    confidence: "unverified",
  },
  {
    // Each setting is written to the inverter's flash memory.
    name: "settings",
    limit: 8,
    windowMs: DAY_MS,
    scope: "account",
    window: "day",
    reserved: { command: 0, login: 0 },
    source: "no limit of Growatt's: flash memory wears out",
    confidence: "unverified",
  },
];

type Values = Readonly<Record<string, string>>;
/** `extra` of the login. */
type Place = Readonly<Record<string, string>>;

function urlOf({ server = "" }: Place, path: string): string {
  return `https://${server}/v1/${path}`;
}

export function get(place: Place, path: string, query: Values): CloudRequest {
  return { method: "GET", url: urlOf(place, path), query, cost: { settings: 0 } };
}

/** A POST that only reads. */
export function look(place: Place, path: string, form: Values): CloudRequest {
  return { method: "POST", url: urlOf(place, path), body: { form }, cost: { settings: 0 } };
}

export function command(place: Place, path: string, form: Values): CloudRequest {
  return { method: "POST", url: urlOf(place, path), body: { form }, purpose: "command" };
}
