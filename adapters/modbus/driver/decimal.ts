/** Scaling without binary dust: 3 × 0.1 is 0.3. */

/** A decimal number as an integer and a power of ten. */
export interface Decimal {
  readonly digits: number;
  readonly exponent: number;
}

/** Powers of ten up to here are exact as numbers, so that one division rounds correctly. */
const MAX_EXACT_EXPONENT = 22;
const POWERS_OF_TEN: readonly number[] = Array.from({ length: MAX_EXACT_EXPONENT + 1 }, (_, power) => 10 ** power);
/** Digits that survive any arithmetic in a double. */
const SAFE_DIGITS = 15;
/** The least and the most digits that distinguish a float32 from its neighbours. */
const FLOAT32_DIGITS = { min: 6, max: 9 };

/** The shortest decimal that means this number. */
export function decimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const fraction = mantissa.split(".")[1] ?? "";
  return { digits: Number(mantissa.replace(".", "")), exponent: Number(power) - fraction.length };
}

/** raw × factor × 10^tens, rounded once. */
export function scale(raw: number, factor: Decimal, tens = 0): number {
  const exponent = factor.exponent + tens;
  const product = raw * factor.digits;
  const power = POWERS_OF_TEN[Math.abs(exponent)];
  if (power !== undefined && Number.isSafeInteger(product))
    return (exponent < 0 ? product / power : product * power) + 0;
  return Number((raw * factor.digits * 10 ** exponent).toPrecision(SAFE_DIGITS)) + 0;
}

/** The number that a device encoded as a float32: the shortest decimal that has the same float32. */
export function shortestFloat32(value: number): number {
  if (Number.isInteger(value)) return value + 0;
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  for (let digits = FLOAT32_DIGITS.min; digits <= FLOAT32_DIGITS.max; digits++) {
    const power = 10 ** (digits - 1 - magnitude);
    const rounded = Math.round(value * power) / power;
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}
