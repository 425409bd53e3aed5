/** Money and prices, never as floats (rules I2.14 and I8). */
import { Decimal as AnyDecimal } from "decimal.js";
import { z } from "zod";

/** A price of 9 digits before the point and 9 after, times an energy of 9 and 12, summed over years: nothing is rounded. */
const Money = AnyDecimal.clone({ precision: 60, rounding: AnyDecimal.ROUND_HALF_EVEN, defaults: true });

/** A decimal number that is money, or a price per kWh. */
export type Money = AnyDecimal;

const COST = /^[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})$/;

/** What a kWh costs, as clients write it: an optional sign, up to 9 digits before and after the point (rule S5.3). */
export const CostText = z
  .string()
  .regex(COST, { error: "Expected a decimal number with up to 9 digits before and 9 after the point, such as 0.28" })
  .meta({ description: "Currency units per kWh, a decimal number; up to 9 digits before and 9 after the point." });

/** No money. */
export const ZERO: Money = new Money(0);

/** Money from a decimal number in text. Throws for what is none. */
export function money(text: string): Money {
  return new Money(text);
}

/** Less than this part of a kWh is noise of the floating-point number that an energy comes in. */
const ENERGY_PLACES = 12;

/** What an energy costs at a price per kWh, in text. The energy, kWh, counts with the digits that it is shown with. */
export function costOf(cost: string, energyKwh: number): Money {
  return money(cost).times(money(String(energyKwh)).toDecimalPlaces(ENERGY_PLACES));
}

export function sum(amounts: Iterable<Money>): Money {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
}

/** The amount as plain text: no exponent, no needless digits. */
export function moneyText(amount: Money): string {
  return amount.isZero() ? "0" : amount.toFixed();
}

/** Decimal places of amounts in answers. */
const PLACES = 9;

/** The amount as the number that answers show, rounded to 9 places. */
export function moneyNumber(amount: Money): number {
  return amount.toDecimalPlaces(PLACES).toNumber() + 0;
}
