/** What a car does not take of its current below a fuse goes to the next one. */
import { expect, test } from "vitest";
import { commandsOf, longestOverload, runHouse } from "./house-loop.ts";
import { makeSite } from "./makers.ts";

const view = { range: { minA: 6, maxA: 32, stepA: 1 } };
const site = makeSite({ fuseA: 35 });

test("A car that is full leaves its current below a fuse to the next one, and has it back when it charges again", () => {
  const draws = (atS: number) => atS < 120 || atS >= 600;
  const { trace } = runHouse({ snapshot: { site }, load: () => [2, 2, 2], cars: [{ view, draws }, { view }] }, 900);
  const amps = (atS: number) => trace[atS]!.cars.map((car) => car.amps);
  expect(amps(110)).toEqual([25, 6]);
  expect(amps(400)).toEqual([0, 25]);
  expect(amps(890)).toEqual([25, 6]);
  expect(longestOverload(trace, 35).above).toBe(0);
});

test("A car that takes less than it is offered leaves the rest below a fuse to the next one, until it takes more", () => {
  const carMaxAAt = (atS: number) => (atS < 900 ? 10.7 : 32);
  const cars = [{ view, carMaxAAt }, { view }];
  const { trace } = runHouse({ snapshot: { site }, load: () => [2, 2, 2], cars }, 1_200);
  const amps = (atS: number) => trace[atS]!.cars.map((car) => car.amps);
  expect(amps(60)).toEqual([10.7, 6]);
  expect(amps(400)).toEqual([10.7, 18]);
  expect(amps(1_190)).toEqual([25, 6]);
  expect(longestOverload(trace, 35).above).toBe(0);
  // Nothing goes to and fro.
  expect(commandsOf(trace.slice(0, 900), "charger-1", 400) + commandsOf(trace.slice(0, 900), "charger-2", 400)).toBe(0);
});
