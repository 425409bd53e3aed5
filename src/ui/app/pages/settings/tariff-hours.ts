/** A tariff as people enter it: a price for all hours, and others for some of them. Pure. */
import { MINUTE_MS } from "../../../../domain/duration.ts";

export const MINUTES_OF_DAY = 24 * 60;
export const WEEK: readonly number[] = [0, 1, 2, 3, 4, 5, 6];

/** Another price in some hours; minutes after local midnight, `toMinute` exclusive. 0 is Monday. */
export interface TariffHours {
  readonly cost: string;
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly weekdays: readonly number[];
}

export interface TariffPlan {
  /** For all other hours; `null`: they have the market's price. */
  readonly base: string | null;
  readonly hours: readonly TariffHours[];
}

/** What the API takes: a tariff's rates, and which of them holds when. */
export interface TariffBodies {
  readonly rates: readonly { readonly name: string; readonly cost: string }[];
  readonly intervals: readonly {
    readonly name: string;
    readonly from: string;
    readonly to: string;
    readonly weekdays: readonly number[];
  }[];
}

interface Stretch {
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly cost: string;
}

/** Returns the price of each stretch of a weekday; where hours overlap, the first of the list counts. */
export function stretchesOf({ base, hours }: TariffPlan, weekday: number): readonly Stretch[] {
  const own = hours.flatMap((each) => {
    const { fromMinute, toMinute, weekdays, cost } = each;
    // Hours that cross midnight belong to the day on which they begin.
    const isOvernight = toMinute <= fromMinute;
    const dayBefore = (weekday + WEEK.length - 1) % WEEK.length;
    const today = weekdays.includes(weekday)
      ? [{ fromMinute, toMinute: isOvernight ? MINUTES_OF_DAY : toMinute, cost }]
      : [];
    const rest = isOvernight && weekdays.includes(dayBefore) ? [{ fromMinute: 0, toMinute, cost }] : [];
    return [...today, ...rest];
  });
  const edges = [...new Set([0, MINUTES_OF_DAY, ...own.flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute])])];
  edges.sort((one, other) => one - other);
  const stretches: Stretch[] = [];
  for (const [index, fromMinute] of edges.slice(0, -1).entries()) {
    const toMinute = edges[index + 1] ?? MINUTES_OF_DAY;
    const cost = own.find((each) => each.fromMinute <= fromMinute && each.toMinute >= toMinute)?.cost ?? base;
    const last = stretches.at(-1);
    if (cost === null) continue;
    if (last?.cost === cost && last.toMinute === fromMinute) stretches.splice(-1, 1, { ...last, toMinute });
    else stretches.push({ fromMinute, toMinute, cost });
  }
  return stretches;
}

/** Returns the tariff as the API takes it. A rate is called by its price. */
export function bodiesOf(plan: TariffPlan): TariffBodies {
  const byHours = new Map<string, { readonly stretch: Stretch; readonly weekdays: number[] }>();
  for (const weekday of WEEK) {
    for (const stretch of stretchesOf(plan, weekday)) {
      const key = `${stretch.fromMinute} ${stretch.toMinute} ${stretch.cost}`;
      const known = byHours.get(key);
      if (known === undefined) byHours.set(key, { stretch, weekdays: [weekday] });
      else known.weekdays.push(weekday);
    }
  }
  const intervals = [...byHours.values()].map(({ stretch, weekdays }) => ({
    name: stretch.cost,
    from: clockText(stretch.fromMinute),
    to: clockText(stretch.toMinute),
    weekdays,
  }));
  const names = [...new Set(intervals.map(({ name }) => name))];
  return { rates: names.map((cost) => ({ name: cost, cost })), intervals };
}

/** An entry of a location's tariff, in UTC, as the API tells it. */
export interface TariffEntry {
  readonly weekday?: number;
  readonly fromHourMinute: string;
  readonly toHourMinute: string;
  readonly tariffName: string;
}

/**
 * Returns the tariff that the entries are of. They are in UTC by the offset of the location, minutes; the price that fills
 * the most hours is the one for all hours, if no hour is without a price.
 */
