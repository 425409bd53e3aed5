import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../src/domain/duration.ts";
import { HousePrices } from "../../../src/engine/energy/plan/house-prices.ts";

/** A house that is paid the market's price, which is that of each hour from 0 on; `null`: not known. */
function pricesOf(hours: readonly (number | null)[], feedIn = { perKwh: 0, marketFactor: 1, stopsBelowZero: true }) {
  const published = (fromMs: number, toMs: number) =>
    hours
      .map((cost, hour) => ({ fromMs: hour * HOUR_MS, toMs: (hour + 1) * HOUR_MS, cost: String(cost) }))
      .filter((slot) => slot.cost !== "null" && slot.toMs > fromMs && slot.fromMs < toMs);
  const market = { consumer: published, published };
  const prices = {
    between: () => [],
    hasSource: () => false,
    observe: () => ({ [Symbol.dispose]() {} }),
    currency: "EUR",
  };
  return new HousePrices({ prices, locations: { list: () => [] }, market, feedIn });
}

describe("feeding in stops", () => {
  test("until the price is above zero again", () => {
    const prices = pricesOf([0.02, -0.01, -0.03, 0.01]);
    expect(prices.feedInStopsUntilMs(0)).toBeNull();
    expect(prices.feedInStopsUntilMs(1.5 * HOUR_MS)).toBe(3 * HOUR_MS);
    expect(prices.feedInStopsUntilMs(3 * HOUR_MS)).toBeNull();
  });

  test("until the last hour whose price is known", () => {
    const prices = pricesOf([-0.01, null, -0.03]);
    expect(prices.feedInStopsUntilMs(0)).toBe(HOUR_MS);
    expect(prices.feedInStopsUntilMs(1.5 * HOUR_MS)).toBeNull();
  });

  test("with the fee that is taken off the market's price", () => {
    const feedIn = { perKwh: -0.01, marketFactor: 1, stopsBelowZero: true };
    expect(pricesOf([0.005], feedIn).feedInStopsUntilMs(0)).toBe(HOUR_MS);
    expect(pricesOf([0.01], feedIn).feedInStopsUntilMs(0)).toBeNull();
  });

  test("never where the configuration does not say so", () => {
    const feedIn = { perKwh: 0, marketFactor: 1, stopsBelowZero: false };
    expect(pricesOf([-0.5], feedIn).feedInStopsUntilMs(0)).toBeNull();
  });
});
