/** A value that the API shows, beside what it really was lately. */
export interface ShownValue {
  readonly what: string;
  /** As the API says it; null: it says that it cannot tell. */
  readonly shown: number | string | boolean | null;
  /** What it really was at each moment that the shown value may stem from; null: it could not be told. */
  readonly recently: readonly (number | string | boolean | null)[];
  /** How far a number may be off: rounding in registers. */
  readonly tolerance: number;
}

/** With no fault about, the API shows what is so: the right number and the right sign. */
export function truthBreaches(values: readonly ShownValue[]): readonly string[] {
  return values
    .filter((value) => !isTrue(value))
    .map(({ what, shown, recently }) => {
      return `${what} is shown as ${shown}, it was ${describe(recently)}`;
    });
}

function isTrue({ shown, recently, tolerance }: ShownValue): boolean {
  if (typeof shown !== "number") return recently.some((real) => real === shown);
  const numbers = recently.filter((real) => typeof real === "number");
  if (numbers.length === 0) return false;
  return shown >= Math.min(...numbers) - tolerance && shown <= Math.max(...numbers) + tolerance;
}

function describe(recently: ShownValue["recently"]): string {
  const numbers = recently.filter((real) => typeof real === "number");
  if (numbers.length === 0) return [...new Set(recently)].join(" or ");
  return `between ${Math.min(...numbers)} and ${Math.max(...numbers)}`;
}
