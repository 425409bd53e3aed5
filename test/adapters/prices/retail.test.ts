import { describe, expect, test } from "vitest";
import { nordPool } from "../../../adapters/prices/nord-pool.ts";
import { octopus } from "../../../adapters/prices/octopus.ts";
import { tibber } from "../../../adapters/prices/tibber.ts";
import type { MarketSource } from "../../../src/sdk/market-source.ts";
import { HOUR, makeMarketHome } from "../../engine/market/market-home.ts";
import { OctopusTwin } from "../../twins/markets/octopus-twin.ts";
import { TibberTwin } from "../../twins/markets/tibber-twin.ts";

const START = "2026-11-20T07:00Z";
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");
const HOME = "96a14971-525a-4420-aae9-e5aedaa129ff";

async function openOctopus() {
  let made: OctopusTwin | null = null;
  const home = makeMarketHome(START, {
    source: octopus,
    currency: "GBP",
    market: { zone: "E-1R-VAR-22-11-01-C" },
    twinOf: ({ clock }, book) => {
      made = new OctopusTwin(clock, book);
      return made;
    },
  });
  if (made === null) throw new Error("no twin");
  const twin: OctopusTwin = made;
  return { ...home, twin };
}

describe("a British tariff", () => {
  test("whose rate has no end costs the same all day, by direct debit", async () => {
    const { world, twin, start } = await openOctopus();
    twin.flat = [
      { validFromMs: Date.parse("2026-10-01T00:00:37Z"), incVat: 27.0935, payment: "DIRECT_DEBIT" },
      { validFromMs: Date.parse("2026-10-01T00:00:37Z"), incVat: 29.4, payment: "NON_DIRECT_DEBIT" },
    ];
    const { service } = await start();
    await world.clock.advance(HOUR);
    expect(service.consumer(MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR)).toEqual([
      { fromMs: MIDNIGHT + HOUR, toMs: MIDNIGHT + 2 * HOUR, cost: "0.270935" },
    ]);
  });

  test("that does not exist is refused", async () => {
    const { world, start } = await openOctopus();
    const { service } = await start({ zone: "E-1R-NONE-26-01-01-C" });
    await world.clock.advance(HOUR);
    expect(service.status()).toMatchObject({
      problem: { kind: "refused", text: "api.octopus.energy answered 404" },
      nextFetchAtMs: null,
    });
  });
});

function openTibber(change: { token?: string; homeId?: string; currency?: string; hasSubscription?: boolean }) {
  const { token = "right", homeId = HOME, currency = "NOK", hasSubscription = true } = change;
  return makeMarketHome(START, {
    source: tibber,
    currency: "NOK",
    market: { zone: HOME, token: "right" },
    twinOf: ({ clock }, book) => {
      const twin = new TibberTwin(clock, book, { token, homeId, currency });
      twin.hasSubscription = hasSubscription;
      return twin;
    },
  });
}

describe("Tibber's errors in a 200", () => {
  test.each([
    [{ token: "other" }, "api.tibber.com refuses the token"],
    [{ homeId: "f0000000-525a-4420-aae9-e5aedaa129ff" }, "api.tibber.com refuses the home"],
    [{ hasSubscription: false }, "api.tibber.com answered that the home has no subscription"],
    [{ currency: "EUR" }, "api.tibber.com has prices in EUR, but pricing.currency is NOK"],
  ])("%o", async (change, text) => {
    const { world, twin, start } = openTibber(change);
    const { service } = await start();
    await world.clock.advance(24 * HOUR);
    expect(service.status()).toMatchObject({ problem: { kind: "refused", text }, nextFetchAtMs: null });
    expect(twin.asked).toHaveLength(1);
  });
});

test("prices of Nord Pool in another currency than asked for are not taken", () => {
  const opened = nordPool.open({ zone: "SE3", token: null, currency: "SEK" });
  if ("problem" in opened) throw new Error(opened.problem);
  const body = new TextEncoder().encode('{"currency":"EUR","multiAreaEntries":[]}');
  const day = { date: "2026-11-20", fromMs: MIDNIGHT, toMs: MIDNIGHT + 24 * HOUR };
  expect(() => opened.read({ status: 200, body }, day)).toThrow("has prices in EUR, but pricing.currency is SEK");
});

test.each<[MarketSource, string, string | null, string, string]>([
  [octopus, "AGILE-24-10-01", null, "GBP", "zone"],
  [octopus, "E-1R-AGILE-24-10-01-C", null, "EUR", "currency"],
  [tibber, "home", "t", "NOK", "zone"],
  [tibber, HOME, null, "NOK", "token"],
  [tibber, HOME, "t", "GBP", "currency"],
  [nordPool, "SE5", null, "SEK", "zone"],
  [nordPool, "SE3", null, "GBP", "currency"],
])("%# the configuration is told what is wrong", (source, zone, token, currency, field) => {
  expect(source.open({ zone, token, currency })).toMatchObject({ field, problem: expect.any(String) });
});
