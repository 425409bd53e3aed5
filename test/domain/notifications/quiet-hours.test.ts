import { describe, expect, test } from "vitest";
import { isExpectedToAnswer, isQuiet, lastTimeOfDay } from "../../../src/domain/notifications/quiet-hours.ts";

const BERLIN = "Europe/Berlin";
const NIGHT = { from: "22:00", until: "07:00" };

describe("quiet hours", () => {
  test.each([
    ["2026-06-21T19:59:00Z", false],
    ["2026-06-21T20:00:00Z", true],
    ["2026-06-22T04:59:59Z", true],
    ["2026-06-22T05:00:00Z", false],
    ["2026-01-10T20:30:00Z", false],
    ["2026-01-10T21:30:00Z", true],
    ["2026-01-11T06:00:00Z", false],
  ])("from 22:00 until 07:00 in Berlin hold at %s: %s", (at, isHeld) => {
    expect(isQuiet(Date.parse(at), NIGHT, BERLIN)).toBe(isHeld);
  });

  test("end an hour earlier by UTC in the night in which summer time begins, and an hour later when it ends", () => {
    const ends = (from: string): string => {
      let at = Date.parse(from);
      while (isQuiet(at, NIGHT, BERLIN)) at += 60_000;
      return new Date(at).toISOString();
    };
    expect(ends("2026-03-28T22:00:00Z")).toBe("2026-03-29T05:00:00.000Z");
    expect(ends("2026-10-24T21:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
  });

  test("whose end the clock skips end at the jump, and whose end comes twice end at the first", () => {
    const short = { from: "01:00", until: "02:30" };
    expect(isQuiet(Date.parse("2026-03-29T00:59:00Z"), short, BERLIN)).toBe(true);
    expect(isQuiet(Date.parse("2026-03-29T01:00:00Z"), short, BERLIN)).toBe(false);
    expect(isQuiet(Date.parse("2026-10-25T00:29:00Z"), short, BERLIN)).toBe(true);
    expect(isQuiet(Date.parse("2026-10-25T00:30:00Z"), short, BERLIN)).toBe(false);
    expect(isQuiet(Date.parse("2026-10-25T01:29:00Z"), short, BERLIN)).toBe(false);
  });

  test("that lie within one day hold only then", () => {
    const noon = { from: "12:00", until: "14:00" };
    expect(isQuiet(Date.parse("2026-06-21T10:30:00Z"), noon, BERLIN)).toBe(true);
    expect(isQuiet(Date.parse("2026-06-21T22:30:00Z"), noon, BERLIN)).toBe(false);
  });
});

test("a digest's time comes once on each day, also on those on which the clock changes", () => {
  const times = new Set<number>();
  for (let at = Date.parse("2026-10-23T00:00:00Z"); at < Date.parse("2026-10-28T00:00:00Z"); at += 600_000) {
    times.add(lastTimeOfDay(at, "02:30", BERLIN));
  }
  expect([...times].map((ms) => new Date(ms).toISOString())).toEqual([
    "2026-10-22T00:30:00.000Z",
    "2026-10-23T00:30:00.000Z",
    "2026-10-24T00:30:00.000Z",
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
    "2026-10-27T01:30:00.000Z",
  ]);
});

describe("a device is expected to answer", () => {
  test.each([
    ["a meter in the evening", "2026-06-21T19:30:00Z", false, null, true],
    ["a meter at night", "2026-06-21T23:00:00Z", false, null, false],
    ["panels at noon without a place", "2026-12-21T11:30:00Z", true, null, true],
    ["panels in the morning without a place", "2026-06-21T07:00:00Z", true, null, false],
    ["panels while the sun is high", "2026-06-21T07:00:00Z", true, 25, true],
    ["panels in the last light", "2026-06-21T18:00:00Z", true, 5, false],
  ])("%s", (_what, at, hasPanels, elevation, isExpected) => {
    expect(isExpectedToAnswer(Date.parse(at), { hasPanels, sunElevation: elevation }, BERLIN)).toBe(isExpected);
  });
});
