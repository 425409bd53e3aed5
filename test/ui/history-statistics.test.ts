import { expect, test } from "vitest";
import { asFarAs, intervalBefore, joined, yearsOf } from "../../src/ui/app/pages/history-statistics.ts";
import { totalsOf } from "../../src/ui/app/pages/today.ts";
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
  ["2026-03-01", "2026-02-28"],
  ["2024-03-01", "2024-02-29"],
  ["2026-01-01", "2025-12-31"],
  ["2026-01", "2025-12"],
  ["2026", "2025"],
])("Before %s comes %s", (interval, before) => {
  expect(intervalBefore(interval)).toBe(before);
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
