import { z } from "zod";
import type { Adapter } from "../sdk/driver.ts";
import { configSchema } from "./config.ts";
import type { ConfigPath } from "./mistake.ts";

export type SchemaNode = z.core.JSONSchema.JSONSchema;

/** The configuration's JSON Schema, as editors complete and check a file with it. */
export function configJsonSchema(adapters: readonly Adapter[]): SchemaNode {
  // Draft 7 is the newest draft that the YAML language server follows whole.
  const schema = z.toJSONSchema(configSchema(adapters), { io: "input", target: "draft-7", unrepresentable: "any" });
  return { ...schema, title: "Configuration of hemgate" };
}

/** The schema of what stands at `path` in `value`, or null when the schema knows no such place. */
export function schemaAt(root: SchemaNode, value: unknown, path: ConfigPath): SchemaNode | null {
  let node = chosen(root, value);
  let here = value;
  for (const part of path) {
    here = childOf(here, part);
    const child: unknown = typeof part === "number" ? node.items : propertyOf(node, part);
    if (!isNode(child)) return null;
    node = chosen(child, here);
  }
  return node;
}

/** What a place takes, in words: `a whole number from 0 to 65535 (TCP port; 0 takes any free one)`. */
export function expectedText(node: SchemaNode): string {
  const kind = kindText(node);
  if (node.description === undefined) return kind;
  return `${kind} (${node.description.replace(/\.$/, "")})`;
}

/** The values that a place takes when it takes one of a few. */
export function allowedValues(node: SchemaNode): readonly string[] {
  if (node.enum !== undefined) return node.enum.map(String);
  if (node.const !== undefined) return [String(node.const)];
  return alternatives(node).flatMap(allowedValues);
}

/** Whether a value is a map, as a node of a schema and a section of a configuration are. */
export function isNode(value: unknown): value is SchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function childOf(value: unknown, part: string | number): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
}

function alternatives(node: SchemaNode): readonly SchemaNode[] {
  return node.oneOf ?? node.anyOf ?? [];
}

/** Of a node with alternatives (one a device's adapter), the one whose constants the value has. */
function chosen(node: SchemaNode, value: unknown): SchemaNode {
  const match = alternatives(node).find((option) =>
    Object.entries(option.properties ?? {}).some(
      ([key, child]) => isNode(child) && child.const !== undefined && child.const === childOf(value, key),
    ),
  );
  return match ?? node;
}

/** A key's schema; of a node whose alternative nobody knows, whatever any alternative takes there. */
function propertyOf(node: SchemaNode, key: string): SchemaNode | null {
  const own = node.properties?.[key];
  if (isNode(own)) return own;
  const any = alternatives(node)
    .map((option) => propertyOf(option, key))
    .filter((child) => child !== null);
  return any.length === 0 ? null : { anyOf: any };
}

function kindText(node: SchemaNode): string {
  const values = allowedValues(node);
  if (values.length > 0) return values.length === 1 ? `"${values[0]}"` : `one of ${values.join(", ")}`;
  switch (node.type) {
    case "integer":
      return `a whole number${rangeText(node)}`;
    case "number":
      return `a number${rangeText(node)}`;
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a map";
    case "string":
      return node.minLength === 1 ? "text that is not empty" : "text";
    default:
      return alternatives(node).map(kindText)[0] ?? "something else";
  }
}

function rangeText(node: SchemaNode): string {
  const low = usefulLimit(node.minimum);
  const high = usefulLimit(node.maximum);
  if (low !== null && high !== null) return ` from ${low} to ${high}`;
  if (low !== null) return ` of at least ${low}`;
  return high === null ? "" : ` of at most ${high}`;
}

/** Zod writes the ends of the safe integers for a number without limits; they tell nobody anything. */
function usefulLimit(limit: number | undefined): number | null {
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? null : limit;
}
