import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { type HourReadings, hourRows } from "../../../src/domain/statistics/statistics-hour.ts";
import type { Sampled } from "../../../src/domain/statistics/statistics-reading.ts";
import { coarserRows, type EnergyRow, QUARTER_MS } from "../../../src/domain/statistics/statistics-row.ts";
import { countedExpect } from "../../counted-expect.ts";

const HOUR = 500_000 * HOUR_MS;

function readings(change: Partial<HourReadings>): HourReadings {
  return { power: [], counterIn: [], counterOut: [], level: [], ...change };
}

function series(...points: readonly (readonly [minute: number, value: number | null])[]): Sampled[] {
  return points.map(([minute, value]) => ({ atMs: HOUR + minute * MINUTE_MS, value }));
}

function total(rows: readonly EnergyRow[], of: (row: EnergyRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

describe("energy by power", () => {
  test("constant power makes power times time, in whole milliwatt hours", () => {
    const rows = hourRows(readings({ power: series([0, 6_000], [10, 6_000], [20, 6_000]) }), HOUR);
    expect(rows).toHaveLength(20);
    expect(rows[3]).toStrictEqual({
      atMs: HOUR + 3 * MINUTE_MS,
      knownMs: MINUTE_MS,
      inMwh: 100_000,
      outMwh: 0,
      flowMs: MINUTE_MS,
      flowMwh: 100_000,
      flowFromMs: HOUR + 3 * MINUTE_MS,
      flowToMs: HOUR + 4 * MINUTE_MS,
      minW: 6_000,
      maxW: 6_000,
      level: null,
    });
  });

  test("nothing is drawn over a silence of more than 15 minutes, nor over a value that the device cannot tell", () => {
    expect(hourRows(readings({ power: series([0, 1_000], [15, 1_000]) }), HOUR)).toHaveLength(15);
    expect(hourRows(readings({ power: series([0, 1_000], [15.001, 1_000]) }), HOUR)).toHaveLength(0);
    expect(hourRows(readings({ power: series([0, 1_000], [5, null], [10, 1_000]) }), HOUR)).toHaveLength(0);
  });

  test("import and export under a line through zero are two triangles", () => {
    const rows = hourRows(readings({ power: series([0, 600], [10, -1_200]) }), HOUR);
    expect(total(rows, (row) => row.inMwh)).toBe(Math.round((600 / 2) * (10 / 3 / 60) * 1_000));
    expect(total(rows, (row) => row.outMwh)).toBe(Math.round((1_200 / 2) * (20 / 3 / 60) * 1_000));
  });

  test("a single reading that shows power is no flow, yet energy and a largest power", () => {
    const rows = hourRows(readings({ power: series([0, 0], [5, 7_200], [10, 0]) }), HOUR);
    expect(total(rows, (row) => row.flowMs)).toBe(0);
    expect(total(rows, (row) => row.inMwh)).toBe(600_000);
    expect(Math.max(...rows.map((row) => row.maxW ?? 0))).toBe(7_200);
  });

  test("an hour and its neighbour share the line across their border without loss or double count", () => {
    const power = series([55, 1_000], [65, 3_000]);
    const first = hourRows(readings({ power }), HOUR);
    const second = hourRows(readings({ power }), HOUR + HOUR_MS);
    expect(total([...first, ...second], (row) => row.inMwh)).toBeCloseTo((2_000 * 1_000) / 6, -1);
    expect(first.every((row) => row.atMs < HOUR + HOUR_MS)).toBe(true);
    expect(second[0]?.atMs).toBe(HOUR + HOUR_MS);
  });

  test("the sums are those of adding up second by second, for any readings", () => {
    const reading = fc.record({
      second: fc.integer({ min: -900, max: 4_500 }),
      value: fc.option(fc.integer({ min: -9_000, max: 9_000 }), { freq: 8 }),
    });
    const expectFlow = countedExpect();
    fc.assert(
      fc.property(fc.uniqueArray(reading, { selector: ({ second }) => second, maxLength: 40 }), (made) => {
        const power = made
          .toSorted((one, other) => one.second - other.second)
          .map(({ second, value }) => ({ atMs: HOUR + second * 1_000, value }));
        const rows = hourRows(readings({ power }), HOUR);
        const expected = bruteForce(power);
        expect(Math.abs(total(rows, (row) => row.inMwh) - expected.inMwh)).toBeLessThan(30 + expected.inMwh * 1e-4);
        expect(Math.abs(total(rows, (row) => row.outMwh) - expected.outMwh)).toBeLessThan(30 + expected.outMwh * 1e-4);
        expect(total(rows, (row) => row.knownMs)).toBe(expected.knownMs);
        for (const row of rows) {
          expect(row.knownMs).toBeLessThanOrEqual(MINUTE_MS);
          if (row.flowMs > 0) expectFlow(row.flowToMs ?? 0).toBeGreaterThan(row.flowFromMs ?? Infinity);
        }
      }),
      { numRuns: 300 },
    );
    expectFlow.wasCalled();
  });
});

/** Adds up the straight lines in steps of 100 ms. */
function bruteForce(power: readonly Sampled[]): { inMwh: number; outMwh: number; knownMs: number } {
  const sum = { inMwh: 0, outMwh: 0, knownMs: 0 };
  const stepMs = 100;
  for (const [index, to] of power.entries()) {
    const from = power[index - 1];
    if (from === undefined || from.value === null || to.value === null) continue;
    if (to.atMs - from.atMs > 15 * MINUTE_MS) continue;
    const slope = (to.value - from.value) / (to.atMs - from.atMs);
    for (let atMs = Math.max(from.atMs, HOUR); atMs < Math.min(to.atMs, HOUR + HOUR_MS); atMs += stepMs) {
      const watts = from.value + slope * (atMs + stepMs / 2 - from.atMs);
      const mwh = (Math.abs(watts) * stepMs) / 3_600;
      if (watts > 0) sum.inMwh += mwh;
      else sum.outMwh += mwh;
      sum.knownMs += stepMs;
    }
  }
  return sum;
}

describe("energy by counters", () => {
  test("a counter leads: the sum is its difference, and power says when", () => {
    const power = series([0, 0], [9, 0], [10, 7_200], [19, 7_200], [20, 0], [30, 0]);
    const counterIn = series([0, 50_000], [10, 50_000], [20, 51_000], [30, 51_000]);
    const rows = hourRows(readings({ power, counterIn }), HOUR);
    expect(total(rows, (row) => row.inMwh)).toBe(1_000_000);
    expect(total(rows.slice(0, 9), (row) => row.inMwh)).toBe(0);
    expect(Math.max(...rows.map((row) => row.maxW ?? 0))).toBe(7_200);
  });

  test("a counter that moves in steps of a kWh is laid out as the power was", () => {
    const power = series([0, 3_000], [10, 3_000], [20, 3_000], [30, 3_000]);
    const counterIn = series([0, 8_000], [10, 8_000], [20, 9_000], [30, 9_000]);
    const rows = hourRows(readings({ power, counterIn }), HOUR);
    expect(rows.slice(0, 20).map((row) => row.inMwh)).toStrictEqual(new Array(20).fill(50_000));
  });

  test("a reset, a jump and zero are no energy: power takes over for that time", () => {
    const power = series([0, 6_000], [5, 6_000], [10, 6_000], [15, 6_000], [20, 6_000]);
    const counterIn = series([0, 90_000], [5, 90_600], [10, 400], [15, 4_294_967_295], [20, 0]);
    const rows = hourRows(readings({ power, counterIn }), HOUR);
    expect(total(rows, (row) => row.inMwh)).toBe(600_000 + 3 * 500_000);
  });

  test("what a counter takes back for a moment is not counted again", () => {
    const counterIn = series([0, 90_000], [5, 90_100], [10, 90_000], [15, 90_100], [20, 90_000], [25, 90_200]);
    expect(total(hourRows(readings({ counterIn }), HOUR), (row) => row.inMwh)).toBe(200_000);
  });

  test("what a counter tells of a silence is spread over it, in every hour of it", () => {
    const counterIn = [
      { atMs: HOUR + 30 * MINUTE_MS, value: 1_000 },
      { atMs: HOUR + 210 * MINUTE_MS, value: 13_000 },
    ];
    const sums = [0, 1, 2, 3].map((hour) =>
      total(hourRows(readings({ counterIn }), HOUR + hour * HOUR_MS), (row) => row.inMwh),
    );
    expect(sums).toStrictEqual([2_000_000, 4_000_000, 4_000_000, 2_000_000]);
  });

  test("a silence of more than a day is left out", () => {
    const counterIn = [
      { atMs: HOUR - 24 * HOUR_MS, value: 1_000 },
      { atMs: HOUR + 1, value: 13_000 },
    ];
    expect(hourRows(readings({ counterIn }), HOUR - HOUR_MS)).toHaveLength(0);
  });

  test("without power a moving counter is consumption", () => {
    const counterIn = series([0, 5_000], [5, 5_000], [10, 5_500], [15, 6_000], [20, 6_000]);
    const rows = hourRows(readings({ counterIn }), HOUR);
    expect(total(rows, (row) => row.flowMs)).toBe(10 * MINUTE_MS);
    expect(Math.max(...rows.map((row) => row.maxW ?? 0))).toBe(6_000);
  });

  test("any counter that only grows is counted once, hour by hour", () => {
    const step = fc.record({ gapS: fc.integer({ min: 1, max: 7_200 }), wh: fc.integer({ min: 0, max: 300 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 60 }), (steps) => {
        let atMs = HOUR + 1_234;
        let value = 100_000;
        const counterIn = [{ atMs, value }];
        for (const { gapS, wh } of steps) {
          atMs += gapS * 1_000;
          value += Math.min(wh, gapS * 20);
          counterIn.push({ atMs, value });
        }
        let sum = 0;
        for (let hourMs = HOUR; hourMs < atMs; hourMs += HOUR_MS) {
          sum += total(hourRows(readings({ counterIn }), hourMs), (row) => row.inMwh);
        }
        expect(Math.abs(sum - (value - 100_000) * 1_000)).toBeLessThan(steps.length * 3 + 3);
      }),
      { numRuns: 200 },
    );
  });
});

test("coarser rows hold the same energy, the widest range, and the outer edges of the flow", () => {
  const power = series([3, 500], [10, 500], [20, null], [21, 4_000], [33, 2_000], [47, 0], [59, 0]);
  const level = series([1, 40], [2, 42], [30, 50]);
  const rows = hourRows(readings({ power, level }), HOUR);
  for (const slotMs of [QUARTER_MS, HOUR_MS] as const) {
    const coarse = coarserRows(rows, slotMs);
    expect(total(coarse, (row) => row.inMwh)).toBe(total(rows, (row) => row.inMwh));
    expect(total(coarse, (row) => row.flowMs)).toBe(total(rows, (row) => row.flowMs));
    expect(coarse.every((row) => row.atMs % slotMs === 0)).toBe(true);
  }
  const [hour] = coarserRows(rows, HOUR_MS);
  expect(hour).toMatchObject({ minW: 500, maxW: 4_000, level: 44, flowFromMs: HOUR + 3 * MINUTE_MS });
});
