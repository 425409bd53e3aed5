import { describe, expect, test } from "vitest";
import { localDay, toInstant } from "../../../../../adapters/clouds/kit/device/zoned-time.ts";

const BERLIN = "Europe/Berlin";

describe("a wall time in a zone", () => {
  test.each([
    ["in winter", "2026-01-15 12:00:00", BERLIN, "2026-01-15T11:00:00Z"],
    ["in summer", "2026-07-15T12:00:00", BERLIN, "2026-07-15T10:00:00Z"],
    ["without seconds", "2026-07-15 12:00", BERLIN, "2026-07-15T10:00:00Z"],
    ["with milliseconds", "2026-07-15T12:00:00.250", BERLIN, "2026-07-15T10:00:00.250Z"],
    ["just before the missing hour", "2026-03-29 01:59:59", BERLIN, "2026-03-29T00:59:59Z"],
    ["in the missing hour", "2026-03-29 02:30:00", BERLIN, "2026-03-29T01:00:00Z"],
    ["at the gap's first instant", "2026-03-29 02:00:00", BERLIN, "2026-03-29T01:00:00Z"],
    ["just after the missing hour", "2026-03-29 03:00:00", BERLIN, "2026-03-29T01:00:00Z"],
    ["in the doubled hour", "2026-10-25 02:30:00", BERLIN, "2026-10-25T00:30:00Z"],
    ["in a gap of half an hour", "2026-10-04 02:10:00", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["on a day that a zone left out", "2011-12-30 12:00:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["west of Greenwich", "2026-11-01 01:15:00", "America/New_York", "2026-11-01T05:15:00Z"],
  ])("%s", (_name, text, zone, instant) => {
    expect(toInstant(text, zone)).toBe(Date.parse(instant));
  });

  test("in the doubled hour is the second one when the first is too early", () => {
    const notBeforeMs = Date.parse("2026-10-25T00:55:00Z");
    expect(toInstant("2026-10-25 02:05:00", BERLIN, { notBeforeMs })).toBe(Date.parse("2026-10-25T01:05:00Z"));
    expect(toInstant("2026-10-25 02:58:00", BERLIN, { notBeforeMs })).toBe(Date.parse("2026-10-25T00:58:00Z"));
  });

  test("that is not doubled stays what it is, however early", () => {
    const notBeforeMs = Date.parse("2026-10-26T00:00:00Z");
    expect(toInstant("2026-10-25 04:00:00", BERLIN, { notBeforeMs })).toBe(Date.parse("2026-10-25T03:00:00Z"));
  });

  test.each(["", "2026-02-30 12:00:00", "2026-01-15 25:00:00", "2026-01-15T12:00:00Z", "15.01.2026 12:00", "soon"])(
    "is not %j",
    (text) => {
      expect(toInstant(text, BERLIN)).toBeNull();
    },
  );

  test("needs a zone that exists", () => {
    expect(toInstant("2026-01-15 12:00:00", "Europe/Atlantis")).toBeNull();
    expect(localDay(0, "")).toBeNull();
  });
});

test("the day follows the zone", () => {
  const lateMs = Date.parse("2026-03-28T23:30:00Z");
  expect(localDay(lateMs, "UTC")).toBe("2026-03-28");
  expect(localDay(lateMs, BERLIN)).toBe("2026-03-29");
  expect(localDay(lateMs, "America/Los_Angeles")).toBe("2026-03-28");
});
