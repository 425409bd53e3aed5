import { expect, test } from "vitest";
import { latestStartMs } from "../../../src/domain/energy/latest-start.ts";

const HOUR = 3_600_000;
const DUE = 100 * HOUR;

test("A charge of four hours starts with a quarter of that and a quarter hour to spare", () => {
  expect(latestStartMs({ dueMs: DUE, neededWh: 44_000, fullW: 11_000 }, false)).toBe(DUE - 5.25 * HOUR);
});

test("A charge that runs is not paused because it turns out to be a little faster", () => {
  const start = latestStartMs({ dueMs: DUE, neededWh: 44_000, fullW: 11_000 }, false);
  const isStillDue = (fullW: number): boolean => latestStartMs({ dueMs: DUE, neededWh: 44_000, fullW }, true) <= start;
  expect([isStillDue(11_000), isStillDue(13_000), isStillDue(22_000)]).toEqual([true, true, false]);
});

test("Eight hours are reserved if the missing energy is not known", () => {
  expect(latestStartMs({ dueMs: DUE, neededWh: null, fullW: 11_000 }, false)).toBe(DUE - 10.25 * HOUR);
});
