/** The schemas of formulas and conditions, which hold each other. */
import { z } from "zod";
import { CONTROL_POINTS } from "../../points/points.ts";
import type { Condition, Formula } from "../../sdk/formula.ts";
import { nearest } from "../nearest.ts";
import { isMap, keys, picked } from "./picked.ts";

const Constant = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** What a point is made of, or what a write sends. */
export const FormulaSchema: z.ZodType<Formula> = z.lazy(() => picked<Formula>(chooseFormula));
/** A condition: true, false, or `null` if it cannot be decided. */
export const ConditionSchema: z.ZodType<Condition> = z.lazy(() => picked<Condition>(chooseCondition));

const Formulas = z.array(FormulaSchema).min(1);
const Pair = z.tuple([FormulaSchema, FormulaSchema]);

const FORMULAS = {
  of: keys({ of: z.string().min(1) }),
  wish: keys({ wish: z.literal(true) }),
  setting: keys({ setting: z.string().min(1) }),
  lastWrite: keys({ lastWrite: z.enum(CONTROL_POINTS) }),
  sum: keys({ sum: Formulas }),
  sumKnown: keys({ sumKnown: Formulas }),
  minus: keys({ minus: Pair }),
  times: keys({ times: Formulas }),
  quotient: keys({ quotient: Pair }),
  least: keys({ least: Formulas }),
  greatest: keys({ greatest: Formulas }),
  absolute: keys({ absolute: FormulaSchema }),
  round: keys({ round: FormulaSchema }),
  floor: keys({ floor: FormulaSchema }),
  first: keys({ first: Formulas }),
  lookup: keys({ lookup: FormulaSchema, values: z.record(z.string(), FormulaSchema), otherwise: FormulaSchema }),
  when: keys({ when: ConditionSchema, gives: FormulaSchema, otherwise: FormulaSchema }),
} as const satisfies Record<string, z.ZodType<Formula>>;

const FORMULA_NAMES = Object.keys(FORMULAS);

function chooseFormula(value: unknown): z.ZodType<Formula> | string {
  if (Array.isArray(value)) return "a list is no formula; say what becomes of it, such as { sum: [ … ] }";
  if (!isMap(value)) return Constant;
  const name = Object.keys(FORMULAS).find((each): each is keyof typeof FORMULAS => each in value);
  if (name !== undefined) return FORMULAS[name];
  return noneOf("formula", value, FORMULA_NAMES);
}

const IsOneOf = z.union([z.number(), z.string(), z.boolean()]);

const TESTS = {
  is: keys({ of: FormulaSchema, is: z.union([IsOneOf, z.array(IsOneOf).min(1)]) }),
  atLeast: keys({ of: FormulaSchema, atLeast: z.number() }),
  below: keys({ of: FormulaSchema, below: z.number() }),
  hasBit: keys({ of: FormulaSchema, hasBit: z.int().min(0).max(63) }),
  isKnown: keys({ of: FormulaSchema, isKnown: z.boolean() }),
  all: keys({ all: z.array(ConditionSchema).min(1) }),
  any: keys({ any: z.array(ConditionSchema).min(1) }),
  not: keys({ not: ConditionSchema }),
} as const satisfies Record<string, z.ZodType<Condition>>;

function chooseCondition(value: unknown): z.ZodType<Condition> | string {
  if (!isMap(value)) return "a condition is a map, such as { of: { of: raw.state }, is: 3 }";
  const name = Object.keys(TESTS).find((each): each is keyof typeof TESTS => each in value);
  return name === undefined ? noneOf("condition", value, Object.keys(TESTS)) : TESTS[name];
}

function noneOf(what: string, value: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const found = Object.keys(value).filter((key) => what === "formula" || key !== "of");
  const hint = found.map((key) => nearest(key, names)).find((each) => each !== null) ?? null;
  const suggestion = hint === null ? "" : `; did you mean "${hint}"?`;
  return `no ${what}${found.length === 0 ? "" : ` is called "${found.join('", "')}"`}; expected one of ${names.join(", ")}${suggestion}`;
}
