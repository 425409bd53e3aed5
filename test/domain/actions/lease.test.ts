import { describe, expect, test } from "vitest";
import { isAtRest, judgeLease, type LeaseView } from "../../../src/domain/actions/lease.ts";

function makeLease(change: Partial<LeaseView> = {}): LeaseView {
  return {
    state: "held",
    value: 10,
    revertTo: 16,
    isReasserted: false,
    isResuming: false,
    hasMatched: true,
    mismatches: 0,
    hasTimer: true,
    fallback: null,
    isTimerOver: false,
    ...change,
  };
}

describe("a reading of a held value", () => {
  test.each([
    ["that shows it", {}, 10, "holds"],
    ["that shows it within what devices round", {}, 10.05, "holds"],
    ["that differs once", {}, 8, "differs"],
    ["that differs for the third time", { mismatches: 2 }, 8, "taken-over"],
    ["that differs before the value was ever seen", { mismatches: 9, hasMatched: false }, 8, "differs"],
    ["that differs after the timer ran out", { isTimerOver: true }, 16, "lapsed"],
    ["after a restart, at the safe value, with a timer", { isResuming: true }, 16, "lapsed"],
    ["after a restart, at the safe value, without a timer", { isResuming: true, hasTimer: false }, 16, "taken-over"],
    ["after a restart, at another value", { isResuming: true }, 8, "taken-over"],
    ["after a restart, where its timer leaves it", { isResuming: true, fallback: 6 }, 6, "lapsed"],
    ["after a restart, there without a timer", { isResuming: true, hasTimer: false, fallback: 6 }, 6, "taken-over"],
    ["where its timer leaves it, while it is held", { fallback: 6, mismatches: 2 }, 6, "taken-over"],
    ["after our stop, at the safe value", { isResuming: true, hasTimer: false, state: "reverted" }, 16, "lapsed"],
    ["of a schedule, after our stop", { isResuming: true, state: "reverted", isReasserted: true }, 16, "settled"],
    ["of a schedule, still there after a crash", { isResuming: true, isReasserted: true }, 10, "holds"],
    ["after our stop, at another value", { isResuming: true, state: "reverted" }, 8, "taken-over"],
    ["that is released, back at the safe value", { state: "released" }, 16, "settled"],
    ["that is released, not there yet", { state: "released" }, 10, "differs"],
    ["without a safe value after a restart", { isResuming: true, revertTo: null }, 16, "taken-over"],
  ] as const)("%s", (_name, change, reading, verdict) => {
    expect(judgeLease(makeLease(change), reading)).toBe(verdict);
  });
});

test("the safe value, and a battery's own control, need no holding", () => {
  expect(isAtRest("SELF_RELIANCE", null)).toBe(true);
  expect(isAtRest(16, 16)).toBe(true);
  expect(isAtRest(10, 16)).toBe(false);
  expect(isAtRest("IDLE", null)).toBe(false);
});
