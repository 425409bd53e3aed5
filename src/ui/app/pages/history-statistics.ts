/** The statistics of a day, a week, a month, a year or of all years, and those of the period before. */
import { useEffect, useState } from "preact/hooks";
import { DAY_MS, MINUTE_MS } from "../../../domain/duration.ts";
import { ApiError, ask } from "../api.ts";
import type { HemStatistics, HemSystem, HemYear, Series } from "../shapes.ts";

export type Period = "day" | "week" | "month" | "year" | "all";

export interface Known {
  readonly statistics: HemStatistics | null;
  /** Of the period before, as far into it as the shown one is; `null` if nothing is known of it. */
  readonly before: HemStatistics | null;
  readonly error: ApiError | null;
}

const NOTHING: Known = { statistics: null, before: null, error: null };
const NAMES = ["generation", "consumption", "import", "export", "charge", "discharge", "batteryLevel"] as const;
const LENGTHS = { day: 10, month: 7, year: 4 } as const;
/** No house was measured by a gateway before. */
const FIRST_YEAR = 2015;
const DAYS_A_WEEK = 7;

/** Reads what is shown; again when it changes. `null` as system or date: nothing. */
export function useStatistics(
  systemId: string | null,
  period: Period,
  date: string | null,
  isCompared: boolean,
  nowMs: number,
): Known {
  const [known, setKnown] = useState<Known & { readonly key: string }>({ ...NOTHING, key: "" });
  // Within a minute nothing new is worth a question.
  const minute = Math.floor(nowMs / MINUTE_MS);
  const interval = date === null || period === "all" ? period : rangeOf(period, date).from;
  const key = `${systemId} ${period} ${interval} ${isCompared}`;
  useEffect(() => {
    if (systemId === null || date === null) return;
    let isOver = false;
    read(systemId, period, date, isCompared, nowMs)
      .then((found) => isOver || setKnown({ ...found, error: null, key }))
      .catch((error: unknown) => {
        if (!isOver && error instanceof ApiError) setKnown({ ...NOTHING, error, key });
      });
    return () => {
      isOver = true;
    };
  }, [key, minute - (minute % 5)]);
  // What was read of another period is not shown, or saved, under the name of this one.
  return known.key === key ? known : NOTHING;
}

async function read(
  systemId: string,
  period: Period,
  date: string,
  isCompared: boolean,
  nowMs: number,
): Promise<Pick<Known, "statistics" | "before">> {
  const of = async (interval: string): Promise<HemStatistics> =>
    interval.length === LENGTHS.year
      ? statisticsOf(await ask<HemYear>("GET", `/local/hem-systems/${systemId}/years/${interval}`))
      : await ask<HemStatistics>("GET", `/hem-systems/${systemId}/statistics?interval=${interval}`);
  if (period === "all") {
    const { information } = await ask<HemSystem>("GET", `/hem-systems/${systemId}`);
    return { statistics: await ofYears(of, yearsOf(information.installationDate, nowMs)), before: null };
  }
  const at = (when: string): Promise<HemStatistics> =>
    period === "week" ? ofWeek(of, weekOf(when)) : of(when.slice(0, LENGTHS[period]));
  const before = isCompared ? at(dateBefore(period, date)).catch(() => null) : null;
  const statistics = await at(date);
  const earlier = await before;
  return { statistics, before: earlier === null ? null : asFarAs(statistics, earlier, nowMs) };
}

/** Years before the installation are refused; they have nothing to show. */
async function ofYears(of: (year: string) => Promise<HemStatistics>, years: readonly string[]): Promise<HemStatistics> {
  const found = await Promise.all(years.map(async (year) => ({ year, statistics: await of(year).catch(() => null) })));
  return joined(found.flatMap(({ year, statistics }) => (statistics === null ? [] : [{ year, statistics }])));
}

/** Returns a year in the shape of a day's and a month's statistics. */
function statisticsOf({ months }: HemYear): HemStatistics {
  const seriesOf = (name: (typeof NAMES)[number]): Series => {
    if (name === "batteryLevel") return { isAvailable: false };
    const data = months.map((month) => ({ t: month.t, v: month[name] }));
    if (data.every(({ v }) => v === null)) return { isAvailable: false };
    return { isAvailable: true, unit: "kWh", sampling: { resolution: "P1M" }, data };
  };
  return { timeseries: Object.fromEntries(NAMES.map((name) => [name, seriesOf(name)])) as HemStatistics["timeseries"] };
}

export function yearsOf(installationDate: string, nowMs: number): readonly string[] {
  const [first, last] = [new Date(installationDate).getFullYear(), new Date(nowMs).getFullYear()];
  const from = Math.max(FIRST_YEAR, first);
  return Array.from({ length: Math.max(1, last - from + 1) }, (_none, index) => String(from + index));
}

