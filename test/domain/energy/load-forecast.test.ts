import { expect, test } from "vitest";
import { forecastLoad, type LoadRow } from "../../../src/domain/energy/load-forecast.ts";

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_MS;
const ZONE = "Europe/Berlin";

// To make one takes longer than all days of a test take to format.
const HOUR = new Intl.DateTimeFormat("en", { timeZone: ZONE, hour: "numeric", hourCycle: "h23" });
const WEEKDAY = new Intl.DateTimeFormat("en", { timeZone: ZONE, weekday: "short" });

function localHour(atMs: number): number {
  return Number(HOUR.format(atMs));
}

/** 2 kW from seven to eight of the wall clock on workdays, 1 kW from ten to eleven on others, else 0.3 kW. */
function loadAt(atMs: number): number {
  const weekday = WEEKDAY.format(atMs);
  const isWeekend = weekday === "Sat" || weekday === "Sun";
  if (isWeekend) return localHour(atMs) === 10 ? 1 : 0.3;
  return localHour(atMs) === 7 ? 2 : 0.3;
}

function history(nowMs: number, days: number, load: (atMs: number) => number | null = loadAt): LoadRow[] {
  return Array.from({ length: days * 96 }, (_, row) => {
    const fromMs = nowMs - days * DAY_MS + row * QUARTER_MS;
    return { fromMs, kw: load(fromMs) };
  });
}

function day(nowMs: number, slots = 96) {
  return Array.from({ length: slots }, (_, slot) => ({
    fromMs: nowMs + slot * QUARTER_MS,
    toMs: nowMs + (slot + 1) * QUARTER_MS,
  }));
}

function forecast(nowMs: number, rows: readonly LoadRow[], slots = 96, holidays: ReadonlySet<number> = new Set()) {
  return forecastLoad({ history: rows, times: day(nowMs, slots), nowMs, zone: ZONE, holidays });
}

test.each([
  ["92 in spring", Date.UTC(2026, 2, 28, 23), 92],
  ["100 in autumn", Date.UTC(2026, 9, 24, 22), 100],
])("A day with %s quarter hours is forecast by the wall clock", (_what, nowMs, slots) => {
  const found = forecast(nowMs, history(nowMs, 42), slots + 96);
  const dear = found.filter(({ kw }) => (kw ?? 0) > 0.7).map(({ fromMs }) => localHour(fromMs));
  // A Sunday with its ten o'clock, and a Monday with its seven o'clock.
  expect(dear).toEqual([10, 10, 10, 10, 7, 7, 7, 7]);
});

test("A holiday is like a Sunday", () => {
  const nowMs = Date.UTC(2026, 4, 13, 22);
  const rows = history(nowMs, 42);
  const at = (holidays: ReadonlySet<number>, hour: number) =>
    forecast(nowMs, rows, 96, holidays).find(({ fromMs }) => localHour(fromMs) === hour)?.kw ?? 0;
  const ascension = new Set([Date.UTC(2026, 4, 14) / DAY_MS]);
  expect(at(new Set(), 7)).toBeGreaterThan(1.5);
  expect(at(ascension, 7)).toBeLessThan(1);
  expect(at(ascension, 10)).toBeGreaterThan(at(new Set(), 10));
});

test("What the last hour had too much is expected by half in the next hour, by 0.4 in the one after, and not later", () => {
  const nowMs = Date.UTC(2026, 1, 10, 12);
  const usual = forecast(nowMs, history(nowMs, 42));
  const isNow = (atMs: number) => atMs >= nowMs - 4 * QUARTER_MS;
  const more = forecast(
    nowMs,
    history(nowMs, 42, (atMs) => loadAt(atMs) + (isNow(atMs) ? 1 : 0)),
  );
  const added = (slot: number) => more[slot]!.kw! - usual[slot]!.kw!;
  expect(added(0)).toBeCloseTo(0.5, 1);
  expect(added(5)).toBeCloseTo(0.4, 1);
  expect(added(12)).toBeCloseTo(0, 1);
});

test("The band holds four in five, and is wider after fewer days", () => {
  const nowMs = Date.UTC(2026, 1, 10, 12);
  const noisy = (atMs: number) => loadAt(atMs) + (((atMs / QUARTER_MS) * 7_919) % 101) / 100;
  const long = forecast(nowMs, history(nowMs, 42, noisy));
  const inside = long.filter(({ fromMs, p10Kw, p90Kw }) => noisy(fromMs) >= p10Kw! && noisy(fromMs) <= p90Kw!);
  expect(inside.length / long.length).toBeGreaterThan(0.65);
  expect(inside.length / long.length).toBeLessThan(0.95);
  const width = (slots: typeof long) => slots.reduce((sum, { p10Kw, p90Kw }) => sum + p90Kw! - p10Kw!, 0);
  expect(width(forecast(nowMs, history(nowMs, 4, noisy)))).toBeGreaterThan(width(long));
});

test("Gaps are no zeros, and without any history there is no forecast", () => {
  const nowMs = Date.UTC(2026, 1, 10, 12);
  const gaps = forecast(
    nowMs,
    history(nowMs, 42, (atMs) => (Math.floor(atMs / QUARTER_MS) % 3 === 0 ? null : 0.3)),
  );
  expect(gaps.every(({ kw }) => Math.abs(kw! - 0.3) < 1e-9)).toBe(true);
  expect(forecast(nowMs, [])[0]).toMatchObject({ kw: null, p10Kw: null, p90Kw: null });
});