export function planOf(
  entries: readonly TariffEntry[],
  rates: readonly { readonly name: string; readonly cost: string }[],
  offsetMinutes: number,
): TariffPlan {
  const costOf = new Map(rates.map(({ name, cost }) => [name, cost]));
  /** By weekday, one price a minute would be too many: the stretches of each local day, joined. */
  const days: Stretch[][] = WEEK.map(() => []);
  for (const { weekday, fromHourMinute, toHourMinute, tariffName } of entries) {
    const cost = costOf.get(tariffName);
    if (cost === undefined) continue;
    const [from, to] = [minuteOf(fromHourMinute) + offsetMinutes, minuteOf(toHourMinute) + offsetMinutes];
    for (const day of weekday === undefined ? WEEK : [weekday]) addStretch(days, day, from, to, cost);
  }
  const joined = days.map(joinedStretches);
  const minutes = new Map<string, number>();
  let known = 0;
  for (const { fromMinute, toMinute, cost } of joined.flat()) {
    minutes.set(cost, (minutes.get(cost) ?? 0) + toMinute - fromMinute);
    known += toMinute - fromMinute;
  }
  const isWhole = known === MINUTES_OF_DAY * WEEK.length;
  const [commonest = null] = [...minutes].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const base = isWhole ? commonest : null;
  const hours = new Map<string, { readonly stretch: Stretch; readonly weekdays: number[] }>();
  for (const [weekday, stretches] of joined.entries()) {
    for (const stretch of stretches) {
      if (stretch.cost === base) continue;
      const key = `${stretch.fromMinute} ${stretch.toMinute} ${stretch.cost}`;
      const same = hours.get(key);
      if (same === undefined) hours.set(key, { stretch, weekdays: [weekday] });
      else same.weekdays.push(weekday);
    }
  }
  return { base, hours: overnight([...hours.values()].map(({ stretch, weekdays }) => ({ ...stretch, weekdays }))) };
}

/** Joins an evening and the morning after it at the same price: people call them a night. */
function overnight(hours: readonly TariffHours[]): readonly TariffHours[] {
  const evening = hours.find((each) => each.toMinute === MINUTES_OF_DAY && morningOf(each, hours) !== undefined);
  const morning = evening === undefined ? undefined : morningOf(evening, hours);
  if (evening === undefined || morning === undefined) return hours;
  const night = { ...evening, toMinute: morning.toMinute };
  return [night, ...overnight(hours.filter((each) => each !== evening && each !== morning))];
}

function morningOf(
  { cost, weekdays, fromMinute }: TariffHours,
  hours: readonly TariffHours[],
): TariffHours | undefined {
  const next = weekdays.map((day) => (day + 1) % WEEK.length).toSorted();
  return hours.find((each) => {
    const isMorning = each.fromMinute === 0 && each.toMinute < fromMinute && each.cost === cost;
    return isMorning && each.weekdays.toSorted().join() === next.join();
  });
}

/** Adds what an entry of a day in UTC covers to the local days. */
function addStretch(days: Stretch[][], day: number, from: number, to: number, cost: string): void {
  for (const shift of [-1, 0, 1]) {
    const fromMinute = Math.max(0, from - shift * MINUTES_OF_DAY);
    const toMinute = Math.min(MINUTES_OF_DAY, to - shift * MINUTES_OF_DAY);
    const local = days[(day + shift + WEEK.length) % WEEK.length];
    if (fromMinute < toMinute) local?.push({ fromMinute, toMinute, cost });
  }
}

function joinedStretches(stretches: readonly Stretch[]): readonly Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches.toSorted((one, other) => one.fromMinute - other.fromMinute)) {
    const last = joined.at(-1);
    if (last?.cost === stretch.cost && last.toMinute === stretch.fromMinute)
      joined.splice(-1, 1, { ...last, toMinute: stretch.toMinute });
    else joined.push(stretch);
  }
  return joined;
}

/** Minutes after midnight of `HH:MM`. */
export function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

export function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** How far the zone's clock is ahead of UTC at a time, minutes. */
export function offsetMinutesAt(zone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    hourCycle: "h23",
  } as const).formatToParts(atMs);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = parts
    .filter(({ type }) => type !== "literal")
    .map(({ value }) => Number(value));
  return Math.round(
    (Date.UTC(year, month - 1, day, hour, minute) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS) / MINUTE_MS,
  );
}
