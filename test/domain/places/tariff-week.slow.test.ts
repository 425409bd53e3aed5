import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tariff, type TariffEntry, type TariffInterval, TariffLink } from "../../../src/domain/places/tariff.ts";
import { DAY_MINUTES, entriesInUtc, hourMinuteOf, intervalIssues } from "../../../src/domain/places/tariff-week.ts";

const NAMES = new Set(["day", "night"]);
const WEEK_MINUTES = 7 * DAY_MINUTES;

function minutes(hourMinute: string): number {
  const [hours = "", rest = ""] = hourMinute.split(":");
  return Number(hours) * 60 + Number(rest);
}

/** The minutes of a week that a list covers, by rate name: the slow way. */
function minutesOfWeek(list: readonly { name: string; days: readonly number[]; from: string; to: string }[]): string[] {
  const covered: string[] = [];
  for (const { name, days, from, to } of list) {
    for (const day of days) {
      for (let minute = minutes(from); minute < minutes(to); minute += 1)
        covered.push(`${day * DAY_MINUTES + minute} ${name}`);
    }
  }
  return covered.sort();
}

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];

function ofIntervals(intervals: readonly TariffInterval[]) {
  return intervals.map(({ name, from, to, weekdays }) => ({
    name,
    days: [...new Set(weekdays ?? ALL_DAYS)],
    from,
    to,
  }));
}

function ofEntries(entries: readonly TariffEntry[]) {
  return entries.map(({ tariffName, weekday, fromHourMinute, toHourMinute }) => ({
    name: tariffName,
    days: weekday === undefined ? ALL_DAYS : [weekday],
    from: fromHourMinute,
    to: toHourMinute,
  }));
}

function shift(covered: readonly string[], byMinutes: number): string[] {
  return covered
    .map((text) => {
      const [minute = "", name] = text.split(" ");
      return `${(((Number(minute) + byMinutes) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES} ${name}`;
    })
    .sort();
}

const interval = fc
  .record({
    name: fc.constantFrom("day", "night"),
    from: fc.integer({ min: 0, max: DAY_MINUTES - 1 }),
    length: fc.integer({ min: 1, max: DAY_MINUTES }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), { nil: undefined }),
  })
  .map(
    ({ name, from, length, weekdays }): TariffInterval => ({
      name,
      from: hourMinuteOf(from),
      to: hourMinuteOf(Math.min(DAY_MINUTES, from + length)),
      ...(weekdays !== undefined && { weekdays }),
    }),
  );

describe("the read-back", () => {
  it("covers exactly the instants of the intervals, for every offset", () => {
    fc.assert(
      fc.property(
        fc.array(interval, { maxLength: 4 }),
        fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarters) => quarters * 15),
        (tariffIntervals, offset) => {
          const entries = entriesInUtc({ tariffId: "t", tariffIntervals }, offset);
          const local = minutesOfWeek(ofIntervals(tariffIntervals));
          expect(minutesOfWeek(ofEntries(entries))).toEqual(shift(local, -offset));
          for (const { fromHourMinute, toHourMinute } of entries) {
            expect(fromHourMinute < toHourMinute && fromHourMinute < "24:00" && toHourMinute <= "24:00").toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("of a location in UTC is what was said", () => {
    const tariffIntervals = [
      { name: "night", from: "00:00", to: "06:30", weekdays: [5, 6] },
      { name: "day", from: "06:30", to: "24:00" },
    ];
    expect(entriesInUtc({ tariffId: "t", tariffIntervals }, 0)).toEqual([
      { fromHourMinute: "06:30", toHourMinute: "24:00", tariffId: "t", tariffName: "day" },
      { weekday: 5, fromHourMinute: "00:00", toHourMinute: "06:30", tariffId: "t", tariffName: "night" },
      { weekday: 6, fromHourMinute: "00:00", toHourMinute: "06:30", tariffId: "t", tariffName: "night" },
    ]);
  });

  it("is split at midnight in UTC, and Monday's small hours are on Sunday", () => {
    const tariffIntervals = [{ name: "night", from: "00:00", to: "06:00", weekdays: [0] }];
    expect(entriesInUtc({ tariffId: "t", tariffIntervals }, 120)).toEqual([
      { weekday: 0, fromHourMinute: "00:00", toHourMinute: "04:00", tariffId: "t", tariffName: "night" },
      { weekday: 6, fromHourMinute: "22:00", toHourMinute: "24:00", tariffId: "t", tariffName: "night" },
    ]);
  });
});

describe("intervals", () => {
  it("overlap exactly when two of them share a minute of the week", () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 5 }), (intervals) => {
        const covered = intervals.flatMap((one) => minutesOfWeek(ofIntervals([{ ...one, name: "day" }])));
        expect(intervalIssues(intervals, NAMES).length > 0).toBe(new Set(covered).size < covered.length);
      }),
      { numRuns: 200 },
    );
  });

  it("that overlap are both named", () => {
    const issues = intervalIssues(
      [
        { name: "day", from: "06:00", to: "22:00" },
        { name: "night", from: "21:30", to: "24:00", weekdays: [2, 3] },
      ],
      NAMES,
    );
    expect(issues).toEqual([
      {
        code: "custom",
        path: ["tariffIntervals", 1, "from"],
        message: '"night" 21:30–24:00 overlaps "day" 06:00–22:00 of interval 0 on weekday 2',
        in: "body",
      },
    ]);
  });

  it("may touch, leave gaps, and be many", () => {
    expect(
      intervalIssues(
        [
          { name: "day", from: "06:00", to: "12:00" },
          { name: "night", from: "12:00", to: "13:00" },
          { name: "day", from: "20:00", to: "24:00" },
        ],
        NAMES,
      ),
    ).toEqual([]);
  });

  it("name rates that the tariff has", () => {
    const issues = intervalIssues([{ name: "dusk", from: "06:00", to: "12:00" }], NAMES);
    expect(issues).toMatchObject([
      { path: ["tariffIntervals", 0, "name"], message: expect.stringContaining('"dusk"') },
    ]);
  });

  it.each([
    [{ from: "22:00", to: "06:00" }, "to"],
    [{ from: "06:00", to: "06:00" }, "to"],
    [{ from: "24:00", to: "24:00" }, "to"],
    [{ from: "6:00", to: "07:00" }, "from"],
    [{ from: "06:00", to: "24:01" }, "to"],
    [{ from: "06:00", to: "07:00", weekdays: [] }, "weekdays"],
    [{ from: "06:00", to: "07:00", weekdays: [7] }, "weekdays"],
    [{ from: "06:00", to: "07:00", price: 1 }, "price"],
  ])("are refused: %o", (change, field) => {
    const result = TariffLink.safeParse({ tariffId: "t", tariffIntervals: [{ name: "day", ...change }] });
    expect(JSON.stringify(result.error?.issues)).toContain(field);
    expect(result.success).toBe(false);
  });
});

describe("a tariff", () => {
  it("has each name once", () => {
    const rates = [
      { name: "day", cost: "1" },
      { name: "day", cost: "2" },
    ];
    expect(Tariff.safeParse(rates).error?.issues).toMatchObject([{ path: [1, "name"] }]);
    expect(Tariff.safeParse([]).success).toBe(true);
  });
});
