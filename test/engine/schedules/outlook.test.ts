import { expect, it } from "vitest";
import type { ChargeRule } from "../../../src/domain/schedules/schedule.ts";
import { timetableOf } from "../../../src/domain/schedules/schedule-timetable.ts";
import { Outlook } from "../../../src/engine/schedules/outlook.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-06-21T12:00:00Z");

function makeOutlook(rules: readonly ChargeRule[]): Outlook<boolean> {
  return new Outlook(
    timetableOf(rules, ({ shouldCharge }) => shouldCharge, false),
    Object.is,
  );
}

it("the outlook of a schedule is the same until the next transition, and another one there", () => {
  const outlook = makeOutlook([{ hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true }]);
  const first = outlook.at("UTC", START_MS);
  expect(outlook.at("UTC", START_MS + 9 * 60 * MINUTE_MS)).toBe(first);
  expect(outlook.at("UTC", START_MS + 10 * 60 * MINUTE_MS)).toMatchObject({ value: true });
});

it("follows a clock that is set back, and another zone", () => {
  const outlook = makeOutlook([{ hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true }]);
  expect(outlook.at("UTC", START_MS).value).toBe(false);
  expect(outlook.at("UTC", START_MS - 8 * 60 * MINUTE_MS).value).toBe(true);
  expect(outlook.at("Asia/Tokyo", START_MS + 90 * MINUTE_MS).value).toBe(true);
});

it("sees what comes within eight days while less than two transitions are in sight", () => {
  const fromTimestamp = new Date(START_MS + 8 * 24 * 60 * MINUTE_MS + MINUTE_MS).toISOString();
  const outlook = makeOutlook([{ fromTimestamp, shouldCharge: true }]);
  expect(outlook.at("UTC", START_MS).upcoming).toEqual([]);
  expect(outlook.at("UTC", START_MS + MINUTE_MS).upcoming).toHaveLength(1);
});
