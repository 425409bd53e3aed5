import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PriceCurve, type PricedSpan } from "../../../src/domain/market/price-curve.ts";
import { latestStartMs, neededChargeMs, planCharge } from "../../../src/domain/smart/charge-planner.ts";
import { countedExpect } from "../../counted-expect.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 5, 21, 18);

/** One price an hour from START on; null is unknown. */
function hourly(...costs: readonly (string | null)[]): readonly PricedSpan[] {
  return costs.flatMap((cost, hour) =>
    cost === null ? [] : [{ fromMs: START + hour * HOUR, toMs: START + (hour + 1) * HOUR, cost }],
  );
}

function need(prices: readonly PricedSpan[], change: { hours?: number; until?: number; leastPauseMs?: number } = {}) {
  return {
    nowMs: START,
    deadlineMs: START + (change.until ?? 12) * HOUR,
    neededMs: (change.hours ?? 2) * HOUR,
    leastPauseMs: change.leastPauseMs ?? 0,
    prices: new PriceCurve(prices),
  };
}

/** Whole minutes, for a brute force that is exact. */
const Minutes = fc.integer({ min: 1, max: 600 });
const Cost = fc.integer({ min: -50_000, max: 400_000 }).map((units) => new Decimal(units).div(1_000_000).toFixed(9));
const Prices = fc
  .array(fc.record({ minutes: fc.integer({ min: 5, max: 120 }), cost: fc.option(Cost, { freq: 6 }) }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((parts) => {
    let at = START;
    return parts.flatMap(({ minutes, cost }): PricedSpan[] => {
      const fromMs = at;
      at += minutes * MINUTE;
      return cost === null ? [] : [{ fromMs, toMs: at, cost }];
    });
  });

describe("the cheapest start", () => {
  it("is the cheapest of all minutes, and the earliest of those", () => {
    const expectNoTime = countedExpect("no time to pause");
    const expectPause = countedExpect("a pause");
    const expectBest = countedExpect("a pause until a start of known costs");
    const expectNow = countedExpect("a pause while the costs of now are known");
    const expectDear = countedExpect("a start now");
    const expectUnknown = countedExpect("no start of known costs");
    fc.assert(
      fc.property(Prices, Minutes, Minutes, fc.integer({ min: 0, max: 30 }), (spans, needed, until, pause) => {
        const wanted = {
          nowMs: START,
          deadlineMs: START + until * MINUTE,
          neededMs: needed * MINUTE,
          leastPauseMs: pause * MINUTE,
          prices: new PriceCurve(spans),
        };
        const planning = planCharge(wanted);
        const latest = latestStartMs(wanted);
        if (START + pause * MINUTE > latest) {
          expectNoTime(planning).toEqual({ kind: "now", why: "no-time" });
          return;
        }
        const best = bruteForce(spans, START + pause * MINUTE, latest, needed);
        const now = bruteForce(spans, START, START, needed);
        if (planning.kind === "pause") {
          expectPause(planning.startAtMs + (needed * 11 * MINUTE) / 10).toBeLessThanOrEqual(wanted.deadlineMs);
          expect(planning.smartCost.lt(planning.nonSmartCost)).toBe(true);
          if (best !== null) expectBest(planning.smartCost.lte(best.cost.plus(1e-15))).toBe(true);
          if (now !== null) expectNow(planning.nonSmartCost.minus(now.cost).abs().lt(1e-15)).toBe(true);
        } else if (planning.kind === "now" && best !== null && now !== null) {
          expectDear(best.cost.gte(now.cost.minus(1e-15))).toBe(true);
        } else if (planning.kind === "await") {
          expectUnknown(best).toBeNull();
        }
      }),
      { numRuns: 1_000 },
    );
    for (const each of [expectNoTime, expectPause, expectBest, expectNow, expectDear, expectUnknown]) each.wasCalled();
  });

  it("waits for the cheap hours of the night", () => {
    const planning = planCharge(
      need(hourly("0.4", "0.4", "0.3", "0.3", "0.1", "0.1", "0.2", "0.2", "0.2", "0.2", "0.3", "0.4")),
    );
    expect(planning).toMatchObject({ kind: "pause", startAtMs: START + 4 * HOUR });
  });

  it("ends at a price edge when that is cheaper than to begin at one", () => {
    const planning = planCharge(need(hourly("0.4", "0.3", "0.1", "0.5", "0.5", "0.5"), { hours: 1.5, until: 6 }));
    expect(planning).toMatchObject({ kind: "pause", startAtMs: START + 1.5 * HOUR });
  });

  it("is paid for at negative prices", () => {
    const planning = planCharge(need(hourly("0.1", "0.1", "-0.05", "-0.02", "0.1", "0.1"), { until: 6 }));
    expect(planning.kind === "pause" && planning.smartCost.toNumber()).toBeCloseTo(-0.07, 12);
  });

  it("is now where all hours cost the same, and where there is no time", () => {
    const flat = Array.from({ length: 12 }, () => "0.25");
    expect(planCharge(need(hourly(...flat)))).toEqual({ kind: "now", why: "no-savings" });
    expect(planCharge(need(hourly("0.9", "0.1", "0.1"), { hours: 2, until: 2.1 }))).toEqual({
      kind: "now",
      why: "no-time",
    });
  });

  it("leaves a tenth of margin before the deadline", () => {
    const planning = planCharge(need(hourly("0.4", "0.4", "0.4", "0.4", "0.3", "0.1"), { until: 6 }));
    expect(planning).toMatchObject({ kind: "pause", startAtMs: START + 3.8 * HOUR });
  });
});

describe("hours without a price", () => {
  it("are not hoped for while something known saves", () => {
    const planning = planCharge(need(hourly("0.4", "0.4", "0.2", "0.2", null, null)));
    expect(planning).toMatchObject({ kind: "pause", startAtMs: START + 2 * HOUR });
  });

  it("are waited for when nothing can be chosen, until there is just time enough", () => {
    const planning = planCharge(need(hourly("0.4"), { until: 12 }));
    expect(planning).toMatchObject({ kind: "await", latestStartMs: START + 12 * HOUR - 2.2 * HOUR });
    expect(planning.kind === "await" && planning.nonSmartCost.toNumber()).toBe(0.8);
  });

  it("tell nothing when there is no price at all", () => {
    expect(planCharge(need([]))).toEqual({ kind: "no-prices" });
  });
});

describe("the time a charge takes", () => {
  const state = { batteryLevel: 50, batteryCapacity: 50, chargeLimit: 80, chargeTimeRemaining: null };

  it.each([
    [state, 10, 90],
    [{ ...state, chargeLimit: null }, 10, 150],
    [{ ...state, batteryLevel: 80 }, 10, 0],
    [{ ...state, batteryLevel: 90 }, 10, 0],
    [{ ...state, batteryCapacity: null, chargeTimeRemaining: 42.5 }, 10, 43],
  ])("%j at %d kW: %d min", (chargeState, kw, expected) => {
    expect(neededChargeMs(chargeState, kw)).toBe(expected * MINUTE);
  });

  it("is unknown without a level, or without any idea of the rest", () => {
    expect(neededChargeMs({ ...state, batteryLevel: null }, 10)).toBeNull();
    expect(neededChargeMs({ ...state, batteryCapacity: null }, 10)).toBeNull();
  });
});

/** Each start of a minute grid, priced minute by minute. */
function bruteForce(spans: readonly PricedSpan[], fromMs: number, toMs: number, needed: number) {
  let best: { startMs: number; cost: Decimal } | null = null;
  for (let startMs = fromMs; startMs <= toMs; startMs += MINUTE) {
    const cost = costOf(spans, startMs, needed);
    if (cost !== null && (best === null || cost.lt(best.cost))) best = { startMs, cost };
  }
  return best;
}

function costOf(spans: readonly PricedSpan[], startMs: number, needed: number): Decimal | null {
  let sum = new Decimal(0);
  for (const { fromMs, toMs, cost } of spans) {
    const overlap = Math.min(toMs, startMs + needed * MINUTE) - Math.max(fromMs, startMs);
    if (overlap > 0) sum = sum.plus(new Decimal(cost).times(overlap));
  }
  const covered = spans.reduce(
    (ms, { fromMs, toMs }) => ms + Math.max(0, Math.min(toMs, startMs + needed * MINUTE) - Math.max(fromMs, startMs)),
    0,
  );
  return covered === needed * MINUTE ? sum.div(HOUR) : null;
}
