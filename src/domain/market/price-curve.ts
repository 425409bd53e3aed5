import { HOUR_MS } from "../duration.ts";
import { type Money, money, ZERO } from "../money.ts";

/** A price that holds from one instant to another, ms; currency units per kWh as a decimal number in text. */
export interface PricedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cost: string;
}

interface Knot {
  readonly atMs: number;
  /** What 1 kW costs from the first knot to here, price times milliseconds; unknown time costs nothing. */
  readonly sum: Money;
  /** Known time from the first knot to here, ms. */
  readonly knownMs: number;
  /** From here to the next knot; null where it is unknown. */
  readonly price: Money | null;
}

/** Known prices over time, with sums that are exact. */
export class PriceCurve {
  readonly #knots: readonly Knot[];

  /** Takes spans in ascending order without overlaps. */
  constructor(spans: readonly PricedSpan[]) {
    this.#knots = knotsOf(spans);
  }

  /** The instants at which the price changes or becomes known or unknown, ascending. */
  get edges(): readonly number[] {
    return this.#knots.map(({ atMs }) => atMs);
  }

  /** True when the price of every instant in [fromMs, toMs) is known. */
  isKnown(fromMs: number, toMs: number): boolean {
    return this.knownMs(fromMs, toMs) === toMs - fromMs;
  }

  /** How much of [fromMs, toMs) has a known price, ms. */
  knownMs(fromMs: number, toMs: number): number {
    return this.#at(toMs).knownMs - this.#at(fromMs).knownMs;
  }

  /** What drawing 1 kW costs over [fromMs, toMs), currency units; null when some of it is unknown. */
  cost(fromMs: number, toMs: number): Money | null {
    return this.isKnown(fromMs, toMs) ? this.#known(fromMs, toMs).div(HOUR_MS) : null;
  }

  /** The mean price over [fromMs, toMs), currency units per kWh; null when some of it is unknown. */
  mean(fromMs: number, toMs: number): Money | null {
    return this.isKnown(fromMs, toMs) ? this.#known(fromMs, toMs).div(toMs - fromMs) : null;
  }

  /** What drawing 1 kW costs, where unknown time counts with the mean of what is known in [fromMs, untilMs); null when nothing is. */
  estimate(fromMs: number, toMs: number, untilMs: number): Money | null {
    const [known, ofMs] = [this.#known(fromMs, untilMs), this.knownMs(fromMs, untilMs)];
    if (ofMs === 0) return null;
    const unknownMs = toMs - fromMs - this.knownMs(fromMs, toMs);
    return this.#known(fromMs, toMs).plus(known.div(ofMs).times(unknownMs)).div(HOUR_MS);
  }

  #known(fromMs: number, toMs: number): Money {
    return this.#at(toMs).sum.minus(this.#at(fromMs).sum);
  }

  #at(atMs: number): { readonly sum: Money; readonly knownMs: number } {
    const knot = this.#knotBefore(atMs);
    if (knot === null) return { sum: ZERO, knownMs: 0 };
    if (knot.price === null) return knot;
    const sinceMs = atMs - knot.atMs;
    return { sum: knot.sum.plus(knot.price.times(sinceMs)), knownMs: knot.knownMs + sinceMs };
  }

  /** The last knot at or before an instant. */
  #knotBefore(atMs: number): Knot | null {
    let [low, high] = [0, this.#knots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const knot = this.#knots[middle];
      if (knot !== undefined && knot.atMs <= atMs) low = middle + 1;
      else high = middle;
    }
    return this.#knots[low - 1] ?? null;
  }
}

function knotsOf(spans: readonly PricedSpan[]): readonly Knot[] {
  const knots: Knot[] = [];
  let [sum, knownMs] = [ZERO, 0];
  for (const { fromMs, toMs, cost } of spans) {
    if (toMs <= fromMs) continue;
    // A gap ended where this span begins; without one the end of the last span is this one's start.
    if (knots.at(-1)?.atMs === fromMs) knots.pop();
    const price = money(cost);
    knots.push({ atMs: fromMs, sum, knownMs, price });
    sum = sum.plus(price.times(toMs - fromMs));
    knownMs += toMs - fromMs;
    knots.push({ atMs: toMs, sum, knownMs, price: null });
  }
  return knots;
}
