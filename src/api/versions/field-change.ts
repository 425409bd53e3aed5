/**
 * What is different about a record's fields in an older version. Each kind of difference is said once and does three
 * things: it maps a record of the newer version, it rebuilds the record's schema, and it renames the paths that an event
 * lists as changed.
 */
import { z } from "zod";
import { tidySchema } from "../openapi/schema-tidying.ts";
import { type JsonObject, putAt, valueAt, without } from "./json.ts";
import { editField, type Field, fieldAt, type Resolve } from "./schema-path.ts";

export interface FieldChange {
  /** The record as the older version has it. */
  down(record: JsonObject): JsonObject;
  /** The schema as the older version has it. */
  schema(schema: JsonObject, resolve: Resolve): JsonObject;
  /** The older record's fields that a path in the newer one stands for; none when the older has no such field. */
  paths(path: string): readonly string[];
}

/** The older version lacks the field. */
export function lacks(field: string): FieldChange {
  const path = field.split(".");
  return {
    down: (record) => putAt(record, path, undefined),
    schema: (schema, resolve) => editField(schema, path, resolve, () => undefined),
    paths: (changed) => (isWithin(changed, field) ? [] : [changed]),
  };
}

/** The older version has the newer's field under another path. */
export function moved(newer: string, older: string): FieldChange {
  const from = newer.split(".");
  const to = older.split(".");
  return {
    down: (record) => {
      const value = valueAt(record, from);
      return value === undefined ? record : putAt(putAt(record, from, undefined), to, value);
    },
    schema: (schema, resolve) => {
      const field = fieldAt(schema, from, resolve);
      if (field === undefined) return schema;
      const rest = editField(schema, from, resolve, () => undefined);
      return editField(rest, to, resolve, () => field);
    },
    paths: (changed) => [isWithin(changed, newer) ? older + changed.slice(newer.length) : changed],
  };
}

/** The older version has a field that the newer lacks. It changes with the newer's field `source`. */
export function had(
  field: string,
  type: z.ZodType,
  from: (record: JsonObject) => unknown,
  source: string | null = null,
): FieldChange {
  const path = field.split(".");
  return {
    down: (record) => putAt(record, path, from(record)),
    schema: (schema, resolve) => editField(schema, path, resolve, () => ({ schema: schemaOf(type), isRequired: true })),
    paths: (changed) => (changed === source ? [changed, field] : [changed]),
  };
}

/** The field means the same and takes other values in the older version. Undefined leaves the field out there. */
export function was(
  field: string,
  from: (value: unknown, record: JsonObject) => unknown,
  edit: (field: Field) => Field = (same) => same,
): FieldChange {
  const path = field.split(".");
  return {
    down: (record) => {
      const value = valueAt(record, path);
      return value === undefined ? record : putAt(record, path, from(value, record));
    },
    schema: (schema, resolve) => editField(schema, path, resolve, (found) => (found ? edit(found) : undefined)),
    paths: (changed) => [changed],
  };
}

/** A Zod type as a description has it. */
export function schemaOf(type: z.ZodType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, override: tidySchema, reused: "inline" });
  return without(schema, "id");
}

function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
