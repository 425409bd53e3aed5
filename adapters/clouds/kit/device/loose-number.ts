const WITH_UNIT = /^([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)\s*(?:\([^\d()]{0,12}\)|[^\d\s.,()+-][^\d.,()]{0,11})?$/u;

/**
 * The number of a value that vendors write as one or as a text with its unit: `12.3`, `"12.3 kWh"`, `"1234(W)"`. The unit
 * is the caller's to know. Null for everything else: empty, `--`, `N/A`, not finite, a comma that may mean two things.
 */
export function looseNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string") return null;
  const [, digits] = WITH_UNIT.exec(value.trim()) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits);
  return Number.isFinite(number) ? number : null;
}
