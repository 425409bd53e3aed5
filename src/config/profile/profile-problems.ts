/** What no shape tells: whether the parts of a profile fit together. */
import { type Condition, evaluateNumber, type Formula, formulaKeys } from "../../sdk/formula.ts";
import { DEVICE_PARTS, partsOf } from "../../sdk/parts.ts";
import {
  type DeviceProfile,
  type PlateField,
  type ProfileControl,
  type ProfilePoint,
  type RegisterField,
  registerWords,
  type WriteRecipe,
} from "../../sdk/profile.ts";
import type { ConfigPath } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import { isPoint, statesOf, valueProblem } from "./point-tables.ts";

export interface ProfileProblem {
  readonly path: ConfigPath;
  readonly problem: string;
}

/** Everything that contradicts itself, with where it stands. */
export function profileProblems(profile: DeviceProfile): readonly ProfileProblem[] {
  const { points, derived, controls, identity = {}, fingerprint, limits } = profile;
  return [
    ...points.flatMap((point, index) => pointProblems(point, ["points", index], profile)),
    ...Object.entries(identity).flatMap(([key, field]) => plateProblems(field, ["identity", key], limits)),
    ...(identity.serial !== undefined && profile.noSerial !== undefined
      ? [{ path: ["noSerial"], problem: "identity.serial says where the serial number is; it can be only one of both" }]
      : []),
    ...(fingerprint?.checks ?? []).flatMap((field, index) =>
      fieldProblems(field, ["fingerprint", "checks", index], limits),
    ),
    ...repeated(points.map(({ key }) => key)).map((index) => ({
      path: ["points", index, "key"],
      problem: "another point has this key already",
    })),
    ...derived.flatMap(({ point, value }, index) => [
      ...(points.some(({ key }) => key === point)
        ? [{ path: ["derived", index, "point"], problem: `${point} is read as well; it can be only one of both` }]
        : []),
      ...formulaProblems(value, ["derived", index, "value"], profile),
      ...resultsOf(value).flatMap((result) => wrong(["derived", index, "value"], valueProblem(point, result))),
    ]),
    ...partProblems(profile),
    ...settingProblems(profile),
    ...controls.flatMap((control, index) => controlProblems(control, ["controls", index], profile)),
    ...repeated(controls.map(({ point }) => point)).map((index) => ({
      path: ["controls", index, "point"],
      problem: "another control sets this point already",
    })),
  ];
}

function wrong(path: ConfigPath, problem: string | null): readonly ProfileProblem[] {
  return problem === null ? [] : [{ path, problem }];
}

/** The places of what stood in the list before. */
function repeated(values: readonly string[]): readonly number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

function fieldProblems(field: RegisterField, path: ConfigPath, limits: DeviceProfile["limits"]): ProfileProblem[] {
  const words = registerWords(field);
  if (words === 0) return [{ path, problem: "text needs its length in registers (words)" }];
  const found: ProfileProblem[] = [];
  if (field.type !== "string" && field.words !== undefined && field.words !== words) {
    found.push({ path: [...path, "words"], problem: `${field.type} has ${words}; leave this out for numbers` });
  }
  if (words > limits.maxRegisters) {
    found.push({ path, problem: `its ${words} registers are more than limits.maxRegisters, ${limits.maxRegisters}` });
  }
  if (field.address + words > 65_536)
    found.push({ path: [...path, "address"], problem: "it ends beyond register 65535" });
  const isBits = field.table === "coil" || field.table === "discrete";
  if (isBits && field.type !== "uint16") {
    found.push({ path: [...path, "type"], problem: `a ${field.table} is one bit; its type is uint16` });
  }
  if (field.scale === 0) found.push({ path: [...path, "scale"], problem: "a scale of 0 makes every value 0" });
  return found;
}

function plateProblems(
  { block, ...field }: PlateField,
  path: ConfigPath,
  limits: DeviceProfile["limits"],
): readonly ProfileProblem[] {
  if (block === undefined) return fieldProblems(field, path, limits);
  const found = fieldProblems(field, path, { ...limits, maxRegisters: block.words });
  const isInside =
    field.address >= block.address && field.address + registerWords(field) <= block.address + block.words;
  if (!isInside) found.push({ path: [...path, "block"], problem: `it does not hold register ${field.address}` });
  return [...found, ...fieldProblems({ ...field, ...block, type: "string" }, [...path, "block"], limits)];
}

