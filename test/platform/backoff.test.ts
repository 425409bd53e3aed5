import { expect, it } from "vitest";
import { backoffMs } from "../../src/platform/backoff.ts";

const RANGE = { floorMs: 100, ceilingMs: 3_000 };

it("The pause doubles with each failure in a row up to the ceiling", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((failures) => backoffMs(failures, RANGE, null));
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_000, 3_000]);
  expect(backoffMs(10_000, RANGE, null)).toBe(3_000);
});

it("Chance takes up to half of the pause away", () => {
  expect(backoffMs(3, RANGE, { next: () => 0 })).toBe(400);
  expect(backoffMs(3, RANGE, { next: () => 0.5 })).toBe(300);
  expect(backoffMs(3, RANGE, { next: () => 1 })).toBe(200);
});
