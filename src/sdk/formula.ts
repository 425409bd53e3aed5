/**
 * Formulas as data: how a value is calculated from others, so that profiles are files that anybody can write and check. A
 * formula with an unknown operand (`null`) is `null`, unless it says otherwise.
 */
import type { ControlPoint, PointValue } from "../points/points.ts";

/** A number, text or boolean of a device; `null` if not known. */
export type FormulaValue = PointValue | string | null;

/** A formula. A number, boolean or text is a constant; a text is a state, never a key. */
export type Formula =
  | number
  | string
  | boolean
  | null
  /** The value under a key. */
  | { readonly of: string }
  /** The setpoint: the value to write, in the point's unit. Only in writes. */
  | { readonly wish: true }
  /** A setting of the device in the configuration, or the profile's default. */
  | { readonly setting: string }
  /** The value last written to a control while the device keeps it, for controls that cannot be read back. */
  | { readonly lastWrite: ControlPoint }
  | { readonly sum: readonly Formula[] }
  /** The sum of the known operands; `null` if none is known. */
  | { readonly sumKnown: readonly Formula[] }
  | { readonly minus: readonly [Formula, Formula] }
  | { readonly times: readonly Formula[] }
  /** `null` if the divisor is 0. */
  | { readonly quotient: readonly [Formula, Formula] }
  | { readonly least: readonly Formula[] }
  | { readonly greatest: readonly Formula[] }
  | { readonly absolute: Formula }
  | { readonly round: Formula }
  | { readonly floor: Formula }
  /** The first known operand. */
  | { readonly first: readonly Formula[] }
  /** The entry of `values` for a value, else `otherwise`. */
  | { readonly lookup: Formula; readonly values: Readonly<Record<string, Formula>>; readonly otherwise: Formula }
  /** `gives` if the condition is true, `otherwise` if it is false, `null` if it is unknown. */
  | { readonly when: Condition; readonly gives: Formula; readonly otherwise: Formula };

/** A condition. It is true, false, or unknown if its operand is `null`. */
export type Condition =
  | { readonly of: Formula; readonly is: number | string | boolean | readonly (number | string | boolean)[] }
  | { readonly of: Formula; readonly atLeast: number }
  | { readonly of: Formula; readonly below: number }
  /** Bit 0 is the lowest. */
  | { readonly of: Formula; readonly hasBit: number }
  | { readonly of: Formula; readonly isKnown: boolean }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** The values for the evaluation of a formula. What is absent counts as `null`. */
export interface FormulaScope {
  value?(key: string): FormulaValue | undefined;
  setting?(name: string): number | null;
  lastWrite?(point: ControlPoint): PointValue | null;
  /** The value to write. */
  readonly setpoint?: PointValue;
}

type Composite = Exclude<Formula, number | string | boolean | null>;

/** Evaluates a formula; `null` if the result is not known. */
export function evaluate(formula: Formula, scope: FormulaScope): FormulaValue {
  if (formula === null || typeof formula !== "object") return formula;
  if ("of" in formula) return scope.value?.(formula.of) ?? null;
  if ("wish" in formula) return scope.setpoint ?? null;
  if ("setting" in formula) return scope.setting?.(formula.setting) ?? null;
  if ("lastWrite" in formula) return scope.lastWrite?.(formula.lastWrite) ?? null;
  if ("first" in formula) return firstKnown(formula.first, scope);
  if ("lookup" in formula) return lookUp(formula, scope);
  if ("when" in formula) {
    const holds = isTrue(formula.when, scope);
    return holds === null ? null : evaluate(holds ? formula.gives : formula.otherwise, scope);
  }
  return calculate(formula, scope);
}

/** Evaluates a formula; `null` if the result is not a finite number. */
export function evaluateNumber(formula: Formula, scope: FormulaScope): number | null {
  const value = evaluate(formula, scope);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Evaluates a condition; `null` if the result is not known. */
export function isTrue(condition: Condition, scope: FormulaScope): boolean | null {
  if ("all" in condition) return every(condition.all.map((each) => isTrue(each, scope)));
  if ("any" in condition) return negated(every(condition.any.map((each) => negated(isTrue(each, scope)))));
  if ("not" in condition) return negated(isTrue(condition.not, scope));
  const value = evaluate(condition.of, scope);
  if ("isKnown" in condition) return (value !== null) === condition.isKnown;
  if (value === null) return null;
  if ("is" in condition) return [condition.is].flat().includes(value);
  if (typeof value !== "number") return null;
  if ("atLeast" in condition) return value >= condition.atLeast;
  if ("below" in condition) return value < condition.below;
  return Math.floor(value / 2 ** condition.hasBit) % 2 === 1;
}

/** Returns the keys that a formula or a condition reads. */
export function formulaKeys(formula: Formula | Condition): readonly string[] {
  if (formula === null || typeof formula !== "object") return [];
  if ("of" in formula && typeof formula.of === "string" && Object.keys(formula).length === 1) return [formula.of];
  const parts: unknown[] = Object.entries(formula).flatMap(([name, part]) =>
    name === "values" ? Object.values(part as object) : name === "is" ? [] : [part].flat(),
  );
  return [...new Set(parts.flatMap((part) => formulaKeys(part as Formula)))];
}

function calculate(formula: Composite, scope: FormulaScope): number | null {
  if ("sumKnown" in formula) {
    const known = formula.sumKnown.map((each) => evaluateNumber(each, scope)).filter((each) => each !== null);
    return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0);
  }
  const numbers = operands(formula).map((each) => evaluateNumber(each, scope));
  if (!numbers.every((each) => each !== null)) return null;
  const [first = 0, second = 0] = numbers;
  if ("sum" in formula) return numbers.reduce((sum, each) => sum + each, 0);
  if ("times" in formula) return numbers.reduce((product, each) => product * each, 1);
  if ("minus" in formula) return first - second;
  if ("quotient" in formula) return second === 0 ? null : first / second;
  if ("least" in formula) return Math.min(...numbers);
  if ("greatest" in formula) return Math.max(...numbers);
  if ("absolute" in formula) return Math.abs(first);
  return "round" in formula ? Math.round(first) : Math.floor(first);
}

function operands(formula: Composite): readonly Formula[] {
  return Object.values(formula).flat() as Formula[];
}

function firstKnown(formulas: readonly Formula[], scope: FormulaScope): FormulaValue {
  for (const formula of formulas) {
    const value = evaluate(formula, scope);
    if (value !== null) return value;
  }
  return null;
}

function lookUp(formula: Extract<Composite, { lookup: unknown }>, scope: FormulaScope): FormulaValue {
  const value = evaluate(formula.lookup, scope);
  if (value === null) return null;
  const found = formula.values[String(value)];
  return evaluate(found === undefined ? formula.otherwise : found, scope);
}

/** Returns false if one part is false, else unknown (`null`) if one is unknown, else true. */
function every(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function negated(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}
