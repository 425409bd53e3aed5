import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { costOf, type Money, moneyNumber, ZERO } from "../../../src/domain/money.ts";
import { StatisticsResolution } from "../../../src/domain/statistics/statistics.ts";
import { bucketAt, bucketsIn } from "../../../src/domain/statistics/statistics-bucket.ts";
import { localDay, localMonth, localText } from "../../../src/domain/statistics/statistics-calendar.ts";
import { costsOf } from "../../../src/domain/statistics/statistics-costs.ts";
import { coarserRows, type EnergyRow, QUARTER_MS } from "../../../src/domain/statistics/statistics-row.ts";
import { BucketTallies, type SlottedRow, tallyOf } from "../../../src/domain/statistics/statistics-series.ts";
import { hoursWithEnds, type Session, SessionFinder } from "../../../src/domain/statistics/statistics-session.ts";
import { countedExpect } from "../../counted-expect.ts";

const START = Date.UTC(2026, 2, 1);
const DAY_MS = 24 * HOUR_MS;

function minute(index: number, inMwh: number): EnergyRow {
  const atMs = START + index * MINUTE_MS;
  const isOn = inMwh > 0;
  return {
    atMs,
    knownMs: MINUTE_MS,
    inMwh,
    outMwh: 0,
    flowMs: isOn ? MINUTE_MS : 0,
    flowMwh: inMwh,
    flowFromMs: isOn ? atMs : null,
    flowToMs: isOn ? atMs + MINUTE_MS : null,
    minW: isOn ? 1_000 : null,
    maxW: isOn ? 2_000 : null,
    level: null,
  };
}

describe("buckets", () => {
  test("every instant is in exactly one, they follow each other, and weeks start on Monday", () => {
    const instant = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
    const offset = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * QUARTER_MS);
    const expectStart = { WEEK: countedExpect(), DAY: countedExpect(), MONTH: countedExpect(), YEAR: countedExpect() };
    fc.assert(
      fc.property(instant, offset, fc.constantFrom(...StatisticsResolution.options), (atMs, offsetMs, resolution) => {
        const { fromMs, toMs } = bucketAt(resolution, atMs, offsetMs);
        expect(fromMs <= atMs && atMs < toMs).toBe(true);
        expect(bucketAt(resolution, fromMs, offsetMs)).toStrictEqual({ fromMs, toMs });
        expect(bucketAt(resolution, toMs, offsetMs).fromMs).toBe(toMs);
        const local = new Date(fromMs + (/HOUR/.test(resolution) ? 0 : offsetMs));
        const parts = [local.getUTCMonth(), local.getUTCDate(), local.getUTCHours(), local.getUTCMinutes()];
        if (resolution === "WEEK") expectStart.WEEK([local.getUTCDay(), ...parts.slice(2)]).toStrictEqual([1, 0, 0]);
        if (resolution === "DAY") expectStart.DAY(parts.slice(2)).toStrictEqual([0, 0]);
        if (resolution === "MONTH") expectStart.MONTH(parts.slice(1)).toStrictEqual([1, 0, 0]);
        if (resolution === "YEAR") expectStart.YEAR(parts).toStrictEqual([0, 1, 0, 0]);
      }),
    );
    for (const each of Object.values(expectStart)) each.wasCalled();
  });

  test("the buckets of a time cover it", () => {
    const span = { fromMs: START + 12_345, toMs: START + 40 * DAY_MS + 1 };
    const buckets = bucketsIn("WEEK", span, 0);
    expect(buckets[0]!.fromMs).toBe(Date.UTC(2026, 1, 23));
    expect(buckets.at(-1)!.toMs).toBeGreaterThanOrEqual(span.toMs);
    expect(buckets).toHaveLength(7);
  });
});

