/** Money and prices as decimal numbers, never as floating-point numbers (rules I2.14 and I8). */
import { Decimal as AnyDecimal } from "decimal.js";
import { z } from "zod";

/** 60 digits: a price (9 digits before and 9 after the point) times an energy (9 and 12), summed over years, stays exact. */
const Money = AnyDecimal.clone({ precision: 60, rounding: AnyDecimal.ROUND_HALF_EVEN, defaults: true });

/** An amount of money, or a price per kWh, in the tariff's currency. */
export type Money = AnyDecimal;

const COST = /^[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/;

/** The price of a kWh as text: an optional sign, up to 9 digits before and after the decimal point (rule S5.3). */
export const CostText = z
  .string()
  .regex(COST, { error: "Expected a decimal number with up to 9 digits before and 9 after the point, such as 0.28" })
  .meta({
    description:
      "Price per kWh in the tariff's currency, a decimal number with up to 9 digits before and 9 after the point.",
  });

export const ZERO: Money = new Money(0);

/** Parses a decimal number as money. Throws if the text is not a decimal number. */
export function money(text: string): Money {
  return new Money(text);
}

/** Decimal places of an energy in kWh; further ones are rounding errors of its floating-point number. */
const ENERGY_PLACES = 12;

/** Returns the cost of an energy (kWh, rounded to 12 decimals) at a price per kWh. Throws if the price is no number. */
export function costOf(cost: string, energyKwh: number): Money {
  return money(cost).times(money(String(energyKwh)).toDecimalPlaces(ENERGY_PLACES));
}

/** Digits after the point of a price times an energy in mWh. */
const COST_PLACES = 18;
const MWH_DIGITS = 6;
const PLAIN = /^([+-]?)(\d*)(?:\.(\d*))?$/;

/** The exact sum of many costs, in whole numbers, which is many times faster than with decimals. */
export class CostSum {
  /** In units of 10 to the power of -(`COST_PLACES` + `MWH_DIGITS`). */
  #units = 0n;
  #rest: Money = ZERO;

  /** Adds the cost of an energy in whole mWh at a price per kWh. Throws if the price is no number. */
  add(cost: string, mwh: number): void {
    const [, sign, whole = "", places = ""] = PLAIN.exec(cost) ?? [];
    if (sign === undefined || whole + places === "" || places.length > COST_PLACES || !Number.isSafeInteger(mwh)) {
      this.#rest = this.#rest.plus(costOf(cost, mwh / 10 ** MWH_DIGITS));
      return;
    }
    const units = BigInt(whole + places.padEnd(COST_PLACES, "0")) * BigInt(mwh);
    this.#units += sign === "-" ? -units : units;
  }

  total(): Money {
    return money(`${this.#units}e-${COST_PLACES + MWH_DIGITS}`).plus(this.#rest);
  }
}

/** Adds up amounts; zero if there are none. */
export function sum(amounts: Iterable<Money>): Money {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
}

/** Formats an amount without exponent and trailing zeros. */
export function moneyText(amount: Money): string {
  return amount.isZero() ? "0" : amount.toFixed();
}

/** Decimal places of amounts in API responses. */
const PLACES = 9;

/** Returns the amount as a number, rounded to 9 decimal places, as API responses show it. */
export function moneyNumber(amount: Money): number {
  return amount.toDecimalPlaces(PLACES).toNumber() + 0;
}
