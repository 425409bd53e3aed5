import { expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/duration.ts";
import { publicHolidays } from "../../../src/domain/energy/public-holidays.ts";

function holidaysIn(zone: string, year: number): readonly string[] {
  const dates = [...publicHolidays(zone)].map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
  return dates.filter((date) => date.startsWith(`${year}-`)).toSorted();
}

test("Germany's holidays of 2026 are those of the whole country", () => {
  expect(holidaysIn("Europe/Berlin", 2026)).toEqual([
    ...["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-01", "2026-05-14", "2026-05-25"],
    ...["2026-10-03", "2026-12-25", "2026-12-26"],
  ]);
});

test.each([
  ["the first Monday in May", "Europe/London", "2026-05-04"],
  ["the last Monday in May", "Europe/London", "2028-05-29"],
  ["midsummer's Saturday", "Europe/Stockholm", "2026-06-20"],
  ["an Easter Monday in March", "Europe/Paris", "2027-03-29"],
  ["the latest Easter Monday of this century", "Europe/Rome", "2038-04-26"],
])("%s is found", (_what, zone, date) => {
  expect(holidaysIn(zone, Number(date.slice(0, 4)))).toContain(date);
});

test("A time zone whose holidays are not known has none", () => {
  expect(publicHolidays("UTC").size).toBe(0);
});
