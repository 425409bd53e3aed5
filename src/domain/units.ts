/** The step that numbers are rounded to: the device's own noise is coarser, float dust is finer. */
const STEPS_PER_UNIT = 1_000;

/** W to kW, or Wh to kWh, to the milliwatt: 1234 becomes 1.234 without float dust. */
export function kilo(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / (STEPS_PER_UNIT * 1_000) + 0;
}

/** The same unit to three decimals: a float32's 15.899999618530273 becomes 15.9. */
export function tidy(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT + 0;
}

/** `kilo` of a value that may be unknown. */
export function kiloOrNull(value: number | null): number | null {
  return value === null ? null : kilo(value);
}

/** `tidy` of a value that may be unknown. */
export function tidyOrNull(value: number | null): number | null {
  return value === null ? null : tidy(value);
}
