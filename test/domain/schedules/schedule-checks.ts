/** Holds the timetable against the oracle around one instant of a zone. */
import fc from "fast-check";
import { expect } from "vitest";
import { timetableOf, upcomingTransitions, valueAt } from "../../../src/domain/schedules/schedule-timetable.ts";
import { DAY_MS, type IntlZone, MINUTE_MS, Oracle, type OracleRule } from "./schedule-oracle.ts";

export const ZONES: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** Long enough that a month's fast is not overlooked, ms. */
export const SEARCH_STEP_MS = 5 * DAY_MS;

export interface Around {
  readonly zone: IntlZone;
  /** Whole minute around which it is looked. */
  readonly atMs: number;
  readonly seed: number;
  readonly ruleSets: number;
  /** The value is compared every so many minutes around the instant. */
  readonly everyMinutes: number;
}

/** Random rules around an instant: values and transitions agree with the oracle. Answers how many were compared. */
export function checkAround({ zone, atMs, seed, ruleSets, everyMinutes }: Around): number {
  let compared = 0;
  const property = fc.property(rulesAround(atMs), fc.integer({ min: -300, max: 4_400 }), (rules, leadMinutes) => {
    const oracle = new Oracle(zone, rules, 0);
    const table = timetableOf(rules, ({ value }) => value, 0);
    const startMs = atMs - leadMinutes * MINUTE_MS;
    expect(upcomingTransitions(table, zone.name, startMs)).toEqual(oracle.transitions(startMs));
    for (let minute = -240; minute <= 240; minute += everyMinutes) {
      const sampleMs = atMs + minute * MINUTE_MS;
      compared += 1;
      if (valueAt(table, zone.name, sampleMs) === oracle.valueAt(sampleMs)) continue;
      throw new Error(`${zone.name} differs at ${new Date(sampleMs).toISOString()}`);
    }
  });
  fc.assert(property, { seed, numRuns: ruleSets });
  return compared + ruleSets;
}

function rulesAround(atMs: number): fc.Arbitrary<readonly OracleRule[]> {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 240 }),
    fc.integer({ min: 0, max: 1_440 }),
    fc.integer({ min: 0, max: 48 }).map((halfHours) => halfHours * 30),
  );
  const instant = fc
    .integer({ min: -2_000, max: 6_000 })
    .map((minutes) => new Date(atMs + minutes * MINUTE_MS).toISOString());
  const filters = fc.record(
    {
      hourMinute: fc.record({ from: time.map(textOf), to: time.map(textOf) }),
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
      fromTimestamp: instant,
      toTimestamp: instant,
    },
    { requiredKeys: [] },
  );
  const rule = fc.tuple(filters, fc.integer({ min: 0, max: 2 })).map(([limits, value]) => ({ ...limits, value }));
  return fc.array(rule, { minLength: 1, maxLength: 4 });
}

function textOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
