/** What a kWh costs in the hours of a day by settings that are not saved yet. Pure. */
import { DAY_MS, MINUTE_MS } from "../../../../domain/duration.ts";
import { minuteOf, stretchesOf, type TariffPlan, WEEK } from "./tariff-hours.ts";

/** The formula of the consumer price, as it is typed. */
export interface MarketFormula {
  readonly factor: string;
  readonly vat: string;
  readonly fees: readonly {
    readonly perKwh: string;
    readonly from: string;
    readonly to: string;
    readonly weekdays?: readonly number[] | undefined;
  }[];
}

export interface PriceSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** Currency units per kWh. */
  readonly cost: number;
}

export interface PreviewParts {
  /** `null`: there is no tariff. */
  readonly tariff: TariffPlan | null;
  /** `null`: no market prices. */
  readonly formula: MarketFormula | null;
  /** The market's own prices, ascending. */
  readonly published: readonly PriceSpan[];
  /** Midnight of the day, ms, and how far the house's clock is ahead of UTC, minutes. */
  readonly dayStartMs: number;
  readonly offsetMinutes: number;
}

const QUARTER_MIN = 15;
const QUARTERS = 96;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;

/** Returns the price of each quarter hour of the day; `null` where it is not known. The preview rounds; the gateway does not. */
export function pricesOfDay(parts: PreviewParts): readonly (number | null)[] {
  const { tariff, formula, published, dayStartMs, offsetMinutes } = parts;
  const weekday = weekdayAt(dayStartMs + offsetMinutes * MINUTE_MS);
  const stretches = tariff === null ? [] : stretchesOf(tariff, weekday);
  return Array.from({ length: QUARTERS }, (_none, index) => {
    const minute = index * QUARTER_MIN;
    const fixed = stretches.find(({ fromMinute, toMinute }) => fromMinute <= minute && minute < toMinute)?.cost;
    if (fixed !== undefined) return numberOf(fixed);
    if (formula === null) return null;
    const atMs = dayStartMs + minute * MINUTE_MS;
    const market = published.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
    return market === undefined ? null : consumerPrice(market.cost, formula, weekday, minute);
  });
}

function consumerPrice(market: number, formula: MarketFormula, weekday: number, minute: number): number | null {
  const [factor, vat] = [numberOf(formula.factor), numberOf(formula.vat)];
  const fees = formula.fees
    .filter(({ from, to, weekdays = WEEK }) => {
      return minuteOf(from) <= minute && minute < minuteOf(to) && weekdays.includes(weekday);
    })
    .map(({ perKwh }) => numberOf(perKwh));
  if (factor === null || vat === null || fees.includes(null)) return null;
  return (market * factor + fees.reduce<number>((sum, fee) => sum + (fee ?? 0), 0)) * (1 + vat);
}

/** Returns `null` for what is no number, such as an empty field. */
export function numberOf(text: string): number | null {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

function weekdayAt(localMs: number): number {
  return (((Math.floor(localMs / DAY_MS) + WEEKDAY_OF_EPOCH) % 7) + 7) % 7;
}
