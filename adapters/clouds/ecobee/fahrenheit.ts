/** Below and above these no home is: sentinels such as -5002 stand outside, tenths of °F. */
const PLAUSIBLE = { min: -400, max: 2_000 };

/** °C of tenths of °F; null for a sentinel. */
export function celsiusOf(tenths: number | null): number | null {
  if (tenths === null || tenths < PLAUSIBLE.min || tenths > PLAUSIBLE.max) return null;
  return Number((((tenths / 10 - 32) * 5) / 9).toFixed(3));
}

export function tenthsOf(celsius: number): number {
  return Math.round(((celsius * 9) / 5 + 32) * 10);
}
