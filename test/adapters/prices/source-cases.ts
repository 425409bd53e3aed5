/** Every source with its twin. */
import type { MarketSource } from "../../../src/sdk/market-source.ts";
import type { World } from "../../../src/testing/world.ts";
import { type MarketHome, makeMarketHome } from "../../engine/market/market-home.ts";
import { AwattarTwin } from "../../twins/markets/awattar-twin.ts";
import { EnergyChartsTwin } from "../../twins/markets/energy-charts-twin.ts";
import { EntsoeTwin } from "../../twins/markets/entsoe-twin.ts";
import type { MarketBook } from "../../twins/markets/market-book.ts";
import type { MarketTwin } from "../../twins/markets/market-twin.ts";
import { NordPoolTwin } from "../../twins/markets/nord-pool-twin.ts";
import { OctopusTwin } from "../../twins/markets/octopus-twin.ts";
import { TibberTwin } from "../../twins/markets/tibber-twin.ts";

export const TOKEN = "tok-3f9a-secret";
const HOME = "96a14971-525a-4420-aae9-e5aedaa129ff";

export interface Case {
  readonly market: { readonly zone: string; readonly token?: string };
  readonly currency: string;
  readonly slotMinutes: number;
  /** How many units of the book's price one of the currency is. */
  readonly divisor: number;
  /** HH:MM in Berlin; the source tells tomorrow from then on. */
  readonly publishedAt: string;
  readonly twinOf: (world: World, book: MarketBook) => MarketTwin;
}

export const CASES: Readonly<Record<string, Case>> = {
  awattar: {
    market: { zone: "DE" },
    currency: "EUR",
    slotMinutes: 60,
    divisor: 1_000,
    publishedAt: "13:55",
    twinOf: ({ clock }, book) => new AwattarTwin(clock, book),
  },
  "energy-charts": {
    market: { zone: "DE-LU" },
    currency: "EUR",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:57",
    twinOf: ({ clock }, book) => new EnergyChartsTwin(clock, book),
  },
  entsoe: {
    market: { zone: "DE-LU", token: TOKEN },
    currency: "EUR",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:57",
    twinOf: ({ clock }, book) => new EntsoeTwin(clock, book, TOKEN),
  },
  "nord-pool": {
    market: { zone: "SE3" },
    currency: "SEK",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:45",
    twinOf: ({ clock }, book) => new NordPoolTwin(clock, book),
  },
  octopus: {
    market: { zone: "E-1R-AGILE-24-10-01-C" },
    currency: "GBP",
    slotMinutes: 30,
    divisor: 100,
    publishedAt: "16:50",
    twinOf: ({ clock }, book) => new OctopusTwin(clock, book),
  },
  tibber: {
    market: { zone: HOME, token: TOKEN },
    currency: "NOK",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:55",
    twinOf: ({ clock }, book) => new TibberTwin(clock, book, { token: TOKEN, homeId: HOME, currency: "NOK" }),
  },
};

export function caseOf({ id }: MarketSource): Case {
  const found = CASES[id];
  if (found === undefined) throw new Error(`${id} has no twin`);
  return found;
}

export function houseOf(source: MarketSource, startsAt: string): MarketHome {
  const { market, currency, slotMinutes, publishedAt, twinOf } = caseOf(source);
  const book = { slotMinutes, publishedAt };
  return makeMarketHome(startsAt, { source, market, currency, twinOf, book });
}
