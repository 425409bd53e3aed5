/**
 * Forecasts the load of this house from its own past: by quarter hour of the wall clock and kind of day. Loads that are
 * planned (vehicles, heat pumps) have to be taken out of the history first, or the forecast learns the plan.
 */
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { evenStretches } from "../schedules/schedule-zone.ts";
import { QUARTER_HOUR_MS } from "./plan/plan-inputs.ts";

/** The mean load of a quarter hour; `null`: not measured. */
export interface LoadRow {
  /** Milliseconds since 1970, at a whole quarter hour. */
  readonly fromMs: number;
  readonly kw: number | null;
}

export interface LoadForecastOptions {
  /** Of the past, in order; eight weeks are enough. */
  readonly history: readonly LoadRow[];
  readonly times: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly nowMs: number;
  /** IANA zone of the house. */
  readonly zone: string;
  /** Days of the wall clock, since 1970, that are like Sundays. */
  readonly holidays: ReadonlySet<number>;
}

export interface LoadForecastSlot {
  readonly fromMs: number;
  readonly toMs: number;
  /** The mean that is expected; `null`: there is no history at all. */
  readonly kw: number | null;
  /** One time in ten it is below this. */
  readonly p10Kw: number | null;
  /** One time in ten it is above this. */
  readonly p90Kw: number | null;
}

type KindOfDay = "workday" | "saturday" | "sunday";

const QUARTERS = 96;
const QUARTERS_OF_HOUR = 4;
const SMOOTHING = 0.1;
const WEIGHTS = { smoothed: 0.8, yesterday: 0.1, lastWeek: 0.1 };
/** A kind of day with fewer days leans on all days, as if these had been so many of its days. */
const ALL_DAYS_COUNT = 2;
/** How much of the error of the last hour is expected in the next hour, and in the one after. */
const CARRY = [0.5, 0.4];
const RESIDUAL_DAYS = 28;
/** Days whose loads are looked at again: the week before, and two days that were not measured. */
const SEEN_DAYS = 9;
/** Residuals that make a distribution: of 28 days, three hours of four quarters. */
const ENOUGH_RESIDUALS = RESIDUAL_DAYS * 3 * QUARTERS_OF_HOUR;
/** With fewer the band is wider, but not by more than this. */
const WIDEST = 3;

/** A smoothed mean that begins as a plain one. */
interface Smoothed {
  count: number;
  mean: number;
}

interface Place {
  /** Of the wall clock, since 1970. */
  readonly day: number;
  readonly quarter: number;
}

interface Learned {
  readonly byKind: Readonly<Record<KindOfDay, readonly Smoothed[]>>;
  readonly allDays: readonly Smoothed[];
  readonly whole: Smoothed;
  /** By day and quarter. */
  readonly seen: Map<number, number>;
  /** By hour of the day, with the day of each. */
  readonly residuals: { readonly day: number; readonly kw: number }[][];
  readonly holidays: ReadonlySet<number>;
}

/** Forecasts the load in the times asked for. */
export function forecastLoad({
  history,
  times,
  nowMs,
  zone,
  holidays,
}: LoadForecastOptions): readonly LoadForecastSlot[] {
  const profile = new LoadProfile(zone, holidays);
  profile.learn(history.filter(({ fromMs }) => fromMs + QUARTER_HOUR_MS <= nowMs));
  return profile.forecast(times, nowMs);
}

/** What is learned of a house, so that a quarter hour more costs no look at the eight weeks before. */
export class LoadProfile {
  readonly #zone: string;
  readonly #learned: Learned;
  /** The latest errors, at most an hour of them. */
  #recent: { readonly fromMs: number; readonly kw: number }[] = [];

  /** `zone` is the IANA zone of the house, `holidays` the days (since 1970) that are like Sundays. */
  constructor(zone: string, holidays: ReadonlySet<number>) {
    this.#zone = zone;
    this.#learned = emptyLearned(holidays);
  }

