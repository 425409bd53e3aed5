/** A car that waits beside one that charges: what a command under way may leave is no room for it. */
import { expect, test } from "vitest";
import { commandsOf, inMode, runHouse } from "./house-loop.ts";

test("A car with less than its least current from the sun takes none from the car after it", () => {
  const second = { view: { phases: ["L2"] as const }, ask: () => inMode("MIN_SURPLUS") };
  const cars = [{ ask: () => inMode("SURPLUS") }, second];
  const { trace } = runHouse({ sunW: () => 4_500, load: () => [1, 1, 1] as const, cars }, 600);
  expect(trace.at(-1)!.cars.map(({ offeredA, isOn }) => isOn && offeredA)).toEqual([false, 16]);
  expect(commandsOf(trace, "charger-2")).toBeLessThan(6);
});

test("A car that has no room below a fuse lowers no other that is being raised", () => {
  const fast = { ask: () => inMode("FAST") };
  const cars = [{ ...fast, isPlugged: (atS: number) => atS >= 100 }, fast];
  const load = (atS: number) => (atS < 200 ? ([17, 17, 17] as const) : ([13, 13, 13] as const));
  const { trace } = runHouse({ load, cars }, 600);
  expect(trace.at(-1)!.cars.map(({ offeredA, isOn }) => isOn && offeredA)).toEqual([false, 11]);
  expect(commandsOf(trace, "charger-2", 200)).toBeLessThan(3);
});
