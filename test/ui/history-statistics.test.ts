import { expect, test } from "vitest";
import {
  asFarAs,
  bucketName,
  dateBefore,
  daysOf,
  joined,
  rangeOf,
  yearsOf,
} from "../../src/ui/app/pages/history-statistics.ts";
import { costOf, shareOf, totalsOf } from "../../src/ui/app/pages/today.ts";
import type { HemStatistics, Series } from "../../src/ui/app/shapes.ts";

function statisticsOf(data: readonly (readonly [t: string, v: number | null])[]): HemStatistics {
  const none: Series = { isAvailable: false };
  const series: Series = {
    isAvailable: true,
    unit: "kWh",
    sampling: { resolution: "P1M" },
    data: data.map(([t, v]) => ({ t, v })),
  };
  const others = { import: none, export: none, charge: none, discharge: none, batteryLevel: none };
  return { timeseries: { generation: series, consumption: none, ...others } };
}

function valuesOf({ timeseries: { generation } }: HemStatistics): readonly (number | null)[] {
  return generation.isAvailable ? generation.data.map(({ v }) => v) : [];
}

test.each([
  ["day", "2026-03-01", "2026-02-28", "2026-03-01", "2026-03-02"],
  ["day", "2024-03-01", "2024-02-29", "2024-03-01", "2024-03-02"],
  ["day", "2026-01-01", "2025-12-31", "2026-01-01", "2026-01-02"],
  ["week", "2026-11-29", "2026-11-22", "2026-11-23", "2026-11-30"],
  ["week", "2026-11-30", "2026-11-29", "2026-11-30", "2026-12-07"],
  ["month", "2026-01-15", "2025-12-31", "2026-01-01", "2026-02-01"],
  ["year", "2026-06-10", "2025-12-31", "2026-01-01", "2027-01-01"],
] as const)("The %s of %s comes after %s", (period, date, before, from, to) => {
  expect(dateBefore(period, date)).toBe(before);
  expect(rangeOf(period, date)).toEqual({ from, to });
});

test("A week over the end of a month is put together from both, by the dates of the house", () => {
  const november = statisticsOf([
    ["2026-11-29T00:00:00+01:00", 1],
    ["2026-11-30T00:00:00+01:00", 2],
  ]);
  const december = statisticsOf([
    ["2026-12-01T00:00:00+01:00", 3],
    ["2026-12-07T00:00:00+01:00", 4],
  ]);
  const days = ["2026-11-30", "2026-12-01", "2026-12-02"];
  expect(valuesOf(daysOf([november, december], days))).toEqual([2, 3]);
  expect(daysOf([november], days).timeseries.consumption).toEqual({ isAvailable: false });
});

test("The share of the house's own energy is unknown where a part of it is, and never below zero", () => {
  expect([shareOf(10, 4), shareOf(10, 12), shareOf(0, 0), shareOf(null, 1), shareOf(5, null)]).toEqual([
    0.6,
    0,
    null,
    null,
    null,
  ]);
});

test("Years are added up by month, and one without a known month is unknown, not zero", () => {
  const statistics = joined([
    { year: "2024", statistics: statisticsOf([["2024-01-01", null]]) },
    {
      year: "2025",
      statistics: statisticsOf([
        ["2025-01-01", 10],
        ["2025-02-01", null],
        ["2025-03-01", 2.5],
      ]),
    },
  ]);
  expect(valuesOf(statistics)).toEqual([null, 12.5]);
  expect(statistics.timeseries.consumption).toEqual({ isAvailable: false });
});

test("The years that are asked for end with this one", () => {
  expect(yearsOf("2024-05-02T10:00:00Z", Date.parse("2026-06-10T12:00:00Z"))).toEqual(["2024", "2025", "2026"]);
  expect(yearsOf("2026-06-20T10:00:00Z", Date.parse("2026-06-10T12:00:00Z"))).toEqual(["2026"]);
});

test("A period that is not over is compared with as much of the one before", () => {
  const shown = statisticsOf([
    ["2026-06-01T00:00:00Z", 1],
    ["2026-06-02T00:00:00Z", 2],
    ["2026-06-03T00:00:00Z", null],
  ]);
  const earlier = statisticsOf([
    ["2026-05-01T00:00:00Z", 4],
    ["2026-05-02T00:00:00Z", 5],
    ["2026-05-03T00:00:00Z", 6],
    ["2026-05-04T00:00:00Z", 7],
  ]);
  expect(valuesOf(asFarAs(shown, earlier, Date.parse("2026-06-02T12:00:00Z")))).toEqual([4, 5]);
  expect(valuesOf(asFarAs(shown, earlier, Date.parse("2026-07-02T12:00:00Z")))).toEqual([4, 5, 6, 7]);
});

test("The power of an interval that runs counts for as long as it has run, and what is not known is not zero", () => {
  const hour = (index: number): string => `2026-06-20T0${index}:00:00Z`;
  const power: Series = {
    isAvailable: true,
    unit: "kW",
    sampling: { resolution: "PT1H" },
    data: [2, null, 4, 6].map((v, index) => ({ t: hour(index), v })),
  };
  const statistics = statisticsOf([]);
  const { generation, consumption } = totalsOf(
    { timeseries: { ...statistics.timeseries, generation: power } },
    Date.parse("2026-06-20T03:15:00Z"),
  );
  expect(generation).toBe(2 + 4 + 6 / 4);
  expect(consumption).toBeNull();
});

test("What hours without a price cost is not known, and so no zero", () => {
  const period = (measuredHours: number, pricedHours: number, cost: number | null) => ({
    ...{ from: "", to: "", measuredHours, pricedHours, cost },
    ...{ costWithoutBattery: null, costByPlainRule: null, savedByBattery: null, savedByPlan: null },
  });
  expect(costOf([period(10, 10, 2), period(10, 9, 1)])).toBe(3);
  expect(costOf([period(1.25, 0.25, 0)])).toBeNull();
  expect(costOf([period(0, 0, null)])).toBeNull();
  expect(costOf([])).toBeNull();
});

test("a year has its own name also west of Greenwich", () => {
  const [zone] = [process.env["TZ"]];
  process.env["TZ"] = "America/New_York";
  try {
    expect(bucketName("all", Date.parse("2026-01-01"), "en-US")).toBe("2026");
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});