function pointProblems(point: ProfilePoint, path: ConfigPath, profile: DeviceProfile): readonly ProfileProblem[] {
  const { key, states, scaleFrom, type } = point;
  const found = fieldProblems(point, path, profile.limits);
  if (scaleFrom !== undefined && !profile.points.some((each) => each.key === scaleFrom)) {
    found.push({
      path: [...path, "scaleFrom"],
      problem: `no point has the key ${scaleFrom}${suggestionFor(scaleFrom, profile)}`,
    });
  }
  if (!isPoint(key)) return found;
  const isState = statesOf(key) !== null;
  if (isState && states === undefined) {
    found.push({ path, problem: `${key} is ${statesOf(key)?.join(", ")}; say with states what each raw value means` });
  }
  if (!isState && type === "string") found.push({ path: [...path, "type"], problem: `${key} is a number, not text` });
  for (const [raw, value] of Object.entries(states?.values ?? {})) {
    if (value !== null) found.push(...wrong([...path, "states", "values", raw], valueProblem(key, value)));
  }
  const otherwise = states?.otherwise ?? null;
  if (otherwise !== null) found.push(...wrong([...path, "states", "otherwise"], valueProblem(key, otherwise)));
  return found;
}

function partProblems(profile: DeviceProfile): readonly ProfileProblem[] {
  const { parts = {}, points, derived } = profile;
  const own = partsOf([...points.map(({ key }) => key), ...derived.map(({ point }) => point)]);
  return DEVICE_PARTS.flatMap((part) => {
    const rule = parts[part];
    if (rule === undefined) return [];
    const path = ["parts", part];
    if (!own.includes(part)) return [{ path, problem: `no point of this profile begins with ${part}.` }];
    return rule === "always" ? [] : formulaProblems(rule.when, [...path, "when"], profile);
  });
}

function settingProblems({ settings = {} }: DeviceProfile): readonly ProfileProblem[] {
  return Object.entries(settings).flatMap(([name, { min, max, default: usual }]) => {
    const path = ["settings", name];
    if (min > max) return [{ path: [...path, "min"], problem: `it is more than max, ${max}` }];
    const isOutside = usual !== undefined && (usual < min || usual > max);
    return isOutside ? [{ path: [...path, "default"], problem: `it is not from ${min} to ${max}` }] : [];
  });
}

/** Keys that are not read, and settings that are not there. */
function formulaProblems(
  formula: Formula | Condition,
  path: ConfigPath,
  profile: DeviceProfile,
): readonly ProfileProblem[] {
  const keys = new Set<string>(profile.points.map(keyInFormulas));
  const unknown = formulaKeys(formula).filter((key) => !keys.has(key));
  const settings = Object.keys(profile.settings ?? {});
  const unset = settingsIn(formula).filter((name) => !settings.includes(name));
  return [
    ...unknown.map((key) => ({
      path,
      problem: `it is made from ${key}, which is not read${suggestionFor(key, profile)}`,
    })),
    ...unset.map((name) => {
      const near = nearest(name, settings);
      return { path, problem: `there is no setting ${name}${near === null ? "" : `; did you mean "${near}"?`}` };
    }),
  ];
}

/** A state has a separate name, so that formulas see what the register holds. */
function keyInFormulas({ key, states }: ProfilePoint): string {
  return states === undefined ? key : `raw.${key}`;
}

function suggestionFor(key: string, { points }: DeviceProfile): string {
  const near = nearest(key, points.map(keyInFormulas));
  return near === null ? "" : `; did you mean "${near}"?`;
}

function settingsIn(what: unknown): readonly string[] {
  if (Array.isArray(what)) return what.flatMap(settingsIn);
  if (typeof what !== "object" || what === null) return [];
  if ("setting" in what) return [String(what.setting)];
  return Object.values(what).flatMap(settingsIn);
}

