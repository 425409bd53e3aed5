import { expect, test } from "vitest";
import { inMode, meanOf, type Readout, runHouse } from "./house-loop.ts";
import { makeSite } from "./makers.ts";

const QUARTER_S = 900;
const site = makeSite({ fuseA: 63, peakKw: 8 });
const fast = () => inMode("FAST");

/** The mean import of each whole quarter hour, W. */
function quarters(trace: readonly Readout[]): readonly number[] {
  const means: number[] = [];
  for (let from = 0; from + QUARTER_S <= trace.length; from += QUARTER_S) {
    means.push(meanOf(trace.slice(from, from + QUARTER_S).map(({ gridW }) => Math.max(0, gridW))));
  }
  return means;
}

function quarterStart(atS: number): { quarterStartMs: number } {
  return { quarterStartMs: Math.floor(atS / QUARTER_S) * QUARTER_S * 1_000 };
}

test("A kettle for minutes does not lower the car as long as the quarter hour has room, and the mean stays at the peak", () => {
  const load = (atS: number): readonly [number, number, number] => (atS % QUARTER_S < 120 ? [9, 9, 9] : [1, 1, 1]);
  const { trace } = runHouse({ snapshot: { site }, at: quarterStart, load, cars: [{ ask: fast }] }, 4 * QUARTER_S);
  for (const mean of quarters(trace)) expect(mean).toBeLessThanOrEqual(8_000);
  // A cap of each moment would leave 8 kW less the load at every time, 6.8 kW on average.
  const used = meanOf(trace.slice(QUARTER_S).map(({ gridW }) => gridW));
  expect(used).toBeGreaterThan(7_300);
});

test("What was used at the beginning is missing at the end: the car goes down to 6 A, and is not stopped", () => {
  const load = (atS: number): readonly [number, number, number] => (atS < 600 ? [15, 15, 15] : [1, 1, 1]);
  const { trace } = runHouse(
    { snapshot: { site }, at: quarterStart, load, cars: [{ ask: fast, startsOnA: 16 }] },
    2 * QUARTER_S,
  );
  expect(trace[700]!.cars[0]).toMatchObject({ isOn: true, offeredA: 6 });
  expect(quarters(trace)[1]).toBeLessThanOrEqual(8_000);
  expect(trace.slice(1_000).every(({ cars }) => cars[0]!.amps >= 10)).toBe(true);
});

test("After a quiet beginning not more than half above the peak is drawn", () => {
  const ask = (atS: number) => inMode(atS < 600 ? "OFF" : "FAST");
  const view = { range: { minA: 6, maxA: 32, stepA: 1 } };
  const { trace } = runHouse({ snapshot: { site }, at: quarterStart, cars: [{ ask, view }] }, 2 * QUARTER_S);
  const highest = Math.max(...trace.map(({ gridW }) => gridW));
  expect(highest).toBeGreaterThan(9_000);
  expect(highest).toBeLessThanOrEqual(12_000);
  for (const mean of quarters(trace)) expect(mean).toBeLessThanOrEqual(8_100);
});

test("What was not measured counts as the peak, so that it is not used twice", () => {
  const { trace } = runHouse(
    {
      snapshot: { site },
      at: quarterStart,
      load: () => [2, 2, 2],
      meter: (truth, atS) => (atS < 600 ? null : truth),
      cars: [{ ask: fast }],
    },
    QUARTER_S,
  );
  const mean = meanOf(trace.slice(600).map(({ gridW }) => gridW));
  expect(mean).toBeGreaterThan(7_000);
  expect(mean).toBeLessThanOrEqual(8_000);
});

test("Without a wall clock the peak is a limit of each moment", () => {
  const { trace } = runHouse({ snapshot: { site }, load: () => [1, 1, 1], cars: [{ ask: fast }] }, 600);
  expect(Math.max(...trace.map(({ gridW }) => gridW))).toBeLessThanOrEqual(8_000);
});

test("A house that has used 2 kWh after twelve minutes keeps a peak of 10 kW, and its car goes on with 6 A or more", () => {
  const load = (atS: number): readonly [number, number, number] =>
    atS % QUARTER_S < 720 ? [8.4, 8.4, 8.4] : [6, 6, 6];
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, peakKw: 10 }) },
      at: quarterStart,
      load,
      cars: [{ ask: fast, startsOnA: 6 }],
    },
    2 * QUARTER_S,
  );
  const usedKwh = trace.slice(QUARTER_S, QUARTER_S + 720).reduce((sum, { gridW }) => sum + gridW / 3_600_000, 0);
  expect(usedKwh).toBeCloseTo(2, 1);
  for (const mean of quarters(trace)) expect(mean).toBeLessThanOrEqual(10_000);
  expect(trace.every(({ cars }) => cars[0]!.isOn && cars[0]!.offeredA >= 6)).toBe(true);
  expect(trace.slice(QUARTER_S + 800).some(({ cars }) => cars[0]!.amps > 6)).toBe(true);
});
