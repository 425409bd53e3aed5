/** Numbers, times and money as people of a language write them. */

const NARROW_SPACE = "\u202f";
const MINUS = "\u2212";

export interface Quantity {
  readonly number: string;
  readonly unit: string;
}

/** Power: W below 1 kW, two decimals to 10 kW, then one. Below 10 W it is noise: 0 W. The sign is left to words. */
export function power(kw: number, locale: string): Quantity {
  const watts = Math.round(Math.abs(kw) * 1_000);
  if (watts < 10) return { number: "0", unit: "W" };
  if (watts < 1_000) return { number: number(watts, locale, 0), unit: "W" };
  return { number: number(watts / 1_000, locale, watts < 10_000 ? 2 : 1), unit: "kW" };
}

/** Energy, kWh: one decimal to 1,000. */
export function energy(kwh: number, locale: string): Quantity {
  return { number: number(kwh, locale, Math.abs(kwh) < 1_000 ? 1 : 0), unit: "kWh" };
}

export function text({ number: value, unit }: Quantity): string {
  return `${value}${NARROW_SPACE}${unit}`;
}

export function percent(value: number, locale: string): string {
  return `${number(value, locale, 0)}${NARROW_SPACE}%`;
}

export function number(value: number, locale: string, decimals: number): string {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, options).format(value).replace("-", MINUS);
}

/** Money with a true minus; what rounds to nothing has no sign. */
export function money(amount: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const { maximumFractionDigits: decimals = 2 } = format.resolvedOptions();
  return format.format(Number(amount.toFixed(decimals)) + 0).replace("-", MINUS);
}

/** Temperature, °C, with one decimal. */
export function degrees(value: number, locale: string): string {
  return `${number(value, locale, 1)}${NARROW_SPACE}°C`;
}

export function clock(ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(ms);
}

export function day(ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" }).format(ms);
}

/** A time within the next days: `Sunday 00:00`. */
export function moment(ms: number, locale: string): string {
  return `${new Intl.DateTimeFormat(locale, { weekday: "long" }).format(ms)} ${clock(ms, locale)}`;
}

const PERIOD_FORMATS = {
  day: { day: "numeric", month: "long", year: "numeric" },
  month: { month: "long", year: "numeric" },
  year: { year: "numeric" },
} as const;

/** The day, month or year that a date such as `2026-11-27` is in. */
export function period(kind: keyof typeof PERIOD_FORMATS, date: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { ...PERIOD_FORMATS[kind], timeZone: "UTC" });
  return format.format(Date.parse(`${date}T00:00:00Z`));
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** An age in the largest unit that says enough: `12 s`, `4 min`, `3 h`, `2 d`; the symbols are the same everywhere. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 100) return `${seconds}${NARROW_SPACE}s`;
  if (seconds < 1.5 * HOUR_S) return `${Math.round(seconds / MINUTE_S)}${NARROW_SPACE}min`;
  if (seconds < 1.5 * DAY_S) return `${Math.round(seconds / HOUR_S)}${NARROW_SPACE}h`;
  return `${Math.round(seconds / DAY_S)}${NARROW_SPACE}d`;
}