/** The texts and switches that a formula may come to. */
function resultsOf(formula: Formula): readonly (string | boolean)[] {
  if (typeof formula === "string" || typeof formula === "boolean") return [formula];
  if (typeof formula !== "object" || formula === null) return [];
  if ("gives" in formula) return [formula.gives, formula.otherwise].flatMap(resultsOf);
  if ("lookup" in formula) return [...Object.values(formula.values), formula.otherwise].flatMap(resultsOf);
  return "first" in formula ? formula.first.flatMap(resultsOf) : [];
}

function controlProblems(control: ProfileControl, path: ConfigPath, profile: DeviceProfile): readonly ProfileProblem[] {
  const { point, range, safeDefault, write, hold } = control;
  const isState = statesOf(point) !== null;
  const found: ProfileProblem[] = [];
  if (safeDefault !== null && safeDefault !== "as-found") {
    found.push(...wrong([...path, "safeDefault"], valueProblem(point, safeDefault)));
  }
  if (range !== undefined) found.push(...rangeProblems(range, [...path, "range"], profile));
  if (!isState && range === undefined && "steps" in write) {
    found.push({ path, problem: `${point} is a number and needs a range, or cases, one a value` });
  }
  if (isState && "steps" in write) {
    found.push({ path: [...path, "write"], problem: `${point} is a state and needs cases, one a value` });
  }
  const recipes: readonly (readonly [readonly string[], WriteRecipe])[] = [
    [["write"], write],
    ...(hold?.write === undefined ? [] : [[["hold", "write"], hold.write] as const]),
  ];
  for (const [name, recipe] of recipes) found.push(...recipeProblems(point, recipe, [...path, ...name], profile));
  if (hold?.shows !== undefined) found.push(...formulaProblems(hold.shows, [...path, "hold", "shows"], profile));
  return found;
}

/** A range is known before anything is read, with the defaults of the settings too. */
function rangeProblems(
  range: NonNullable<ProfileControl["range"]>,
  path: ConfigPath,
  profile: DeviceProfile,
): readonly ProfileProblem[] {
  const setting = (name: string): number | null => profile.settings?.[name]?.default ?? null;
  const ends = (["min", "max"] as const).flatMap((end): readonly ProfileProblem[] => {
    const problem = "a range is made of numbers and settings only";
    const isRead = formulaKeys(range[end]).length > 0 || typeof range[end] === "string";
    return [...formulaProblems(range[end], [...path, end], profile), ...wrong([...path, end], isRead ? problem : null)];
  });
  const [min, max] = [evaluateNumber(range.min, { setting }), evaluateNumber(range.max, { setting })];
  const isTurned = min !== null && max !== null && min > max;
  return isTurned ? [...ends, { path, problem: "min is above max" }] : ends;
}

function recipeProblems(
  point: ProfileControl["point"],
  recipe: WriteRecipe,
  path: ConfigPath,
  profile: DeviceProfile,
): readonly ProfileProblem[] {
  const all =
    "steps" in recipe
      ? [{ steps: recipe.steps, at: [...path, "steps"] }]
      : recipe.cases.map(({ steps }, index) => ({ steps, at: [...path, "cases", index, "steps"] }));
  const values = "cases" in recipe ? recipe.cases.map(({ value }) => value) : [];
  return [
    ...values.flatMap((value, index) => wrong([...path, "cases", index, "value"], valueProblem(point, value))),
    ...repeated(values.map(String)).map((index) => ({
      path: [...path, "cases", index, "value"],
      problem: "another case is for this value already",
    })),
    ...all.flatMap(({ steps, at }) =>
      steps.flatMap((step, index) => [
        ...(step.code !== 16 && (step.fields.length > 1 || step.fields.some((field) => registerWords(field) > 1))
          ? [{ path: [...at, index, "code"], problem: `function ${step.code} writes one register; take 16 for more` }]
          : []),
        ...(step.when === undefined ? [] : formulaProblems(step.when, [...at, index, "when"], profile)),
        ...step.fields.flatMap(({ value }, field) =>
          formulaProblems(value, [...at, index, "fields", field, "value"], profile),
        ),
      ]),
    ),
  ];
}
