/** Reads and rebuilds a JSON schema at the place of one field. */
import { isObject, type JsonObject, listAt, objectAt, without } from "./json.ts";

/** What a local `$ref` leads to; undefined when it leads nowhere. */
export type Resolve = (ref: string) => JsonObject | undefined;

/** A field as an object's schema has it; null schema: it has none of that name. */
export interface Field {
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/**
 * A copy of the schema in which the field at a path is what `edit` makes of it; undefined takes it away. A shared schema
 * on the way is copied in, so that others who refer to it keep theirs. Every branch of a union that has the field's
 * parent is edited.
 */
export function editField(
  schema: JsonObject,
  path: readonly string[],
  resolve: Resolve,
  edit: (field: Field | undefined) => Field | undefined,
): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const open = inlined(schema, resolve);
  for (const union of ["anyOf", "oneOf", "allOf"]) {
    if (!Array.isArray(open[union])) continue;
    const branches = listAt(open, union).map((branch) =>
      isObject(branch) && isParent(branch, resolve) ? editField(branch, path, resolve, edit) : branch,
    );
    return { ...open, [union]: branches };
  }
  if (!isObject(open["properties"])) return open;
  if (rest.length === 0) return withField(open, key, edit(fieldOf(open, key)));
  const child = open["properties"][key];
  if (!isObject(child)) return open;
  return { ...open, properties: { ...open["properties"], [key]: editField(child, rest, resolve, edit) } };
}

/** Returns a copy of the schema with one of its fields renamed, in each branch of a union that has it. */
export function renameField(schema: JsonObject, from: string, to: string, resolve: Resolve): JsonObject {
  const open = inlined(schema, resolve);
  for (const union of ["anyOf", "oneOf"]) {
    if (!Array.isArray(open[union])) continue;
    const branches = listAt(open, union).map((branch) =>
      isObject(branch) ? renameField(branch, from, to, resolve) : branch,
    );
    return { ...open, [union]: branches };
  }
  const field = fieldOf(open, from);
  return field === undefined ? schema : withField(withField(open, from, undefined), to, field);
}

/** The field at a path; undefined when there is none. */
export function fieldAt(schema: unknown, [key, ...rest]: readonly string[], resolve: Resolve): Field | undefined {
  if (key === undefined || !isObject(schema)) return undefined;
  const open = inlined(schema, resolve);
  for (const branch of [...listAt(open, "anyOf"), ...listAt(open, "oneOf"), ...listAt(open, "allOf")]) {
    const found = fieldAt(branch, [key, ...rest], resolve);
    if (found !== undefined) return found;
  }
  const field = fieldOf(open, key);
  return rest.length === 0 || field === undefined ? field : fieldAt(field.schema, rest, resolve);
}

/** A copy of an enumeration, or of a union with one, that lacks some values. */
export function withoutValues(schema: unknown, values: readonly string[]): unknown {
  if (!isObject(schema)) return schema;
  const keep = (value: unknown): boolean => !values.some((gone) => gone === value);
  return {
    ...schema,
    ...(Array.isArray(schema["enum"]) && { enum: schema["enum"].filter(keep) }),
    ...(Array.isArray(schema["anyOf"]) && { anyOf: schema["anyOf"].map((branch) => withoutValues(branch, values)) }),
  };
}

/** The schema itself, in place of a reference to it. */
export function inlined(schema: JsonObject, resolve: Resolve): JsonObject {
  const ref = schema["$ref"];
  const target = typeof ref === "string" ? resolve(ref) : undefined;
  return target === undefined
    ? schema
    : inlined({ ...without(target, "examples"), ...without(schema, "$ref") }, resolve);
}

function isParent(branch: JsonObject, resolve: Resolve): boolean {
  const open = inlined(branch, resolve);
  return isObject(open["properties"]) || ["anyOf", "oneOf", "allOf"].some((union) => Array.isArray(open[union]));
}

function fieldOf(schema: JsonObject, key: string): Field | undefined {
  const properties = objectAt(schema, "properties");
  if (!Object.hasOwn(properties, key)) return undefined;
  return { schema: properties[key], isRequired: listAt(schema, "required").includes(key) };
}

function withField(schema: JsonObject, key: string, field: Field | undefined): JsonObject {
  const properties = without(objectAt(schema, "properties"), key);
  const required = listAt(schema, "required").filter((name) => name !== key);
  if (field === undefined) return withRequired({ ...schema, properties }, required);
  const names = field.isRequired ? [...required, key] : required;
  return withRequired({ ...schema, properties: { ...properties, [key]: field.schema } }, names);
}

function withRequired(schema: JsonObject, required: readonly unknown[]): JsonObject {
  return required.length === 0 ? without(schema, "required") : { ...schema, required };
}
