import { expect, test } from "vitest";
import {
  type EnergyTarget,
  nextTargetMs,
  phasesOfOthersFault,
  targetFault,
} from "../../../src/domain/energy/energy-policy.ts";

const ZONE = "Europe/Berlin";
const FRIDAY_NOON = Date.parse("2026-03-27T11:00:00Z");

function weekly(weekdays: number[]): EnergyTarget {
  return { kind: "WEEKLY", time: "07:00", weekdays, soc: 80, energyKwh: null };
}

test("a weekly target is next on its day, by the wall clock over a change of the clock", () => {
  expect(nextTargetMs(weekly([0]), FRIDAY_NOON, ZONE)).toBe(Date.parse("2026-03-30T05:00:00Z"));
  expect(nextTargetMs(weekly([4]), FRIDAY_NOON, ZONE)).toBe(Date.parse("2026-04-03T05:00:00Z"));
});

test("a target that is over has no next time", () => {
  const once: EnergyTarget = { kind: "ONCE", by: "2026-03-27T10:00:00Z", soc: null, energyKwh: 10 };
  expect(nextTargetMs(once, FRIDAY_NOON, ZONE)).toBeNull();
});

test("a target in the past, and one without or with two goals, is refused", () => {
  const once = { kind: "ONCE", by: "2026-03-27T10:00:00Z", soc: null, energyKwh: 10 } as const;
  expect(targetFault(once, FRIDAY_NOON)).toMatch(/in the past/);
  expect(targetFault({ ...weekly([0]), energyKwh: 10 }, FRIDAY_NOON)).toMatch(/either/);
  expect(targetFault(weekly([0]), FRIDAY_NOON)).toBeNull();
});

test("only a charger has a number of phases", () => {
  expect(phasesOfOthersFault({ phases: 1 })).toBe("Only a charger has `phases`.");
  expect(phasesOfOthersFault({ phases: null })).toBeNull();
  expect(phasesOfOthersFault({ mode: "SURPLUS" })).toBeNull();
});
