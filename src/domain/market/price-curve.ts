import { HOUR_MS } from "../duration.ts";
import { type Money, money, ZERO } from "../money.ts";

/** A price between two instants. */
export interface PricedSpan {
  /** Wall-clock ms, inclusive; `toMs` is exclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Currency units per kWh as a decimal number. */
  readonly cost: string;
}

interface Knot {
  readonly atMs: number;
  /** Cost of 1 kW from the first knot to this one, price times milliseconds; times without a price count as 0. */
  readonly sum: Money;
  /** Time with a price from the first knot to this one, ms. */
  readonly knownMs: number;
  /** Price from this knot to the next one; `null` if not known. */
  readonly price: Money | null;
}

/** Prices over time, with exact sums. */
export class PriceCurve {
  readonly #knots: readonly Knot[];

  /** Takes spans in ascending order without overlaps. */
  constructor(spans: readonly PricedSpan[]) {
    this.#knots = knotsOf(spans);
  }

  /** Returns the instants at which the price changes or becomes known or unknown, ascending. */
  get edges(): readonly number[] {
    return this.#knots.map(({ atMs }) => atMs);
  }

  /** Returns true if the price of every instant in [fromMs, toMs) is known. */
  isKnown(fromMs: number, toMs: number): boolean {
    return this.knownMs(fromMs, toMs) === toMs - fromMs;
  }

  /** Returns for how long in [fromMs, toMs) the price is known, ms. */
  knownMs(fromMs: number, toMs: number): number {
    return this.#at(toMs).knownMs - this.#at(fromMs).knownMs;
  }

  /** Returns the cost of drawing 1 kW over [fromMs, toMs), currency units; `null` if a price is not known. */
  cost(fromMs: number, toMs: number): Money | null {
    return this.isKnown(fromMs, toMs) ? this.#known(fromMs, toMs).div(HOUR_MS) : null;
  }

  /** Returns the mean price over [fromMs, toMs), currency units per kWh; `null` if a price is not known. */
  mean(fromMs: number, toMs: number): Money | null {
    return this.isKnown(fromMs, toMs) ? this.#known(fromMs, toMs).div(toMs - fromMs) : null;
  }

  /**
   * Returns the cost of drawing 1 kW over [fromMs, toMs), currency units. Unknown prices count as the mean of the known
   * ones in [fromMs, untilMs); `null` if none is known there.
   */
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

  /** Returns the last knot at or before an instant. */
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
    // The knot that ends the previous span is replaced if this span follows without a gap.
    if (knots.at(-1)?.atMs === fromMs) knots.pop();
    const price = money(cost);
    knots.push({ atMs: fromMs, sum, knownMs, price });
    sum = sum.plus(price.times(toMs - fromMs));
    knownMs += toMs - fromMs;
    knots.push({ atMs: toMs, sum, knownMs, price: null });
  }
  return knots;
}
