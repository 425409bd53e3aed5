import { describe, expect, it } from "vitest";
import { nextTimeOfDay, previousTimeOfDay } from "../../../src/domain/smart/smart-deadline.ts";

const at = (text: string): number => Date.parse(text);

describe("the next time of day", () => {
  it.each([
    ["UTC", "2026-06-21T06:00:00Z", "07:00", "2026-06-21T07:00:00Z"],
    ["UTC", "2026-06-21T07:00:00Z", "07:00", "2026-06-22T07:00:00Z"],
    ["Europe/Berlin", "2026-06-21T06:00:00Z", "07:00", "2026-06-22T05:00:00Z"],
    ["UTC", "2026-06-21T23:00:00Z", "24:00", "2026-06-22T00:00:00Z"],
    ["UTC", "2026-06-22T00:00:00Z", "24:00", "2026-06-23T00:00:00Z"],
    // The night of 23 hours: 02:30 is skipped, and stands for the jump at 03:00.
    ["Europe/Berlin", "2026-03-28T23:00:00Z", "02:30", "2026-03-29T01:00:00Z"],
    ["Europe/Berlin", "2026-03-28T23:00:00Z", "07:00", "2026-03-29T05:00:00Z"],
    // The night of 25 hours: the first 02:30 counts.
    ["Europe/Berlin", "2026-10-24T22:00:00Z", "02:30", "2026-10-25T00:30:00Z"],
    ["Europe/Berlin", "2026-10-25T00:45:00Z", "02:30", "2026-10-26T01:30:00Z"],
    ["Pacific/Kiritimati", "2026-06-21T11:00:00Z", "07:00", "2026-06-21T17:00:00Z"],
  ])("%s after %s: %s is %s", (zone, now, hourMinute, expected) => {
    expect(nextTimeOfDay(at(now), hourMinute, zone)).toBe(at(expected));
    expect(previousTimeOfDay(at(expected) + 1, hourMinute, zone)).toBe(at(expected));
  });

  it("makes cycles of 23 and 25 hours", () => {
    const spring = nextTimeOfDay(at("2026-03-28T12:00:00Z"), "07:00", "Europe/Berlin");
    expect(spring - previousTimeOfDay(spring, "07:00", "Europe/Berlin")).toBe(23 * 3_600_000);
    const autumn = nextTimeOfDay(at("2026-10-24T12:00:00Z"), "07:00", "Europe/Berlin");
    expect(autumn - previousTimeOfDay(autumn, "07:00", "Europe/Berlin")).toBe(25 * 3_600_000);
  });
});
