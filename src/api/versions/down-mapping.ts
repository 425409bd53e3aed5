/** Makes, of a schema and what is different in an older version, the function that maps a value of that schema. */
import type { FieldChange } from "./field-change.ts";
import { isObject, type JsonObject, listAt, mapValues, objectAt } from "./json.ts";
import { inlined, type Resolve } from "./schema-path.ts";
import type { VersionStep } from "./step.ts";

const SCHEMA_REF = "#/components/schemas/";

/** Null stands for "as it is". */
export type Down = ((value: unknown) => unknown) | null;

/** By the name of the newer version's schema. */
export type RecordChanges = Readonly<Record<string, readonly FieldChange[]>>;

/** Compiles mappings of values: once a schema, so that mapping an answer looks nothing up. */
export function createDownCompiler(
  resolve: Resolve,
  { records, lacksTypes = [] }: Pick<VersionStep, "records" | "lacksTypes">,
): (schema: unknown) => Down {
  const lacking = new Set(lacksTypes.map((name) => SCHEMA_REF + name));
  const named = new Map<string, Down>();

  const compileNamed = (ref: string): Down => {
    const known = named.get(ref);
    if (known !== undefined) return known;
    // A record inside itself is mapped by the mapping that is being made.
    named.set(ref, (value) => named.get(ref)?.(value) ?? value);
    const inner = compile(resolve(ref));
    const own = records[ref.slice(ref.lastIndexOf("/") + 1)] ?? [];
    const down: Down = own.length === 0 ? inner : (value) => applyAll(own, inner === null ? value : inner(value));
    named.set(ref, down);
    return down;
  };

  const compile = (schema: unknown): Down => {
    if (!isObject(schema)) return null;
    if (typeof schema["$ref"] === "string") return compileNamed(schema["$ref"]);
    const unions = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
    if (unions.length > 0) return downOfUnion(unions, { compile, resolve, lacking });
    const parts = listAt(schema, "allOf").map(compile);
    return inOrder([...parts, downOfObject(schema, compile), downOfList(compile(schema["items"]))]);
  };
  return compile;
}

function applyAll(changes: readonly FieldChange[], value: unknown): unknown {
  return isObject(value) ? changes.reduce((record, change) => change.down(record), value) : value;
}

interface UnionContext {
  readonly compile: (schema: unknown) => Down;
  readonly resolve: Resolve;
  readonly lacking: ReadonlySet<unknown>;
}

/** The names of the schemas that a value is of: of those a schema refers to, and in a union of the branch that it fits. */
export function recordNames(schema: unknown, value: unknown, resolve: Resolve): readonly string[] {
  if (!isObject(schema)) return [];
  const ref = schema["$ref"];
  if (typeof ref === "string") {
    return [ref.slice(ref.lastIndexOf("/") + 1), ...recordNames(resolve(ref), value, resolve)];
  }
  const unions = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  return recordNames(
    unions.find((branch) => fits(branch, value, resolve)),
    value,
    resolve,
  );
}

/** A value of a branch that the older version lacks becomes undefined. */
function downOfUnion(branches: readonly unknown[], { compile, resolve, lacking }: UnionContext): Down {
  const choices = branches.map((schema) => {
    const isLacking = isObject(schema) && lacking.has(schema["$ref"]);
    return { schema, isLacking, down: compile(schema) };
  });
  if (choices.every(({ down, isLacking }) => down === null && !isLacking)) return null;
  return (value) => {
    const chosen = choices.find(({ schema }) => fits(schema, value, resolve));
    if (chosen?.isLacking === true) return undefined;
    return chosen?.down ? chosen.down(value) : value;
  };
}

function downOfObject(schema: JsonObject, compile: (schema: unknown) => Down): Down {
  const fields = Object.entries(objectAt(schema, "properties")).flatMap(([key, child]) => {
    const down = compile(child);
    return down === null ? [] : [{ key, down }];
  });
  const others = compile(schema["additionalProperties"]);
  if (others !== null) return (value) => (isObject(value) ? mapValues(value, others) : value);
  if (fields.length === 0) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const mapped: Record<string, unknown> = { ...value };
    for (const { key, down } of fields) if (Object.hasOwn(value, key)) mapped[key] = down(value[key]);
    return mapped;
  };
}

function downOfList(item: Down): Down {
  return item === null
    ? null
    : (value) => (Array.isArray(value) ? value.map(item).filter((one) => one !== undefined) : value);
}

function inOrder(downs: readonly Down[]): Down {
  const real = downs.filter((down) => down !== null);
  if (real.length === 0) return null;
  return (value) => real.reduce((mapped, down) => down(mapped), value);
}

/** Whether a value can be one of a union's branch: by type, constants and the keys it must have. */
function fits(schema: unknown, value: unknown, resolve: Resolve): boolean {
  if (!isObject(schema)) return true;
  const open = inlined(schema, resolve);
  const unions = [...listAt(open, "anyOf"), ...listAt(open, "oneOf")];
  if (unions.length > 0) return unions.some((branch) => fits(branch, value, resolve));
  if ("const" in open && open["const"] !== value) return false;
  if (Array.isArray(open["enum"]) && !open["enum"].includes(value)) return false;
  const types = [open["type"] ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  if (!isObject(value)) return true;
  return (
    listAt(open, "required").every((key) => typeof key === "string" && Object.hasOwn(value, key)) &&
    Object.entries(objectAt(open, "properties")).every(
      ([key, child]) => !Object.hasOwn(value, key) || fits(child, value[key], resolve),
    )
  );
}

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
