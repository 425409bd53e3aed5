/** Recorded answers of price sources, against what their projects read in them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entsoe } from "../../adapters/prices/entsoe.ts";
import { nordPool } from "../../adapters/prices/nord-pool.ts";
import { checkedPrices, isComplete } from "../../src/engine/market/checked-prices.ts";
import { marketDay } from "../../src/engine/market/market-days.ts";
import type { MarketSource } from "../../src/sdk/market-source.ts";
import { recordingAt } from "./recordings.ts";

const CLOUDS = recordingAt("devices/cloud");
const HOUR = 3_600_000;

function pricesOf(source: MarketSource, zone: string, currency: string, file: string, date: string) {
  const market = source.open({ zone, token: "t", currency });
  if ("problem" in market) throw new Error(market.problem);
  const day = marketDay(market.timezone, date);
  const slots = checkedPrices(market.read({ status: 200, body: readFileSync(join(CLOUDS, file)) }, day), market, day);
  return { day, slots };
}

/** The hourly prices per MWh that hass-entso-e's own test expects of a document. */
function expected(name: string): ReadonlyMap<number, number> {
  const tests: Record<string, string[]> = JSON.parse(readFileSync(join(CLOUDS, "entsoe/expected.json"), "utf8"));
  const pairs = (tests[name] ?? []).join("\n").matchAll(/fromisoformat\('([^']+)'\): (-?[\d.]+)/g);
  return new Map([...pairs].map(([, at = "", price]) => [Date.parse(at), Number(price)]));
}

/** The mean of each hour, per MWh and rounded as that project does. */
function hourly(slots: readonly { readonly fromMs: number; readonly toMs: number; readonly cost: string }[]) {
  const sums = new Map<number, number>();
  for (const { fromMs, toMs, cost } of slots) {
    const hour = Math.floor(fromMs / HOUR) * HOUR;
    sums.set(hour, (sums.get(hour) ?? 0) + (Number(cost) * 1_000 * (toMs - fromMs)) / HOUR);
  }
  return [...sums].map(([at, sum]) => [at, Math.round(sum * 100) / 100]);
}

test.each([
  ["entsoe/BE_60M.xml", "test_be_60m", "BE", "2024-10-08", 24],
  ["entsoe/DE_60M_15M_overlap.xml", "test_de_60m_15m_overlap", "DE-LU", "2024-10-06", 24],
  ["entsoe/DE_60M_15M_overlap.xml", "test_de_60m_15m_overlap", "DE-LU", "2024-10-07", 24],
])("%s: %s on %s %s", (file, name, zone, date, hours) => {
  const { slots } = pricesOf(entsoe, zone, "EUR", file, date);
  const read = hourly(slots);
  expect(read).toHaveLength(hours);
  const truth = expected(name);
  expect(read).toEqual(read.map(([at = 0]) => [at, truth.get(at)]));
});

test("a quarter that is left out costs what the one before did, not what the hour did on average", () => {
  const { slots } = pricesOf(entsoe, "BE", "EUR", "entsoe/BE_15M_avg.xml", "2024-10-06");
  const read = hourly(slots);
  const truth = expected("test_be_15M_avg");
  // The project repeats its own mean of the last hour that has points, 36.3.
  const repeated = [3, 4].map((hour) => [Date.parse("2024-10-05T22:00Z") + hour * HOUR, 28.37]);
  expect(read.slice(3, 5)).toEqual(repeated);
  const others = [...read.slice(0, 3), ...read.slice(5)];
  expect(others).toEqual(others.map(([at = 0]) => [at, truth.get(at)]));
});

test("a day of Nord Pool is whole", () => {
  const { day, slots } = pricesOf(nordPool, "SE3", "EUR", "nordpool/delivery_period.json", "2024-11-05");
  expect(isComplete(slots, day)).toBe(true);
  expect(slots.slice(0, 2).map(({ cost }) => cost)).toEqual(["0.02154", "0.00656"]);
});
