/** Adds up energy and its cost. Energy is in whole mWh and money is decimal, so nothing is rounded on the way. */
import { CostSum, type Money, money, moneyNumber } from "../money.ts";
import type { ChargingStatistics } from "./statistics.ts";
import { FLOWS_ABOVE_W } from "./statistics-power.ts";

const MWH_PER_KWH = 1_000_000;
const W_PER_MWH_PER_MS = 3_600;
const WATTS_PER_KW = 1_000;

/** Energy over a time in which its prices do not change. Fields are as in `EnergyRow`. */
export interface Consumption {
  readonly mwh: number;
  readonly knownMs: number;
  readonly flowMs: number;
  readonly flowMwh: number;
  readonly minW: number | null;
  readonly maxW: number | null;
}

/** The energy with the same price and the same price without smart charging. */
interface Priced {
  readonly cost: string;
  readonly nonSmartCost: string;
  readonly isMoved: boolean;
  mwh: number;
}

type Sums = Omit<ChargingStatistics, "date">;

/** The sum of energies and their costs. */
export class Tally {
  readonly #priced = new Map<string, Priced>();
  #mwh = 0;
  #knownMs = 0;
  #flowMs = 0;
  #flowMwh = 0;
  #minW = Number.POSITIVE_INFINITY;
  #maxW = Number.NEGATIVE_INFINITY;

  /**
   * Adds energy with its price, currency units per kWh as a decimal number, and its price without smart charging. A price is
   * `null` if it is not known; the latter also if smart charging did not move the energy.
   */
  add(part: Consumption, cost: string | null, nonSmartCost: string | null): void {
    this.#mwh += part.mwh;
    this.#knownMs += part.knownMs;
    this.#flowMs += part.flowMs;
    this.#flowMwh += part.flowMwh;
    if (part.minW !== null) this.#minW = Math.min(this.#minW, part.minW);
    if (part.maxW !== null) this.#maxW = Math.max(this.#maxW, part.maxW);
    if (cost === null || part.mwh === 0) return;
    const isMoved = nonSmartCost !== null;
    const key = isMoved ? `${cost}|${nonSmartCost}` : cost;
    const known = this.#priced.get(key);
    if (known === undefined)
      this.#priced.set(key, { cost, nonSmartCost: nonSmartCost ?? cost, isMoved, mwh: part.mwh });
    else known.mwh += part.mwh;
  }

  /** False if there is nothing to show: no reading showed power, and the counters only show standby consumption. */
  get isShown(): boolean {
    if (this.#mwh <= 0) return false;
    return this.#maxW > 0 || this.#meanKnownW() > FLOWS_ABOVE_W;
  }

  /** Returns the sums for the API: kWh, kW and currency units. */
  sums(): Sums {
    const priced = [...this.#priced.values()];
    const cost = sumOf(priced.map(({ cost: each, mwh }) => [each, mwh]));
    const nonSmart = priced.some(({ isMoved }) => isMoved)
      ? sumOf(priced.map(({ nonSmartCost, mwh }) => [nonSmartCost, mwh]))
      : null;
    const pricedMwh = priced.reduce((total, { mwh }) => total + mwh, 0);
    const kwh = money(String(pricedMwh / MWH_PER_KWH));
    return {
      kw: this.#kilowatts(),
      kwhSum: this.#mwh / MWH_PER_KWH,
      price: rangeOf(
        priced.map((each) => each.cost),
        cost,
        kwh,
      ) ?? { min: 0, max: 0, mean: 0 },
      costSum: moneyNumber(cost),
      nonSmartPrice: (nonSmart === null
        ? null
        : rangeOf(
            priced.map((each) => each.nonSmartCost),
            nonSmart,
            kwh,
          )) ?? { min: null, max: null, mean: null },
      estimatedSavings: nonSmart === null ? null : moneyNumber(nonSmart.minus(cost)),
      isCostKnown: pricedMwh === this.#mwh,
      kwhPriced: pricedMwh / MWH_PER_KWH,
    };
  }

  #kilowatts(): Sums["kw"] {
    if (this.#maxW <= 0) {
      const kw = kilowatts(this.#meanKnownW());
      return { min: kw, max: kw, mean: kw };
    }
    const meanW = this.#flowMs > 0 ? (this.#flowMwh * W_PER_MWH_PER_MS) / this.#flowMs : (this.#minW + this.#maxW) / 2;
    const mean = kilowatts(Math.min(this.#maxW, Math.max(this.#minW, meanW)));
    return { min: kilowatts(this.#minW), max: kilowatts(this.#maxW), mean };
  }

  #meanKnownW(): number {
    return this.#knownMs === 0 ? 0 : (this.#mwh * W_PER_MWH_PER_MS) / this.#knownMs;
  }
}

/** Returns the sum of the costs of energies, each with its price. */
function sumOf(priced: readonly (readonly [cost: string, mwh: number])[]): Money {
  const sum = new CostSum();
  for (const [cost, mwh] of priced) sum.add(cost, mwh);
  return sum.total();
}

function rangeOf(
  costs: readonly string[],
  total: Money,
  kwh: Money,
): { min: number; max: number; mean: number } | null {
  if (costs.length === 0 || kwh.isZero()) return null;
  const amounts = costs.map(Number);
  return { min: Math.min(...amounts), max: Math.max(...amounts), mean: moneyNumber(total.dividedBy(kwh)) };
}

function kilowatts(watts: number): number {
  return Math.round(watts) / WATTS_PER_KW;
}
