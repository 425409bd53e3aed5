/** What a consumer pays, reckoned from market prices. Pure. */
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { type Money, money, moneyText } from "../money.ts";
import { type EvenStretch, evenStretches } from "../schedules/schedule-zone.ts";
import type { PricedSpan } from "./price-curve.ts";

const DAY_MINUTES = 24 * 60;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;

/** Something that is paid beside the energy: a grid fee, a tax, a supplier's margin. */
export interface PriceFee {
  /** Currency units per kWh; negative for a rebate. */
  readonly perKwh: Money;
  /** Minutes after midnight on the wall clock: from `fromMinute`, inclusive, to `toMinute`, exclusive. */
  readonly fromMinute: number;
  readonly toMinute: number;
  /** 0 is Monday. */
  readonly weekdays: readonly number[];
}

/** `(market price × factor + the fees of the hour) × (1 + vat)`. */
export interface PriceFormula {
  readonly factor: Money;
  readonly fees: readonly PriceFee[];
  /** As a part of 1: 0.19 is 19 %. */
  readonly vat: Money;
  /** IANA zone of the wall clock that the fees' hours mean. */
  readonly zone: string;
}

/**
 * The consumer's prices, from market prices per kWh in ascending order. A price is split where a fee begins or ends in
 * it. Nothing is rounded, and a negative sum stays negative, with value-added tax on it.
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

/** Minutes of the day at which another fee may hold; none when all of them always do. */
function feeEdges(fees: readonly PriceFee[]): readonly number[] {
  const timed = fees.filter((fee) => !isAlways(fee));
  if (timed.length === 0) return [];
  return [...new Set([0, ...timed.flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute % DAY_MINUTES])])];
}

function isAlways({ fromMinute, toMinute, weekdays }: PriceFee): boolean {
  return fromMinute === 0 && toMinute === DAY_MINUTES && weekdays.length === 7;
}

/** The parts of a span in which one offset and one set of fees hold. */
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

/** The edges inside of (from, to), ms of the wall clock taken for UTC, ascending. */
function edgesIn(edges: readonly number[], fromMs: number, toMs: number): readonly number[] {
  if (edges.length === 0) return [];
  const found: number[] = [];
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day += 1) {
    found.push(...edges.map((minute) => day * DAY_MS + minute * MINUTE_MS));
  }
  return found.filter((atMs) => atMs > fromMs && atMs < toMs).sort((a, b) => a - b);
}

/** What the fees amount to at a wall-clock time, ms of the wall clock taken for UTC. */
function feesAt(fees: readonly PriceFee[], localMs: number): readonly Money[] {
  const day = Math.floor(localMs / DAY_MS);
  const minute = (localMs - day * DAY_MS) / MINUTE_MS;
  const weekday = (((day + WEEKDAY_OF_EPOCH) % 7) + 7) % 7;
  return fees
    .filter((fee) => minute >= fee.fromMinute && minute < fee.toMinute && fee.weekdays.includes(weekday))
    .map(({ perKwh }) => perKwh);
}
