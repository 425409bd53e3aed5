import { expect, test } from "vitest";
import { MARKETS } from "../../adapters/prices/markets.ts";
import { loadConfig } from "../../src/config/load-config.ts";

function load(pricing: string) {
  return loadConfig({ text: `pricing:\n${pricing}`, environment: {}, adapters: [], markets: MARKETS });
}

function mistakes(pricing: string) {
  const result = load(pricing);
  return result.ok ? [] : result.mistakes.map(({ path, problem, nearest }) => [path, problem, nearest]);
}

test("a market with a formula is taken, numbers as texts or not", () => {
  const result = load(`
  currency: EUR
  market:
    source: energy-charts
    zone: DE-LU
    vat: 0.19
    factor: "1.03"
    fees:
      - { name: grid, perKwh: "0.0821" }
      - { name: evening, perKwh: 0.05, from: "17:00", to: "20:00", weekdays: [0, 1, 2, 3, 4] }
`);
  expect(result).toMatchObject({
    ok: true,
    config: { pricing: { market: { vat: 0.19, fees: [{ from: "00:00", to: "24:00" }, { from: "17:00" }] } } },
  });
});

test("without a market there is none", () => {
  expect(load("  currency: SEK\n")).toMatchObject({ ok: true, config: { pricing: { currency: "SEK" } } });
});

const ALL = MARKETS.map(({ id }) => id).join(", ");

test.each([
  [
    "market: { source: energy-chart, zone: DE-LU }",
    ["pricing.market.source", `there is no such price source; there are ${ALL}`, "energy-charts"],
  ],
  ["market: { source: energy-charts, zone: DE-LX }", ["pricing.market.zone", "no such bidding zone", "DE-LU"]],
  [
    "currency: SEK\n  market: { source: energy-charts, zone: SE4 }",
    ["pricing.currency", "Energy-Charts has prices in EUR only", null],
  ],
  ["market: { source: energy-charts, zone: DE-LU, vat: much }", ["pricing.market.vat", "wrong value", null]],
  [
    "market: { source: energy-charts, zone: DE-LU, fees: [{ name: a, perKwh: 1, from: '22:00', to: '06:00' }] }",
    ["pricing.market.fees[0].to", "06:00 is not after 22:00; use two fees for hours that cross midnight", null],
  ],
])("a mistake: %s", (text, mistake) => {
  expect(mistakes(`  ${text}`)).toEqual([mistake]);
});
