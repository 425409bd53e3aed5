import { describe, expect, test } from "vitest";
import { pricesOfDay } from "../../src/ui/app/pages/settings/price-preview.ts";
import {
  bodiesOf,
  offsetMinutesAt,
  planOf,
  stretchesOf,
  type TariffPlan,
  WEEK,
} from "../../src/ui/app/pages/settings/tariff-hours.ts";

const NIGHT: TariffPlan = {
  base: "0.34",
  hours: [{ cost: "0.22", fromMinute: 22 * 60, toMinute: 6 * 60, weekdays: WEEK }],
};
const WORKDAYS: TariffPlan = {
  base: null,
  hours: [{ cost: "0.5", fromMinute: 17 * 60, toMinute: 20 * 60, weekdays: [0, 1, 2, 3, 4] }],
};

/** What the API answers: the intervals in UTC, each weekday on its own, cut at midnight in UTC. */
function entriesOf(plan: TariffPlan, offsetMinutes: number) {
  const day = 24 * 60;
  const two = (minute: number): string =>
    `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return WEEK.flatMap((weekday) =>
    stretchesOf(plan, weekday).flatMap(({ fromMinute, toMinute, cost }) => {
      const [from, to] = [fromMinute - offsetMinutes, toMinute - offsetMinutes];
      return [-1, 0, 1].flatMap((shift) => {
        const [start, end] = [Math.max(0, from - shift * day), Math.min(day, to - shift * day)];
        if (start >= end) return [];
        const entry = { fromHourMinute: two(start), toHourMinute: two(end), tariffName: cost };
        return [{ ...entry, weekday: (weekday + shift + 7) % 7 }];
      });
    }),
  );
}

describe("A tariff by hours", () => {
  test("covers the whole day, hours that cross midnight too", () => {
    expect(stretchesOf(NIGHT, 2)).toEqual([
      { fromMinute: 0, toMinute: 360, cost: "0.22" },
      { fromMinute: 360, toMinute: 1_320, cost: "0.34" },
      { fromMinute: 1_320, toMinute: 1_440, cost: "0.22" },
    ]);
  });

  test("becomes rates and intervals that do not overlap", () => {
    expect(bodiesOf(NIGHT)).toEqual({
      rates: [
        { name: "0.22", cost: "0.22" },
        { name: "0.34", cost: "0.34" },
      ],
      intervals: [
        { name: "0.22", from: "00:00", to: "06:00", weekdays: WEEK },
        { name: "0.34", from: "06:00", to: "22:00", weekdays: WEEK },
        { name: "0.22", from: "22:00", to: "24:00", weekdays: WEEK },
      ],
    });
  });

  test("leaves the hours that it says nothing about to the market", () => {
    expect(bodiesOf(WORKDAYS).intervals).toEqual([
      { name: "0.5", from: "17:00", to: "20:00", weekdays: [0, 1, 2, 3, 4] },
    ]);
    expect(stretchesOf(WORKDAYS, 5)).toEqual([]);
  });

  test("a night that begins on Friday only ends on Saturday morning", () => {
    const friday: TariffPlan = {
      base: "1",
      hours: [{ cost: "2", fromMinute: 1_320, toMinute: 360, weekdays: [4] }],
    };
    expect(stretchesOf(friday, 4).at(-1)).toEqual({ fromMinute: 1_320, toMinute: 1_440, cost: "2" });
    expect(stretchesOf(friday, 5)[0]).toEqual({ fromMinute: 0, toMinute: 360, cost: "2" });
    expect(stretchesOf(friday, 6)).toEqual([{ fromMinute: 0, toMinute: 1_440, cost: "1" }]);
  });

  test.each([0, 60, 120, -480, 330])("comes back from the API as it was, %i minutes ahead of UTC", (offset) => {
    for (const plan of [NIGHT, WORKDAYS, { base: "0.3", hours: [] }]) {
      const read = planOf(entriesOf(plan, offset), bodiesOf(plan).rates, offset);
      expect(read.base).toBe(plan.base);
      for (const weekday of WEEK) expect(stretchesOf(read, weekday)).toEqual(stretchesOf(plan, weekday));
    }
  });

  test("a night comes back as one row", () => {
    expect(planOf(entriesOf(NIGHT, 120), bodiesOf(NIGHT).rates, 120)).toEqual(NIGHT);
  });

  test("an offset is that of the zone at the time", () => {
    expect(offsetMinutesAt("Europe/Berlin", Date.parse("2026-01-10T12:00:00Z"))).toBe(60);
    expect(offsetMinutesAt("Europe/Berlin", Date.parse("2026-07-10T23:30:00Z"))).toBe(120);
    expect(offsetMinutesAt("America/St_Johns", Date.parse("2026-01-01T01:00:00Z"))).toBe(-210);
  });
});

describe("The preview of today's prices", () => {
  // Wednesday, 10 June 2026, in Berlin.
  const day = { dayStartMs: Date.parse("2026-06-09T22:00:00Z"), offsetMinutes: 120 };
  const published = [
    { fromMs: day.dayStartMs, toMs: day.dayStartMs + 12 * 3_600_000, cost: 0.1 },
    { fromMs: day.dayStartMs + 12 * 3_600_000, toMs: day.dayStartMs + 18 * 3_600_000, cost: -0.5 },
  ];
  const formula = {
    factor: "1",
    vat: "0.2",
    fees: [
      { perKwh: "0.08", from: "00:00", to: "24:00" },
      { perKwh: "0.04", from: "11:00", to: "12:00", weekdays: [2] },
    ],
  };

  test("is market, fees of the hour and tax; what is not published is unknown, not free", () => {
    const prices = pricesOfDay({ ...day, tariff: null, formula, published });
    expect(prices).toHaveLength(96);
    expect(prices[0]).toBeCloseTo(0.216);
    expect(prices[44]).toBeCloseTo(0.264);
    expect(prices[48]).toBeCloseTo(-0.504);
    expect(prices[72]).toBeNull();
  });

  test("is the tariff's where it has a price, and the market's elsewhere", () => {
    const prices = pricesOfDay({ ...day, tariff: WORKDAYS, formula, published });
    expect(prices[17 * 4]).toBe(0.5);
    expect(prices[16 * 4]).toBeCloseTo(-0.504);
    expect(pricesOfDay({ ...day, tariff: WORKDAYS, formula: null, published })[0]).toBeNull();
  });

  test("does not make a price of what is no number", () => {
    const prices = pricesOfDay({ ...day, tariff: null, formula: { ...formula, vat: "" }, published });
    expect(prices.every((price) => price === null)).toBe(true);
  });
});