describe("local days", () => {
  test("days have as many hours as the zone's clocks say, also where midnight does not exist", () => {
    const hours = (zone: string, year: number, month: number, day: number): number => {
      const span = localDay(zone, { year, month, day })!;
      return (span.toMs - span.fromMs) / HOUR_MS;
    };
    expect(hours("Europe/Berlin", 2026, 3, 29)).toBe(23);
    expect(hours("Europe/Berlin", 2026, 10, 25)).toBe(25);
    expect(hours("Australia/Lord_Howe", 2026, 4, 5)).toBe(24.5);
    expect(hours("Africa/Cairo", 2026, 4, 24)).toBe(23);
    expect(hours("Pacific/Kiritimati", 2026, 1, 1)).toBe(24);
    const cairo = localDay("Africa/Cairo", { year: 2026, month: 4, day: 24 })!;
    expect(localText("Africa/Cairo", cairo.fromMs)).toBe("2026-04-24T01:00:00+03:00");
    expect(localDay("UTC", { year: 2026, month: 2, day: 29 })).toBeNull();
    expect(localText("Asia/Kathmandu", START)).toBe("2026-03-01T05:45:00+05:45");
  });

  test("the days of a month follow each other without holes", () => {
    for (const zone of ["Europe/Berlin", "America/Santiago", "Asia/Beirut", "Australia/Lord_Howe", "Asia/Kolkata"]) {
      for (let month = 1; month <= 12; month++) {
        const days = localMonth(zone, 2026, month);
        expect(days).toHaveLength(new Date(Date.UTC(2026, month, 0)).getUTCDate());
        for (const [index, day] of days.entries()) expect(day.fromMs).toBe(days[index - 1]?.toMs ?? day.fromMs);
      }
    }
  });
});

describe("costs", () => {
  const COSTS = ["0.1", "0.25", "-0.07", "0.333333333", null] as const;

  test("each bucket costs what its minutes cost, and would have cost, however the rows are cut", () => {
    const energies = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 360, maxLength: 360 });
    const slots = fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 90 }), cost: fc.constantFrom(...COSTS) }), {
      minLength: 12,
      maxLength: 20,
    });
    const move = fc.record({
      paused: fc.integer({ min: 0, max: 100 }),
      delay: fc.integer({ min: 1, max: 100 }),
      length: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(energies, slots, fc.option(move), (mwhs, made, moved) => {
        let atMs = START;
        const prices = made.flatMap(({ minutes, cost }) => {
          const fromMs = atMs;
          atMs += minutes * MINUTE_MS;
          return cost === null ? [] : [{ fromMs, toMs: atMs, cost }];
        });
        const moves =
          moved === null
            ? []
            : [
                {
                  pausedAtMs: START + moved.paused * MINUTE_MS,
                  resumedAtMs: START + (moved.paused + moved.delay) * MINUTE_MS,
                  endedAtMs: START + (moved.paused + moved.delay + moved.length) * MINUTE_MS,
                },
              ];
        const span = { fromMs: START, toMs: START + 360 * MINUTE_MS };
        const costs = costsOf(prices, moves, span);
        const rows = mwhs.map((mwh, index) => ({ row: minute(index, mwh), slotMs: MINUTE_MS }));
        const buckets = bucketsIn("HOUR", span, 0);
        const tallies = new BucketTallies(buckets);
        // In two parts, as a long time is added up.
        for (const part of [rows.slice(0, 100), rows.slice(100)]) tallies.add({ rows: part, costs });
        const priceAt = (minuteMs: number): string | null => {
          return prices.find(({ fromMs, toMs }) => fromMs <= minuteMs && minuteMs < toMs)?.cost ?? null;
        };
        for (const [hour, tally] of tallies.entries()) {
          let cost: Money = ZERO;
          let nonSmart: Money = ZERO;
          let isMoved = false;
          for (const [index, mwh] of mwhs.slice(hour * 60, hour * 60 + 60).entries()) {
            const minuteMs = START + (hour * 60 + index) * MINUTE_MS;
            const paid = priceAt(minuteMs);
            if (paid === null || mwh === 0) continue;
            const shift = moves.find(({ resumedAtMs, endedAtMs }) => resumedAtMs <= minuteMs && minuteMs < endedAtMs);
            const other = shift === undefined ? null : priceAt(minuteMs - shift.resumedAtMs + shift.pausedAtMs);
            if (other !== null) isMoved = true;
            cost = cost.plus(costOf(paid, mwh / 1e6));
            nonSmart = nonSmart.plus(costOf(other ?? paid, mwh / 1e6));
          }
          const sums = tally.sums();
          expect(sums.costSum).toBe(moneyNumber(cost));
          expect(sums.estimatedSavings).toBe(isMoved ? moneyNumber(nonSmart.minus(cost)) : null);
          expect(sums.nonSmartPrice.mean === null).toBe(!isMoved);
          expect(sums.price.min).toBeLessThanOrEqual(sums.price.mean + 1e-9);
          expect(sums.price.mean).toBeLessThanOrEqual(sums.price.max + 1e-9);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a row that lies under two prices is split by time, to the milliwatt hour", () => {
    const [row] = coarserRows(
      Array.from({ length: 60 }, (_, index) => minute(index, 1_001)),
      HOUR_MS,
    );
    const prices = [
      { fromMs: START, toMs: START + 20 * MINUTE_MS, cost: "1" },
      { fromMs: START + 20 * MINUTE_MS, toMs: START + HOUR_MS, cost: "0" },
    ];
    const costs = costsOf(prices, [], { fromMs: START, toMs: START + HOUR_MS });
    const sums = tallyOf({ rows: [{ row: row!, slotMs: HOUR_MS }], costs }).sums();
    expect(sums).toMatchObject({ kwhSum: 0.06006, costSum: 0.02002, kw: { min: 1, max: 2 } });
  });
});

function sessionsIn(parts: readonly (readonly SlottedRow[])[]): Session[] {
  const finder = new SessionFinder(START + 3 * DAY_MS);
  return [...parts.flatMap((part) => finder.add(part)), ...finder.end()];
}

/** Readings' powers as minutes: off, standby, rising or charging, with holes. */
const drawn = fc
  .array(
    fc.record({
      minutes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 50, max: 300 })),
      what: fc.constantFrom("off", "ramp", "charging", "charging", "part", "silent"),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((pieces) => pieces.flatMap(({ minutes, what }) => new Array<string>(minutes).fill(what)))
  .map((minutes) =>
    minutes.flatMap((what, index): EnergyRow[] => {
      const row = minute(index, what === "off" ? 0 : 50_000);
      if (what === "silent") return [];
      if (what === "ramp") return [{ ...row, flowMs: 0, flowMwh: 0, flowFromMs: null, flowToMs: null }];
      // Flow in a part of the minute: a short pause beside it.
      if (what === "part") return [{ ...row, flowMs: 20_000, flowToMs: row.atMs + 20_000 }];
      return [row];
    }),
  );

test("sessions are the same however many rows come at once", () => {
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 400 }), (minutes, size) => {
      const rows = minutes.map((row) => ({ row, slotMs: MINUTE_MS }));
      const parts = Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
        rows.slice(part * size, part * size + size),
      );
      expect(sessionsIn(parts)).toStrictEqual(sessionsIn([rows]));
    }),
    { numRuns: 300 },
  );
});

