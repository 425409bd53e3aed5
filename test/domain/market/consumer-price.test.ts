import { describe, expect, test } from "vitest";
import { consumerPrices, type PriceFee, type PriceFormula } from "../../../src/domain/market/consumer-price.ts";
import { money } from "../../../src/domain/money.ts";

const HOUR = 3_600_000;
/** A Friday in winter: 00:00 in Berlin. */
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");

function fee(perKwh: string, change: Partial<PriceFee> = {}): PriceFee {
  return { perKwh: money(perKwh), fromMinute: 0, toMinute: 1_440, weekdays: [0, 1, 2, 3, 4, 5, 6], ...change };
}

function formula(change: { factor?: string; vat?: string; fees?: readonly PriceFee[]; zone?: string }): PriceFormula {
  const { factor = "1", vat = "0", fees = [], zone = "Europe/Berlin" } = change;
  return { factor: money(factor), vat: money(vat), fees, zone };
}

function costs(cost: string, change: Parameters<typeof formula>[0]): readonly string[] {
  const span = { fromMs: MIDNIGHT, toMs: MIDNIGHT + HOUR, cost };
  return consumerPrices([span], formula(change)).map((priced) => priced.cost);
}

test.each([
  ["0.08123", {}, "0.08123"],
  ["0.08123", { fees: [fee("0.0821")], vat: "0.19" }, "0.1943627"],
  ["0.1", { factor: "1.03", fees: [fee("0.02"), fee("0.03")], vat: "0.25" }, "0.19125"],
  // Fees make the sum positive, although the market pays for taking energy.
  ["-0.05", { fees: [fee("0.08")], vat: "0.19" }, "0.0357"],
  // The tax of a negative sum is negative.
  ["-0.5", { fees: [fee("0.08")], vat: "0.2" }, "-0.504"],
  ["0.1", { fees: [fee("-0.1")], vat: "0.19" }, "0"],
  // 0.1 + 0.2, in floating point 0.30000000000000004.
  ["0.1", { fees: [fee("0.2")] }, "0.3"],
])("a market price of %s with %o is %s", (cost, change, expected) => {
  expect(costs(cost, change)).toEqual([expected]);
});

describe("fees of some hours", () => {
  test("split a price where they begin and end, on the wall clock", () => {
    const evening = fee("0.2", { fromMinute: 17 * 60 + 30, toMinute: 20 * 60 });
    const spans = [{ fromMs: MIDNIGHT + 17 * HOUR, toMs: MIDNIGHT + 21 * HOUR, cost: "0.1" }];
    expect(consumerPrices(spans, formula({ fees: [evening] }))).toEqual([
      { fromMs: MIDNIGHT + 17 * HOUR, toMs: MIDNIGHT + 17.5 * HOUR, cost: "0.1" },
      { fromMs: MIDNIGHT + 17.5 * HOUR, toMs: MIDNIGHT + 20 * HOUR, cost: "0.3" },
      { fromMs: MIDNIGHT + 20 * HOUR, toMs: MIDNIGHT + 21 * HOUR, cost: "0.1" },
    ]);
  });

  test("hold on their weekdays only, from midnight to midnight", () => {
    const weekend = fee("1", { weekdays: [5, 6] });
    const spans = [{ fromMs: MIDNIGHT, toMs: MIDNIGHT + 96 * HOUR, cost: "0" }];
    const edges = consumerPrices(spans, formula({ fees: [weekend] })).map(({ fromMs, cost }) => [
      (fromMs - MIDNIGHT) / HOUR,
      cost,
    ]);
    expect(edges).toEqual([
      [0, "0"],
      [24, "1"],
      [48, "1"],
      [72, "0"],
    ]);
  });

  test("follow the clock on the days when it changes", () => {
    const night = fee("1", { fromMinute: 120, toMinute: 180 });
    const hours = (midnight: string, count: number) => {
      const fromMs = Date.parse(midnight);
      const spans = Array.from({ length: count }, (_, hour) => {
        return { fromMs: fromMs + hour * HOUR, toMs: fromMs + (hour + 1) * HOUR, cost: "0" };
      });
      return consumerPrices(spans, formula({ fees: [night] })).flatMap(({ fromMs: at, cost }) =>
        cost === "1" ? [(at - fromMs) / HOUR] : [],
      );
    };
    // 02:00 is skipped in March, and there twice in October.
    expect(hours("2027-03-27T23:00Z", 23)).toEqual([]);
    expect(hours("2026-10-24T22:00Z", 25)).toEqual([2, 3]);
  });
});

test("gaps of a market price stay gaps", () => {
  const spans = [
    { fromMs: MIDNIGHT, toMs: MIDNIGHT + HOUR, cost: "1" },
    { fromMs: MIDNIGHT + 2 * HOUR, toMs: MIDNIGHT + 3 * HOUR, cost: "2" },
  ];
  expect(consumerPrices(spans, formula({ fees: [fee("1")] })).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(
    spans.map(({ fromMs, toMs }) => [fromMs, toMs]),
  );
  expect(consumerPrices([], formula({}))).toEqual([]);
});
