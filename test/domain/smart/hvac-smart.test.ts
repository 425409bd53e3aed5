import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PricedSpan } from "../../../src/domain/market/price-curve.ts";
import { heatingSpans } from "../../../src/domain/smart/hvac-smart-intervals.ts";
import { type HvacBase, holdAt, shiftedSetpoint } from "../../../src/domain/smart/hvac-smart-policy.ts";
import { makeHvac } from "../../api/support/makers.ts";
import { countedExpect } from "../../counted-expect.ts";

const QUARTER = 15 * 60_000;
const START = Date.UTC(2026, 5, 21);
const Cost = fc.integer({ min: -500, max: 4_000 }).map((units) => new Decimal(units).div(10_000).toString());
/** 23, 24 and 25 hours. */
const Day = fc
  .constantFrom(92, 96, 100)
  .chain((count) => fc.array(fc.option(Cost, { freq: 8 }), { minLength: count, maxLength: count }));

function quarters(costs: readonly (string | null)[]): readonly PricedSpan[] {
  return costs.flatMap((cost, index) =>
    cost === null ? [] : [{ fromMs: START + index * QUARTER, toMs: START + (index + 1) * QUARTER, cost }],
  );
}

describe("the day of a heated house", () => {
  it("is warmer in its cheapest hours, cooler in its dearest, and covered without a gap", () => {
    const expectJoint = countedExpect();
    const expectUnknown = countedExpect();
    fc.assert(
      fc.property(Day, (costs) => {
        const day = { fromMs: START, toMs: START + costs.length * QUARTER };
        const spans = heatingSpans(day, quarters(costs));
        const known = costs.filter((cost) => cost !== null);
        fc.pre(known.length > 0);
        expect([spans[0]?.fromMs, spans.at(-1)?.toMs]).toEqual([day.fromMs, day.toMs]);
        for (const [index, span] of spans.entries()) {
          if (index > 0)
            expectJoint([spans[index - 1]?.toMs, spans[index - 1]?.shift === span.shift]).toEqual([span.fromMs, false]);
        }
        const shifts = costs.map((_cost, index) => {
          const at = START + index * QUARTER;
          return spans.find(({ fromMs, toMs }) => fromMs <= at && at < toMs)?.shift;
        });
        const costsAt = (shift: number) =>
          costs.flatMap((cost, at) => (shifts[at] === shift && cost !== null ? [Number(cost)] : []));
        const [warm, even, cool] = [costsAt(1), costsAt(0), costsAt(-1)];
        expect(Math.max(...warm)).toBeLessThanOrEqual(Math.min(...even, ...cool, Number.POSITIVE_INFINITY));
        expect(Math.min(...cool)).toBeGreaterThanOrEqual(Math.max(...even, ...warm, Number.NEGATIVE_INFINITY));
        expect(Math.max(warm.length, cool.length)).toBeLessThanOrEqual(known.length / 4);
        for (const [at, cost] of costs.entries()) if (cost === null) expectUnknown(shifts[at]).toBe(0);
      }),
      { numRuns: 200 },
    );
    expectJoint.wasCalled();
    expectUnknown.wasCalled();
  });

  it("has no spans without any price", () => {
    expect(heatingSpans({ fromMs: START, toMs: START + 96 * QUARTER }, [])).toEqual([]);
  });

  it("stays as it is where all hours cost the same", () => {
    const spans = heatingSpans({ fromMs: START, toMs: START + 96 * QUARTER }, quarters(Array(96).fill("0.3")));
    expect(spans).toEqual([{ fromMs: START, toMs: START + 96 * QUARTER, shift: 0 }]);
  });
});

describe("a moved setpoint", () => {
  const base: HvacBase = { holdType: "PERMANENT", mode: "AUTO", heatSetpoint: 21, coolSetpoint: 21.5 };

  it.each([
    [1, { min: 10, max: 28 }, 22],
    [1, { min: 10, max: 21.5 }, 21.5],
    [-1, { min: 20.5, max: null }, 20.5],
    [1, null, 22],
  ])("by %d within %j is %d", (shift, range, expected) => {
    expect(shiftedSetpoint(base, shift, range)).toBe(expected);
  });

  it("keeps cooling above heating, and not further than the unit allows", () => {
    const { capabilities } = makeHvac({});
    const narrow = { ...capabilities, setpointDifferenceRange: { min: 1, max: 2 } };
    expect(holdAt(base, 22, narrow)).toMatchObject({ heatSetpoint: 22, coolSetpoint: 23 });
    expect(holdAt({ ...base, coolSetpoint: 26 }, 20, narrow)).toMatchObject({ heatSetpoint: 20, coolSetpoint: 22 });
  });
});