test("sessions are the same when only the hours in which they may begin or end are seen in minutes", () => {
  const expectWhole = countedExpect();
  fc.assert(
    fc.property(drawn, (minutes) => {
      const hours = coarserRows(minutes, HOUR_MS);
      const ends = hoursWithEnds(hours);
      const rows = hours.flatMap((row): SlottedRow[] =>
        ends.has(row.atMs)
          ? minutes
              .filter(({ atMs }) => atMs >= row.atMs && atMs < row.atMs + HOUR_MS)
              .map((each) => ({ row: each, slotMs: MINUTE_MS }))
          : [{ row, slotMs: HOUR_MS }],
      );
      const shape = (sessions: readonly Session[]) =>
        sessions.map(({ fromMs, toMs, isFinished, rows: own }) => ({
          fromMs,
          toMs,
          isFinished,
          mwh: own.reduce((sum, { row }) => sum + row.inMwh, 0),
          flowMs: own.reduce((sum, { row }) => sum + row.flowMs, 0),
        }));
      const whole = sessionsIn([minutes.map((row) => ({ row, slotMs: MINUTE_MS }))]);
      expect(shape(sessionsIn([rows]))).toStrictEqual(shape(whole));
      if (hours.some(({ atMs, flowMs }) => flowMs > 0 && !ends.has(atMs))) expectWhole(true).toBe(true);
    }),
    { numRuns: 500 },
  );
  expectWhole.wasCalled();
});

test("sessions are the runs of flow, apart by a minute or more, with no energy lost or counted twice", () => {
  const run = fc.record({ on: fc.integer({ min: 1, max: 40 }), off: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), (runs) => {
      const mwhs = runs.flatMap(({ on, off }) => [...new Array(on).fill(50_000), ...new Array(off).fill(0)]);
      const rows = mwhs.map((mwh, index) => ({ row: minute(index, mwh), slotMs: MINUTE_MS }));
      const sessions = sessionsIn([rows]);
      expect(sessions.map(({ fromMs, toMs }) => (toMs - fromMs) / MINUTE_MS)).toStrictEqual(runs.map(({ on }) => on));
      const sum = sessions.flatMap((session) => session.rows).reduce((total, { row }) => total + row.inMwh, 0);
      expect(sum).toBe(mwhs.reduce((total: number, mwh: number) => total + mwh, 0));
      expect(sessions.every(({ isFinished }) => isFinished)).toBe(true);
    }),
  );
});
