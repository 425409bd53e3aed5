import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  coarser,
  cut,
  emptySeries,
  endOf,
  knownUntil,
  type PowerSeries,
  type PowerSpan,
  seriesOf,
  spliced,
  sumOf,
  valueAt,
} from "../../../src/domain/statistics/power-series.ts";
import { countedExpect } from "../../counted-expect.ts";

const QUARTER_MS = 15 * 60_000;

function series(startStep: number, ...valuesW: (number | null)[]): PowerSeries {
  return { startMs: startStep * QUARTER_MS, stepMs: QUARTER_MS, valuesW };
}

/** Spans one after the other, some left out, that begin and end anywhere. */
const spansOfTime = fc
  .record({
    startMs: fc.integer({ min: 0, max: 100 * QUARTER_MS }),
    pieces: fc.array(
      fc.record({
        lengthMs: fc.integer({ min: 1, max: 5 * QUARTER_MS }),
        powerW: fc.integer({ min: 0, max: 10_000 }),
        isKnown: fc.boolean(),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  })
  .map(({ startMs, pieces }) => {
    let atMs = startMs;
    return pieces.flatMap(({ lengthMs, powerW, isKnown }): PowerSpan[] => {
      const fromMs = atMs;
      atMs += lengthMs;
      return isKnown ? [{ fromMs, toMs: atMs, powerW }] : [];
    });
  });

/** Minute by minute would be too coarse: this asks the spans themselves about one step. */
function meanOf(spans: readonly PowerSpan[], fromMs: number): number | null {
  const toMs = fromMs + QUARTER_MS;
  const parts = spans
    .map((span) => ({ ms: Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs), powerW: span.powerW }))
    .filter(({ ms }) => ms > 0);
  const knownMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  return knownMs < QUARTER_MS ? null : parts.reduce((sum, { ms, powerW }) => sum + powerW * ms, 0) / knownMs;
}

describe("spans as a series", () => {
  test("have the mean of each step, which is known when spans cover all of it", () => {
    const expectUnknown = countedExpect();
    const expectKnown = countedExpect();
    fc.assert(
      fc.property(spansOfTime, (spans) => {
        const made = seriesOf(spans, QUARTER_MS);
        for (let atMs = 0; atMs < 320 * QUARTER_MS; atMs += QUARTER_MS) {
          const mean = meanOf(spans, atMs);
          const own = valueAt(made, atMs);
          if (mean === null) expectUnknown(own).toBeNull();
          else expectKnown(Math.abs(own! - mean)).toBeLessThanOrEqual(0.5 + 1e-6);
        }
      }),
    );
    expectUnknown.wasCalled();
    expectKnown.wasCalled();
  });

  test("are nothing when there are none", () => {
    expect(seriesOf([], QUARTER_MS)).toEqual(emptySeries(QUARTER_MS));
    expect(knownUntil(seriesOf([], QUARTER_MS))).toBeNull();
  });
});

describe("series", () => {
  test("together are known where each of them is", () => {
    const sum = sumOf([series(0, 1, 2, null, 4, 5), series(1, 10, 20, 30)], QUARTER_MS);
    expect(sum).toEqual(series(1, 12, null, 34));
    expect(sumOf([series(0, 1), series(1, 1)], QUARTER_MS)).toEqual(emptySeries(QUARTER_MS));
    expect(sumOf([], QUARTER_MS)).toEqual(emptySeries(QUARTER_MS));
  });

  test("spliced are the older one's before the instant, the newer one's from it on, and never less known than before", () => {
    const made = spliced(series(0, 1, 2, 3, 4, null), series(1, 20, 30, null, 50, 60), 2 * QUARTER_MS);
    expect(made).toEqual(series(0, 1, 2, 30, 4, 50, 60));
    expect(spliced(emptySeries(QUARTER_MS), series(3, 1), 0)).toEqual(series(3, 1));
    expect(spliced(series(3, 1), emptySeries(QUARTER_MS), 0)).toEqual(series(3, 1));
  });

  test("are cut to what begins in a time", () => {
    const whole = series(4, 1, 2, 3, 4);
    expect(cut(whole, 5 * QUARTER_MS, 7 * QUARTER_MS)).toEqual(series(5, 2, 3));
    expect(cut(whole, 4 * QUARTER_MS + 1, Number.POSITIVE_INFINITY)).toEqual(series(5, 2, 3, 4));
    expect(cut(whole, 8 * QUARTER_MS, 9 * QUARTER_MS)).toEqual(emptySeries(QUARTER_MS));
  });

  test("of hours have the means of their quarters, where all four are known", () => {
    const hours = coarser(series(2, 7, 7, 1, 2, 3, 6, 1, null, 1, 1), 4 * QUARTER_MS);
    expect(hours).toEqual({ startMs: 0, stepMs: 4 * QUARTER_MS, valuesW: [null, 3, null] });
    expect(endOf(hours)).toBe(12 * QUARTER_MS);
  });

  test("are known until the end of the last step with a value", () => {
    expect(knownUntil(series(2, 1, null, 1, null))).toBe(5 * QUARTER_MS);
    expect(knownUntil(series(2, null))).toBeNull();
  });
});
