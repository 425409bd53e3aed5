/** Reads the API's own description and holds answers against it. */
import type { LightMyRequestResponse } from "fastify";
import { z } from "zod";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { schema: object }>> }>
  >;
}

export interface Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

const METHODS = ["get", "put", "post", "delete", "patch"];

/** Every operation with its method and path. */
export function operationsOf(document: Description): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The operation that a request is for, by the path it names; null when the document has none. */
export function operationFor(document: Description, method: string, url: string): Operation | null {
  const segments = url.split("/");
  const fitting = Object.keys(document.paths).filter((path) => {
    const parts = path.split("/");
    return (
      parts.length === segments.length && parts.every((part, at) => /^\{.*\}$/.test(part) || part === segments[at])
    );
  });
  // A literal segment is a better fit than a parameter, the first that differs decides, as in the router.
  const [best] = fitting.toSorted((a, b) => (wildness(a) < wildness(b) ? -1 : 1));
  const item = best === undefined ? undefined : document.paths[best];
  return item?.[method === "HEAD" ? "get" : method.toLowerCase()] ?? null;
}

function wildness(path: string): string {
  return path.replaceAll(/[^/]+/g, (part) => (part.startsWith("{") ? "1" : "0"));
}

/** Every `$ref` in a document. */
export function refsOf(value: unknown): string[] {
  const refs: string[] = [];
  JSON.stringify(value, (key, child: unknown) => {
    if (key === "$ref") refs.push(String(child));
    return child;
  });
  return refs;
}

/** What a local reference leads to; undefined when it leads nowhere. */
export function follow(document: unknown, ref: string): unknown {
  return ref
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

/** Checkers that were made, by their schema. */
const checkers = new WeakMap<object, z.ZodType>();

/** A checker for a schema of the document, made from the document alone. */
export function checkerOf(document: Description, schema: object): z.ZodType {
  const checker = checkers.get(schema) ?? z.fromJSONSchema(inlined(document, schema) as JsonSchema);
  checkers.set(schema, checker);
  return checker;
}

function inlined(document: Description, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(document, item));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) return inlined(document, follow(document, String(value.$ref)));
  // Zod reads this format as that of a whole URL and would refuse relative ones.
  const entries = Object.entries(value).filter(([key, child]) => key !== "format" || child !== "uri-reference");
  return Object.fromEntries(entries.map(([key, child]) => [key, inlined(document, child)]));
}

/** A problem that the operation does not list under its status. */
export function unlistedProblem(operation: Operation, answer: LightMyRequestResponse): string[] {
  if (!String(answer.headers["content-type"]).startsWith("application/problem+json")) return [];
  const slug = String(answer.json<{ type: string }>().type).replace(/^.*\/problems\//, "");
  const listed = operation.responses[String(answer.statusCode)]?.description ?? "";
  return listed.includes(`\`${slug}\``) ? [] : [`the problem ${slug} is not listed for ${answer.statusCode}`];
}

/** What is wrong with an answer by the description of its operation; empty when nothing is. */
export function faultsOf(document: Description, operation: Operation, answer: LightMyRequestResponse): string[] {
  const declared = operation.responses[String(answer.statusCode)];
  if (declared === undefined) return [`status ${answer.statusCode} is not declared`];
  if (declared.content === undefined) return answer.body === "" ? [] : ["a body that is not declared"];
  const type = String(answer.headers["content-type"]).split(";", 1)[0] ?? "";
  const content = declared.content[type];
  if (content === undefined) return [`type ${type} is not declared for ${answer.statusCode}`];
  const body: unknown = type.endsWith("json") ? answer.json() : answer.body;
  const result = checkerOf(document, content.schema).safeParse(body);
  return result.success ? [] : [z.prettifyError(result.error)];
}
