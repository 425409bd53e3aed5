/** Heaters whose power can be set, such as a rod in a hot-water tank, beside cars and batteries. */
import { expect, test } from "vitest";
import { type CarSpec, inMode, meanOf, reasonsOf, runHouse } from "./house-loop.ts";
import { makeLimit } from "./makers.ts";

const V = 230;

/** A rod of 3 kW on L1. */
function rod(priority: number, spec: Partial<CarSpec> = {}): CarSpec {
  const amps = (watts: number) => watts / V;
  const range = { minA: amps(100), maxA: amps(3_000), stepA: amps(20) };
  return {
    ask: () => inMode("SURPLUS"),
    latencyS: 3,
    startS: 0,
    ...spec,
    view: { phases: ["L1"], priority, isHeater: true, range, offeredA: 0, ...spec.view },
  };
}

test("A heater takes the surplus to some ten watts, also far below the least current of a car", () => {
  for (const sunW of [300, 1_270, 2_600]) {
    const { trace } = runHouse({ sunW: () => sunW, cars: [rod(1)] }, 600);
    const gridW = meanOf(trace.slice(-60).map((each) => each.gridW));
    expect(gridW, `sun of ${sunW} W`).toBeLessThanOrEqual(5);
    expect(gridW, `sun of ${sunW} W`).toBeGreaterThan(-40);
  }
});

test("It starts small and rises with the sun", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS < 600 ? 150 : 2_000), cars: [rod(1)] }, 900);
  expect(trace[590]!.cars[0]!.watts).toBeGreaterThan(100);
  expect(trace.at(-1)!.cars[0]!.watts).toBeGreaterThan(1_900);
});

test("A car before it gets its whole amperes, and the heater what is left; behind it the car waits", () => {
  const car = (priority: number): CarSpec => ({ ask: () => inMode("SURPLUS"), view: { priority } });
  const carFirst = runHouse({ sunW: () => 6_000, cars: [car(1), rod(2)] }, 900).trace.at(-1)!;
  expect(carFirst.cars[0]!.watts).toBe(8 * 3 * V);
  expect(carFirst.cars[1]!.watts).toBeGreaterThan(400);
  expect(carFirst.gridW).toBeLessThanOrEqual(5);
  const heaterFirst = runHouse({ sunW: () => 6_000, cars: [car(2), rod(1)] }, 900).trace.at(-1)!;
  expect(heaterFirst.cars[1]!.watts).toBeGreaterThan(2_900);
  expect(heaterFirst.cars[0]!.watts).toBe(0);
});

test("A battery that comes first is charged before the heater", () => {
  const use = { holdWhileFast: true, priorityBelow: 80, supportAbove: 100 };
  const battery = { soc: 50, view: { maxChargeW: 3_000 } };
  const { trace } = runHouse({ snapshot: { batteryUse: use }, sunW: () => 2_500, battery, cars: [rod(1)] }, 600);
  expect(trace.at(-1)!.cars[0]!.watts).toBe(0);
  expect(trace.at(-1)!.batteryW).toBeGreaterThan(2_300);
});

test("A tank that is hot gives the surplus away after two minutes, and is no fault", () => {
  const car: CarSpec = { ask: () => inMode("SURPLUS"), view: { priority: 2 } };
  const hot = rod(1, { carMaxA: 0 });
  const { trace } = runHouse({ sunW: () => 5_500, cars: [hot, car] }, 900);
  expect(trace.at(-1)!.cars[1]!.watts).toBeGreaterThan(4_100);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([]);
});

test("What is as warm as its plan lets it be takes no more, neither from the grid nor from the sun, and says so", () => {
  const ask = (atS: number) => ({
    ...({ by: "energy", mode: "PLANNED", plannedW: 2_000, plannedUntilMs: null } as const),
    isWarm: atS >= 300,
  });
  const { trace } = runHouse({ sunW: () => 4_000, cars: [rod(1, { ask })] }, 1_500);
  expect(trace[290]!.cars[0]!.watts).toBeGreaterThan(2_900);
  expect(trace.at(-1)!.cars[0]!.watts).toBe(0);
  expect(reasonsOf(trace, "charger-1", 1_200)).toEqual(["warm-enough"]);
});

test("An operator's limit lowers it to what is left, within 30 s", () => {
  const limits = (atS: number) => (atS < 60 ? [] : [makeLimit({ watts: 1_500 })]);
  const { trace } = runHouse({ limits, cars: [rod(1, { ask: () => inMode("FAST") })] }, 300);
  expect(trace[50]!.cars[0]!.watts).toBe(3_000);
  const late = trace.slice(90).map(({ gridW }) => gridW);
  expect(Math.max(...late)).toBeLessThanOrEqual(1_500);
  expect(Math.min(...late)).toBeGreaterThan(1_400);
  expect(reasonsOf(trace, "charger-1", 70)).toEqual(["grid-operator operator"]);
});
