import { describe, expect, test } from "vitest";
import {
  correlation,
  isPowerAlike,
  isTogether,
  mayBePaired,
  type PlugSide,
} from "../../../src/domain/pairing/charger-pairing.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** When the charger was plugged in; what is known of powers begins long before. */
const PLUGGED_MS = 60 * MINUTE;

function makeSide(change: Partial<PlugSide> = {}): PlugSide {
  return {
    userId: "home",
    locationId: "house",
    isPluggedIn: true,
    pluggedInAtMs: PLUGGED_MS,
    powers: [{ atMs: 0, kilowatts: 0 }],
    ...change,
  };
}

/** Charges from a time on, told late. */
function charging(lagMs: number, fromMs = PLUGGED_MS): PlugSide {
  const powers = [
    { atMs: 0, kilowatts: 0 },
    { atMs: fromMs + lagMs, kilowatts: 7 },
  ];
  return makeSide({ pluggedInAtMs: PLUGGED_MS + lagMs, powers });
}

describe("the correlation of two rows", () => {
  test.each([
    [[0, 1, 2], [0, 2, 4], 1],
    [[0, 1, 2], [4, 2, 0], -1],
    [[0, 1, 0, 1], [0, 0, 1, 1], 0],
    [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1], 0.667],
  ])("of %j and %j is %d", (ones, others, expected) => {
    expect(correlation(ones, others)).toBeCloseTo(expected, 3);
  });

  test("of one that never moves is unknown", () => {
    expect(correlation([7, 7, 7], [0, 1, 2])).toBeNull();
    expect(correlation([0, 1, 2], [7, 7, 7])).toBeNull();
  });
});

describe("a charger and a vehicle may be a pair", () => {
  const at = (lagMs: number) => makeSide({ pluggedInAtMs: PLUGGED_MS + lagMs });

  test.each([0, 2 * MINUTE, -2 * MINUTE])("when they were plugged in %d ms apart at one place", (lagMs) => {
    expect(mayBePaired(makeSide(), at(lagMs))).toBe(true);
  });

  test.each([
    ["more than two minutes apart", at(2 * MINUTE + 1)],
    ["nobody saw when", makeSide({ pluggedInAtMs: null })],
    ["one is not plugged in", makeSide({ isPluggedIn: false, pluggedInAtMs: null })],
    ["one cannot tell", makeSide({ isPluggedIn: null })],
    ["elsewhere", makeSide({ locationId: "work" })],
    ["at no known place", makeSide({ locationId: null })],
    ["of another user", makeSide({ userId: "neighbour" })],
  ])("but not when: %s", (_why, vehicle) => {
    expect(mayBePaired(makeSide(), vehicle)).toBe(false);
  });

  test("but not when neither is at a known place", () => {
    const nowhere = makeSide({ locationId: null });
    expect(mayBePaired(nowhere, nowhere)).toBe(false);
  });
});

describe("powers move alike", () => {
  test.each([
    [0, 9],
    [20 * SECOND, 9],
    [90 * SECOND, 10],
    [-90 * SECOND, 9],
  ])("when both begin, one told %d ms later", (lagMs, minutes) => {
    expect(isPowerAlike(charging(0), charging(lagMs), PLUGGED_MS + minutes * MINUTE)).toBe(true);
  });

  test("not before the ten minutes around the plug-in are over", () => {
    expect(isPowerAlike(charging(0), charging(0), PLUGGED_MS + 8 * MINUTE - 1)).toBe(false);
    expect(isPowerAlike(charging(0), charging(0), PLUGGED_MS + 8 * MINUTE)).toBe(true);
  });

  test("not while nothing moves: two that charge steadily may be anywhere", () => {
    expect(isPowerAlike(charging(0), charging(0), PLUGGED_MS + 30 * MINUTE)).toBe(false);
  });

  test("when they move later, as a planner has it", () => {
    const laterMs = PLUGGED_MS + 3 * 60 * MINUTE;
    expect(isPowerAlike(charging(0, laterMs), charging(20 * SECOND, laterMs), laterMs + 5 * MINUTE)).toBe(true);
  });

  test("not when one begins at another time than the other", () => {
    const laterMs = PLUGGED_MS + 4 * MINUTE;
    expect(isPowerAlike(charging(0), charging(0, laterMs), PLUGGED_MS + 9 * MINUTE)).toBe(false);
  });

  test("not when a power is unknown in between, or was before", () => {
    const gap = { atMs: PLUGGED_MS + MINUTE, kilowatts: null };
    const unknown = { ...charging(0), powers: [...charging(0).powers, gap] };
    expect(isPowerAlike(charging(0), unknown, PLUGGED_MS + 9 * MINUTE)).toBe(false);
    const young = { ...charging(0), powers: charging(0).powers.slice(1) };
    expect(isPowerAlike(charging(0), young, PLUGGED_MS + 9 * MINUTE)).toBe(false);
  });
});

describe("two that belong together are connected", () => {
  const unseen = makeSide({ pluggedInAtMs: null });
  const unplugged = makeSide({ isPluggedIn: false, pluggedInAtMs: null });
  const untold = makeSide({ isPluggedIn: null, pluggedInAtMs: null });
  test.each([
    ["plugged in at one time", makeSide(), false, true],
    ["plugged in at one time, the place unknown", makeSide({ locationId: null }), false, true],
    ["plugged in at another time", makeSide({ pluggedInAtMs: 0 }), false, false],
    ["plugged in at another time, as it turned out", makeSide({ pluggedInAtMs: 0 }), true, false],
    ["one was plugged in unseen", unseen, false, null],
    ["one was plugged in unseen, and it was so before", unseen, true, true],
    ["one cannot tell", untold, false, null],
    ["one cannot tell, and it was so before", untold, true, true],
    ["one is unplugged", unplugged, true, false],
    ["one is another user's now", makeSide({ userId: "neighbour" }), true, false],
    ["one is elsewhere", makeSide({ locationId: "work" }), true, false],
  ])("%s", (_what, vehicle, wasTogether, expected) => {
    expect(isTogether(makeSide(), vehicle, wasTogether)).toBe(expected);
    expect(isTogether(vehicle, makeSide(), wasTogether)).toBe(expected);
  });
});
