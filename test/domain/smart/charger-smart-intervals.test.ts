import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PricedSpan } from "../../../src/domain/market/price-curve.ts";
import { cheapestIntervals } from "../../../src/domain/smart/charger-smart-intervals.ts";

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;
const START = Date.UTC(2026, 5, 21, 7);

function quarters(costs: readonly (string | null)[]): readonly PricedSpan[] {
  return costs.flatMap((cost, index) =>
    cost === null ? [] : [{ fromMs: START + index * QUARTER, toMs: START + (index + 1) * QUARTER, cost }],
  );
}

const Cost = fc.integer({ min: -500, max: 4_000 }).map((units) => new Decimal(units).div(10_000).toString());

describe("the cheapest intervals", () => {
  it("add up to the duration at the least cost that any choice of quarters has", () => {
    fc.assert(
      fc.property(fc.array(Cost, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 12 }), (costs, wanted) => {
        const count = Math.min(wanted, costs.length);
        const toMs = START + costs.length * QUARTER;
        const spans = cheapestIntervals({ fromMs: START, toMs, durationMs: count * QUARTER, prices: quarters(costs) });
        expect(spans.reduce((ms, span) => ms + span.toMs - span.fromMs, 0)).toBe(count * QUARTER);
        expect(priceOf(spans, costs).eq(leastCost(costs, count))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("are ascending, apart from each other and inside of the cycle", () => {
    const Prices = fc.array(fc.option(Cost, { freq: 5 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(Prices, fc.nat({ max: 25 * 60 }), fc.nat({ max: 40 }), (costs, minutes, offset) => {
        const [fromMs, toMs] = [START + offset * 60_000, START + costs.length * QUARTER + HOUR];
        const spans = cheapestIntervals({ fromMs, toMs, durationMs: minutes * 60_000, prices: quarters(costs) });
        let last = Number.NEGATIVE_INFINITY;
        for (const span of spans) {
          expect(span.fromMs).toBeGreaterThan(last);
          expect(span.toMs).toBeGreaterThan(span.fromMs);
          last = span.toMs;
        }
        expect(spans.at(0)?.fromMs ?? fromMs).toBeGreaterThanOrEqual(fromMs);
        expect(spans.at(-1)?.toMs ?? toMs).toBeLessThanOrEqual(toMs);
        const total = spans.reduce((ms, span) => ms + span.toMs - span.fromMs, 0);
        expect(total).toBe(Math.min(minutes * 60_000, Math.max(0, toMs - fromMs)));
      }),
      { numRuns: 500 },
    );
  });

  it("are the last quarters of the cycle while nothing is known", () => {
    expect(cheapestIntervals({ fromMs: START, toMs: START + 4 * HOUR, durationMs: HOUR, prices: [] })).toEqual([
      { fromMs: START + 3 * HOUR, toMs: START + 4 * HOUR },
    ]);
  });

  it("take only as much of the last quarter as is needed, next to the others", () => {
    const prices = quarters(["0.3", "0.2", "0.1", "0.3"]);
    expect(cheapestIntervals({ fromMs: START, toMs: START + HOUR, durationMs: 20 * 60_000, prices })).toEqual([
      { fromMs: START + 2 * QUARTER - 5 * 60_000, toMs: START + 3 * QUARTER },
    ]);
  });
});

function priceOf(spans: readonly { fromMs: number; toMs: number }[], costs: readonly string[]): Decimal {
  return costs.reduce((sum, cost, index) => {
    const at = START + index * QUARTER;
    return spans.some(({ fromMs, toMs }) => fromMs <= at && at < toMs) ? sum.plus(cost) : sum;
  }, new Decimal(0));
}

/** Tries every choice. */
function leastCost(costs: readonly string[], count: number): Decimal {
  if (count === 0) return new Decimal(0);
  const [first, ...rest] = costs;
  if (first === undefined) return new Decimal(Number.POSITIVE_INFINITY);
  return Decimal.min(leastCost(rest, count), leastCost(rest, count - 1).plus(first));
}
