import type { RegisterValues } from "hemgate/sdk";

/** A power or an energy made from registers that are polled. */
export interface Quantity {
  readonly from: readonly string[];
  /** Null when the registers cannot tell. */
  value(registers: RegisterValues): number | null;
}

export function numberAt(registers: RegisterValues, key: string): number | null {
  const value = registers.get(key);
  return typeof value === "number" ? value : null;
}

/** Sums of scaled values carry binary dust (0.1 + 0.2); no reading has more than fifteen digits. */
export function total(values: readonly number[]): number {
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(15));
}

/** The sum of those that say something: an input without a string of modules stays silent for ever. */
export function sumOfKnown(keys: readonly string[]): Quantity {
  return {
    from: keys,
    value(registers) {
      const values = keys.map((key) => numberAt(registers, key)).filter((value) => value !== null);
      return values.length === 0 ? null : total(values);
    },
  };
}

/** The sum when all are known. A counter made from a part of its parts would jump. */
export function sumOfAll(keys: readonly string[]): Quantity {
  return {
    from: keys,
    value(registers) {
      const values = keys.map((key) => numberAt(registers, key)).filter((value) => value !== null);
      return values.length < keys.length ? null : total(values);
    },
  };
}
