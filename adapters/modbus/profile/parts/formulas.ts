import type { Formula } from "hemgate/sdk";

/** The sum of registers; those that a device does not have count for nothing. */
export function sumOf(keys: readonly string[]): Formula {
  return { sumKnown: keys.map((of) => ({ of })) };
}

/** What was taken less what was given back, each counted as positive by its own register. */
export function difference(plus: string, minus: string): Formula {
  return { minus: [{ of: plus }, { of: minus }] };
}
