/** Calculates consumer prices from market prices. */
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { type Money, money, moneyText } from "../money.ts";
import { type EvenStretch, evenStretches } from "../schedules/schedule-zone.ts";
import type { PricedSpan } from "./price-curve.ts";

const DAY_MINUTES = 24 * 60;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;

/** A part of the price beside the energy, such as a grid fee, a tax or a supplier's margin. */
export interface PriceFee {
  /** Currency units per kWh; negative for a rebate. */
  readonly perKwh: Money;
  /** Minutes after local midnight: from `fromMinute`, inclusive, to `toMinute`, exclusive. */
  readonly fromMinute: number;
  readonly toMinute: number;
  /** 0 is Monday. */
  readonly weekdays: readonly number[];
}

/** The formula of the consumer price: `(market price × factor + fees of the hour) × (1 + vat)`. */
export interface PriceFormula {
  readonly factor: Money;
  readonly fees: readonly PriceFee[];
  /** Value-added tax as a fraction: 0.19 is 19 %. */
  readonly vat: Money;
  /** IANA time zone of the fees' hours. */
  readonly zone: string;
}

/**
 * Returns the consumer prices of market prices per kWh, which have to be ascending. A price is split where a fee begins or
 * ends within it. Nothing is rounded; a negative sum stays negative, including its value-added tax.
 */
export function consumerPrices(spans: readonly PricedSpan[], formula: PriceFormula): readonly PricedSpan[] {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return [];
  const stretches = evenStretches(formula.zone, first.fromMs, last.toMs);
  const edges = feeEdges(formula.fees);
  const gross = money("1").plus(formula.vat);
  return spans.flatMap((span) => {
    const energy = money(span.cost).times(formula.factor);
    return piecesOf(span, stretches, edges).map(({ fromMs, toMs, offsetMs }) => {
      const net = feesAt(formula.fees, fromMs + offsetMs).reduce((sum, fee) => sum.plus(fee), energy);
      return { fromMs, toMs, cost: moneyText(net.times(gross)) };
    });
  });
}

/** Returns the minutes of the day at which the fees may change; none if all fees always apply. */
function feeEdges(fees: readonly PriceFee[]): readonly number[] {
  const timed = fees.filter((fee) => !isAlways(fee));
  if (timed.length === 0) return [];
  return [...new Set([0, ...timed.flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute % DAY_MINUTES])])];
}

function isAlways({ fromMinute, toMinute, weekdays }: PriceFee): boolean {
  return fromMinute === 0 && toMinute === DAY_MINUTES && weekdays.length === 7;
}

/** Splits a span into parts with the same UTC offset and the same fees. */
function piecesOf(
  span: PricedSpan,
  stretches: readonly EvenStretch[],
  edges: readonly number[],
): readonly EvenStretch[] {
  return stretches.flatMap(({ fromMs, toMs, offsetMs }) => {
    const startMs = Math.max(fromMs, span.fromMs);
    const endMs = Math.min(toMs, span.toMs);
    if (startMs >= endMs) return [];
    const cuts = edgesIn(edges, startMs + offsetMs, endMs + offsetMs).map((localMs) => localMs - offsetMs);
    const bounds = [startMs, ...cuts, endMs];
    return bounds.slice(1).map((boundMs, index) => ({ fromMs: bounds[index] ?? startMs, toMs: boundMs, offsetMs }));
  });
}

/** Returns the edges between the two times, both excluded, ascending; local times as ms as if they were UTC. */
function edgesIn(edges: readonly number[], fromMs: number, toMs: number): readonly number[] {
  if (edges.length === 0) return [];
  const found: number[] = [];
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day += 1) {
    found.push(...edges.map((minute) => day * DAY_MS + minute * MINUTE_MS));
  }
  return found.filter((atMs) => atMs > fromMs && atMs < toMs).sort((a, b) => a - b);
}

/** Returns the fees that apply at a local time, in ms as if it were UTC. */
function feesAt(fees: readonly PriceFee[], localMs: number): readonly Money[] {
  const day = Math.floor(localMs / DAY_MS);
  const minute = (localMs - day * DAY_MS) / MINUTE_MS;
  const weekday = (((day + WEEKDAY_OF_EPOCH) % 7) + 7) % 7;
  return fees
    .filter((fee) => minute >= fee.fromMinute && minute < fee.toMinute && fee.weekdays.includes(weekday))
    .map(({ perKwh }) => perKwh);
}
