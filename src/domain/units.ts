/** Numbers are rounded to a thousandth: devices are less precise than that, and rounding errors are far smaller. */
const STEPS_PER_UNIT = 1_000;

/** Converts W to kW, or Wh to kWh, rounded to 1 mW: 1234 becomes 1.234. */
export function kilo(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / (STEPS_PER_UNIT * 1_000) + 0;
}

/** Rounds to three decimals: a float32's 15.899999618530273 becomes 15.9. */
export function threeDecimals(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT + 0;
}

/** As `kilo`; null stays null. */
export function kiloOrNull(value: number | null): number | null {
  return value === null ? null : kilo(value);
}

/** As `threeDecimals`; null stays null. */
export function threeDecimalsOrNull(value: number | null): number | null {
  return value === null ? null : threeDecimals(value);
}
