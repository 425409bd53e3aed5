/** A grid meter that shows the power of all phases together, and no currents. */
import { expect, test } from "vitest";
import { inMode, runHouse } from "./house-loop.ts";
import { type makeMeter, makeSite } from "./makers.ts";

const BLIND = {
  snapshot: { site: makeSite({ fuseA: 25 }) },
  meter: (truth: ReturnType<typeof makeMeter>) => ({ ...truth, currentA: [null, null, null] as const }),
};

test("Panels on three phases hide no load on one of them from the fuse", () => {
  const car = { latencyS: 2, view: { range: { minA: 6, maxA: 32, stepA: 1 } }, ask: () => inMode("FAST") };
  const load = (atS: number) => [atS < 100 ? 3 : 16, 1, 1] as const;
  const { trace } = runHouse({ ...BLIND, sunW: () => 6_000, load, cars: [car] }, 200);
  expect(trace[90]!.cars[0]!.offeredA).toBeGreaterThan(20);
  expect(Math.max(...trace.slice(120).flatMap(({ phaseA }) => phaseA))).toBeLessThan(25);
});

test("Cars are stopped if even a load that is spread over the phases leaves no room for their least currents", () => {
  const one = { view: { phases: ["L1"] as const }, ask: () => inMode("FAST") };
  const load = (atS: number) => [atS < 100 ? 3 : 14, 0, 0] as const;
  const snapshot = { site: makeSite({ fuseA: 16 }) };
  const { trace } = runHouse({ ...BLIND, snapshot, load, cars: [one, one] }, 300);
  expect(trace[90]!.cars.map(({ isOn }) => isOn)).toEqual([true, true]);
  expect(trace[290]!.cars.map(({ isOn }) => isOn)).toEqual([false, false]);
});

test("A cooker on three phases, which might as well be on one, lowers a car and neither stops it nor raises an alarm", () => {
  const load = (atS: number) => [atS < 100 ? 1 : 11, atS < 100 ? 1 : 11, atS < 100 ? 1 : 11] as const;
  const { trace } = runHouse({ ...BLIND, load, cars: [{ ask: () => inMode("FAST") }] }, 900);
  expect(new Set(trace.slice(150).map(({ cars }) => cars[0]!.amps))).toEqual(new Set([6]));
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([]);
});

test("A car charges with all the sun, however much panels and a battery on three phases give", () => {
  const car = { ask: () => inMode("SURPLUS") };
  const { trace } = runHouse({ ...BLIND, sunW: () => 10_000, load: () => [1, 1, 1] as const, cars: [car] }, 400);
  expect(trace.at(-1)!.cars[0]!.offeredA).toBe(13);
});

test.each([undefined, { minW: -5_000, maxW: 5_000 }])(
  "A battery that charges from the grid leaves the fuse to a load (%o)",
  (power) => {
    const battery = { soc: 20, plannedMode: () => "IMPORT_FOCUS" as const, view: power === undefined ? {} : { power } };
    const load = (atS: number) => [atS < 100 ? 3 : 22, 1, 1] as const;
    const { trace } = runHouse({ ...BLIND, load, battery }, 200);
    expect(trace[90]!.batteryW).toBeGreaterThan(4_000);
    expect(Math.max(...trace.slice(120).flatMap(({ phaseA }) => phaseA))).toBeLessThan(25);
  },
);