  /** Takes rows that are in order and later than those before. */
  learn(rows: readonly LoadRow[]): void {
    const places = placesOf(this.#zone, rows);
    for (const [index, { fromMs, kw }] of rows.entries()) {
      const place = places[index];
      if (kw === null || place === undefined) continue;
      const expected = expectedKw(this.#learned, place);
      if (expected !== null) {
        const residual = kw - expected;
        this.#learned.residuals[Math.floor(place.quarter / QUARTERS_OF_HOUR)]?.push({ day: place.day, kw: residual });
        this.#recent.push({ fromMs, kw: residual });
        if (this.#recent.length > QUARTERS_OF_HOUR) this.#recent.shift();
      }
      learn(this.#learned, place, kw);
      forgetBefore(this.#learned, place);
    }
  }

  /** Forecasts the load in the times asked for, which are after all rows. */
  forecast(times: LoadForecastOptions["times"], nowMs: number): readonly LoadForecastSlot[] {
    const errors = this.#recent.filter(({ fromMs }) => fromMs >= nowMs - HOUR_MS - QUARTER_HOUR_MS);
    const carried = errors.length === 0 ? 0 : errors.reduce((sum, { kw }) => sum + kw, 0) / errors.length;
    return forecastTimes(this.#learned, { times, nowMs, zone: this.#zone, carried });
  }
}

/** Once a day, what no later forecast looks at goes. */
function forgetBefore({ seen, residuals }: Learned, { day, quarter }: Place): void {
  if (quarter !== 0) return;
  const oldest = (day - SEEN_DAYS) * QUARTERS;
  for (const key of seen.keys()) {
    if (key >= oldest) break;
    seen.delete(key);
  }
  for (const [hour, ofHour] of residuals.entries())
    residuals[hour] = ofHour.filter((residual) => residual.day >= day - RESIDUAL_DAYS - 2);
}

function forecastTimes(
  learned: Learned,
  { times, nowMs, zone, carried }: Pick<LoadForecastOptions, "times" | "nowMs" | "zone"> & { readonly carried: number },
): readonly LoadForecastSlot[] {
  const quarters = times.flatMap(({ fromMs, toMs }, index) => {
    const firstMs = Math.floor(fromMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
    const count = Math.max(1, Math.ceil((toMs - firstMs) / QUARTER_HOUR_MS));
    return Array.from({ length: count }, (_, step) => ({ index, fromMs: firstMs + step * QUARTER_HOUR_MS }));
  });
  const places = placesOf(zone, quarters);
  const bands = new Map<number, { readonly low: number; readonly high: number } | null>();
  const sums = times.map(() => ({ count: 0, kw: 0, low: 0, high: 0 }));
  for (const [step, { index, fromMs }] of quarters.entries()) {
    const place = places[step];
    const sum = sums[index];
    const expected = place === undefined ? null : expectedKw(learned, place);
    if (place === undefined || sum === undefined || expected === null) continue;
    const kw = Math.max(0, expected + carried * (CARRY[Math.floor((fromMs - nowMs) / HOUR_MS + 0.25)] ?? 0));
    const hour = Math.floor(place.quarter / QUARTERS_OF_HOUR);
    if (!bands.has(hour)) bands.set(hour, bandOf(learned, hour, place.day));
    const band = bands.get(hour) ?? { low: -kw, high: kw * (WIDEST - 1) };
    sum.count += 1;
    sum.kw += kw;
    sum.low += Math.max(0, kw + band.low);
    sum.high += Math.max(kw, kw + band.high);
  }
  return times.map(({ fromMs, toMs }, index) => {
    const { count = 0, kw = 0, low = 0, high = 0 } = sums[index] ?? {};
    if (count === 0) return { fromMs, toMs, kw: null, p10Kw: null, p90Kw: null };
    return { fromMs, toMs, kw: kw / count, p10Kw: Math.min(low, kw) / count, p90Kw: high / count };
  });
}

function emptyLearned(holidays: ReadonlySet<number>): Learned {
  const profile = () => Array.from({ length: QUARTERS }, (): Smoothed => ({ count: 0, mean: 0 }));
  return {
    byKind: { workday: profile(), saturday: profile(), sunday: profile() },
    allDays: profile(),
    whole: { count: 0, mean: 0 },
    seen: new Map(),
    residuals: Array.from({ length: 24 }, () => []),
    holidays,
  };
}

function learn(learned: Learned, { day, quarter }: Place, kw: number): void {
  const profiles = [learned.byKind[kindOf(day, learned.holidays)][quarter], learned.allDays[quarter], learned.whole];
  for (const smoothed of profiles) {
    if (smoothed === undefined) continue;
    smoothed.count += 1;
    smoothed.mean += (kw - smoothed.mean) * Math.max(smoothed === learned.whole ? 0 : SMOOTHING, 1 / smoothed.count);
  }
  // The hour that the autumn has twice counts as its mean.
  const key = day * QUARTERS + quarter;
  const before = learned.seen.get(key);
  learned.seen.set(key, before === undefined ? kw : (before + kw) / 2);
}

function expectedKw(learned: Learned, { day, quarter }: Place): number | null {
  const smoothed = smoothedKw(learned, { day, quarter });
  if (smoothed === null) return null;
  const at = (back: number) => learned.seen.get((day - back) * QUARTERS + quarter);
  const isAlike = (back: number) => kindOf(day - back, learned.holidays) === kindOf(day, learned.holidays);
  const parts = [
    { weight: WEIGHTS.smoothed, kw: smoothed },
    { weight: WEIGHTS.yesterday, kw: at(1) ?? at(2) },
    { weight: WEIGHTS.lastWeek, kw: isAlike(7) ? at(7) : undefined },
  ];
  let weights = 0;
  let sum = 0;
  for (const { weight, kw } of parts) {
    if (kw === undefined) continue;
    weights += weight;
    sum += weight * kw;
  }
  return sum / weights;
}

function smoothedKw({ byKind, allDays, whole, holidays }: Learned, { day, quarter }: Place): number | null {
  const ofKind = byKind[kindOf(day, holidays)][quarter];
  const ofAll = allDays[quarter];
  if (whole.count === 0) return null;
  const general = ofAll === undefined || ofAll.count === 0 ? whole.mean : ofAll.mean;
  const count = ofKind?.count ?? 0;
  return ((ofKind?.mean ?? 0) * count + general * ALL_DAYS_COUNT) / (count + ALL_DAYS_COUNT);
}

/** The tenth and the ninetieth percentile of the errors in an hour and its neighbours; `null`: there were none. */
function bandOf(
  { residuals }: Learned,
  hour: number,
  day: number,
): { readonly low: number; readonly high: number } | null {
  const errors = [-1, 0, 1]
    .flatMap((offset) => residuals[(hour + offset + 24) % 24] ?? [])
    .filter((residual) => residual.day >= day - RESIDUAL_DAYS - 2)
    .map(({ kw }) => kw)
    .toSorted((a, b) => a - b);
  if (errors.length === 0) return null;
  const widening = Math.min(WIDEST, Math.max(1, Math.sqrt(ENOUGH_RESIDUALS / errors.length)));
  const quantile = (share: number) => errors[Math.round(share * (errors.length - 1))] ?? 0;
  return { low: quantile(0.1) * widening, high: quantile(0.9) * widening };
}

function kindOf(day: number, holidays: ReadonlySet<number>): KindOfDay {
  // 1 January 1970 was a Thursday.
  const weekday = (((day + 4) % 7) + 7) % 7;
  if (weekday === 0 || holidays.has(day)) return "sunday";
  return weekday === 6 ? "saturday" : "workday";
}

/** The day and the quarter hour of the wall clock at which each row begins. Rows are in order. */
function placesOf(zone: string, rows: readonly { readonly fromMs: number }[]): readonly Place[] {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const stretches = evenStretches(zone, first.fromMs, last.fromMs + 1);
  let index = 0;
  return rows.map(({ fromMs }) => {
    while (index < stretches.length - 1 && fromMs >= (stretches[index]?.toMs ?? Infinity)) index += 1;
    const localMs = fromMs + (stretches[index]?.offsetMs ?? 0);
    const day = Math.floor(localMs / DAY_MS);
    return { day, quarter: Math.floor((localMs - day * DAY_MS) / QUARTER_HOUR_MS) };
  });
}
