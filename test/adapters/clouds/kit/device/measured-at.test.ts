import { expect, test } from "vitest";
import { measuredAt } from "../../../../../adapters/clouds/kit/device/measured-at.ts";

const BERLIN = "Europe/Berlin";

test.each([
  ["some minutes old, in the first pass", "02:08:00", "2026-10-25T00:10:00Z", "2026-10-25T00:08:00Z"],
  ["some minutes old, in the second", "02:08:00", "2026-10-25T01:10:00Z", "2026-10-25T01:08:00Z"],
  ["of the first pass, asked for in the second", "02:58:00", "2026-10-25T01:10:00Z", "2026-10-25T00:58:00Z"],
  ["measured while the request waited, in the first pass", "02:10:01", "2026-10-25T00:10:00Z", "2026-10-25T00:10:01Z"],
  ["measured while the request waited, in the second", "02:10:01", "2026-10-25T01:10:00Z", "2026-10-25T01:10:01Z"],
])("in a doubled hour, a reading %s", (_name, time, asked, instant) => {
  const told = measuredAt(`2026-10-25T${time}`, BERLIN, Date.parse(asked));
  expect(told).toEqual({ measuredAtMs: Date.parse(instant) });
});

test("what no zone is known of, or is no time, is of no known time", () => {
  expect(measuredAt("2026-10-25T02:10:01", null, 0)).toEqual({});
  expect(measuredAt(null, BERLIN, 0)).toEqual({});
  expect(measuredAt("yesterday", BERLIN, 0)).toEqual({});
});
