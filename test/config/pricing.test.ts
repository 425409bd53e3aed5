import { readFileSync } from "node:fs";
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

test("without a market there is no price of it", () => {
  expect(load("  currency: SEK\n")).toMatchObject({ ok: true, config: { pricing: { currency: "SEK" } } });
});

test("the documentation's example is right, and its table has every source", () => {
  const text = readFileSync(new URL("../../docs/prices.md", import.meta.url), "utf8");
  const [, example = ""] = /```yaml\n([^`]+)```/.exec(text) ?? [];
  expect(loadConfig({ text: example, environment: {}, adapters: [], markets: MARKETS })).toMatchObject({ ok: true });
  const rows = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id).filter((id) => id !== "source");
  expect(rows).toEqual(MARKETS.map(({ id }) => id));
});

test("the token may come from the environment, and is in no mistake", () => {
  const environment = { HEMGATE_PRICING_MARKET_TOKEN: "tok-3f9a" };
  const load = (market: string) =>
    loadConfig({ text: `pricing:\n  market: ${market}\n`, environment, adapters: [], markets: MARKETS });
  expect(load("{ source: entsoe, zone: FR }")).toMatchObject({
    ok: true,
    config: { pricing: { market: { token: "tok-3f9a" } } },
  });
  expect(JSON.stringify(load("{ source: tibber, zone: FR }"))).not.toContain("tok-3f9a");
});

const ALL = MARKETS.map(({ id }) => id).join(", ");

test.each([
  [
    "market: { source: energy-chart, zone: DE-LU }",
    ["pricing.market.source", `there is no such price source; there are ${ALL}`, "energy-charts"],
  ],
  [
    "market: { source: energy-charts, zone: DE-LX }",
    ["pricing.market.zone", expect.stringMatching(/^no such bidding zone; there are AT, BE, /), "DE-LU"],
  ],
  [
    "currency: SEK\n  market: { source: energy-charts, zone: SE4 }",
    ["pricing.currency", "Energy-Charts has prices in EUR only", null],
  ],
  ["market: { source: entsoe, zone: FR }", ["pricing.market.token", "ENTSO-E wants a security token", null]],
  [
    "currency: GBP\n  market: { source: octopus, zone: E-1R-AGILE-24-10-01-C, vat: 0.05 }",
    ["pricing.market.vat", "the prices of Octopus Energy have value-added tax in them; leave vat out", null],
  ],
  ["market: { source: energy-charts, zone: DE-LU, vat: much }", ["pricing.market.vat", "wrong value", null]],
  [
    "market: { source: energy-charts, zone: DE-LU, fees: [{ name: a, perKwh: 1, from: '22:00', to: '06:00' }] }",
    ["pricing.market.fees[0].to", "06:00 is not after 22:00; use two fees for hours that cross midnight", null],
  ],
])("a mistake in the prices of the configuration: %s", (text, mistake) => {
  expect(mistakes(`  ${text}`)).toEqual([mistake]);
});