/** Returns one value for each year: the sum of its months, `null` if none of them is known. */
export function joined(years: readonly { readonly year: string; readonly statistics: HemStatistics }[]): HemStatistics {
  const seriesOf = (name: (typeof NAMES)[number]): Series => {
    const data = years.map(({ year, statistics }) => {
      const series = statistics.timeseries[name];
      const values = series.isAvailable ? series.data.flatMap(({ v }) => v ?? []) : [];
      return { t: `${year}-01-01`, v: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) };
    });
    const isAvailable = years.some(({ statistics }) => statistics.timeseries[name].isAvailable);
    return isAvailable ? { isAvailable, unit: "kWh", sampling: { resolution: "P1Y" }, data } : { isAvailable };
  };
  return { timeseries: Object.fromEntries(NAMES.map((name) => [name, seriesOf(name)])) as HemStatistics["timeseries"] };
}

/** Returns the name of a month, or of a year: its time is the date 1 January, in no time zone. */
export function bucketName(period: Period, ms: number, locale: string): string {
  const format = period === "year" ? ({ month: "short" } as const) : ({ year: "numeric", timeZone: "UTC" } as const);
  return new Intl.DateTimeFormat(locale, format).format(ms);
}

/** Returns a date in the day, week, month or year before: `2026-03-01` is followed backwards by `2026-02-28`. */
export function dateBefore(period: Exclude<Period, "all">, date: string): string {
  return dateOf(Date.parse(rangeOf(period, date).from) - DAY_MS);
}

/** Returns the first day of a period, and the day after its last. */
export function rangeOf(period: Exclude<Period, "all">, date: string): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1] = date.split("-").map(Number);
  const [monday = date] = weekOf(date);
  const [from, to] = {
    day: [Date.parse(date), Date.parse(date) + DAY_MS] as const,
    week: [Date.parse(monday), Date.parse(monday) + DAYS_A_WEEK * DAY_MS] as const,
    month: [Date.UTC(year, month - 1), Date.UTC(year, month)] as const,
    year: [Date.UTC(year, 0), Date.UTC(year + 1, 0)] as const,
  }[period];
  return { from: dateOf(from), to: dateOf(to) };
}

/** Returns the dates of the week that a date is in; it begins on Monday. */
function weekOf(date: string): readonly string[] {
  const start = Date.parse(date);
  const monday = start - ((new Date(start).getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK) * DAY_MS;
  return Array.from({ length: DAYS_A_WEEK }, (_none, index) => dateOf(monday + index * DAY_MS));
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, LENGTHS.day);
}

/** A month that is still to come, or before the installation, is refused; it has nothing to show. */
async function ofWeek(of: (month: string) => Promise<HemStatistics>, days: readonly string[]): Promise<HemStatistics> {
  const months = [...new Set(days.map((day) => day.slice(0, LENGTHS.month)))];
  const found = await Promise.allSettled(months.map(of));
  const known = found.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [first] = found;
  if (known.length === 0 && first?.status === "rejected") throw first.reason;
  return daysOf(known, days);
}

/** Returns these days out of the statistics of the months that they are in. */
export function daysOf(months: readonly HemStatistics[], days: readonly string[]): HemStatistics {
  const seriesOf = (name: (typeof NAMES)[number]): Series => {
    const known = months.map(({ timeseries }) => timeseries[name]).filter((series) => series.isAvailable);
    const [first] = known;
    if (first === undefined) return { isAvailable: false };
    const data = known.flatMap((series) => series.data).filter(({ t }) => days.includes(t.slice(0, LENGTHS.day)));
    return { ...first, data };
  };
  return { timeseries: Object.fromEntries(NAMES.map((name) => [name, seriesOf(name)])) as HemStatistics["timeseries"] };
}

/** Returns the earlier statistics up to the bucket that runs now in the shown ones; all of them if those are over. */
export function asFarAs(shown: HemStatistics, earlier: HemStatistics, nowMs: number): HemStatistics {
  const cut = (name: (typeof NAMES)[number]): Series => {
    const [now, then] = [shown.timeseries[name], earlier.timeseries[name]];
    if (!now.isAvailable || !then.isAvailable) return then;
    const begun = now.data.filter(({ t }) => Date.parse(t) <= nowMs).length;
    return begun === now.data.length ? then : { ...then, data: then.data.slice(0, begun) };
  };
  return { timeseries: Object.fromEntries(NAMES.map((name) => [name, cut(name)])) as HemStatistics["timeseries"] };
}
