/** Requests as they are planned: made from the description, valid or spoiled in one way. */
import fc from "fast-check";
import { type Description, follow, type Operation, operationsOf } from "../api/support/description.ts";
import { idOf, JUNK, poolOf, valueFor } from "./values.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
}

interface Described extends Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

/** How a request is spoiled; null: not at all. */
export type Spoiling =
  | { readonly kind: "body-key"; readonly at: number; readonly value: unknown }
  | { readonly kind: "body-drop"; readonly at: number }
  | { readonly kind: "body-extra"; readonly key: string; readonly value: unknown }
  | { readonly kind: "body-whole"; readonly value: unknown }
  | { readonly kind: "body-text"; readonly text: string }
  | { readonly kind: "query"; readonly name: string; readonly value: string }
  | { readonly kind: "path"; readonly at: number; readonly text: string }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "method"; readonly method: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "version"; readonly date: string };

export interface Plan {
  readonly date: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined: none. */
  readonly body: unknown;
  readonly isForm: boolean;
  readonly spoiling: Spoiling | null;
  /** Virtual ms that pass before it. */
  readonly waitMs: number;
}

/** Streams do not end, so that nothing waits for their end here. */
const LEFT_OUT = ["streamEvents"];

const FORM = "application/x-www-form-urlencoded";

/** Plans of one version: mostly reads and changes, seldom what takes things away. */
export function plansOf(document: Description): fc.Arbitrary<Plan> {
  const operations = operationsOf(document).filter(({ operation }) => !LEFT_OUT.includes(operation.operationId ?? ""));
  return fc.oneof(
    ...operations.map((found) => ({
      weight: found.method === "delete" ? 1 : found.method === "get" ? 2 : 5,
      arbitrary: planOf(document, found),
    })),
  );
}

function planOf(
  document: Description,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): fc.Arbitrary<Plan> {
  const described = operation as Described;
  const parameters = (described.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (follow(document, one.$ref) as Parameter),
  );
  const [type, media] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  return fc.record({
    date: fc.constant(document.info.version),
    operationId: fc.constant(operation.operationId ?? ""),
    method: fc.constant(method.toUpperCase()),
    path: fc.constant(path),
    parameters: fieldsOf(document, { path, isPath: true, parameters: parameters.filter((one) => one.in === "path") }),
    query: fieldsOf(document, { path, isPath: false, parameters: parameters.filter((one) => one.in === "query") }),
    body: media === undefined ? fc.constant(undefined) : valueFor(document, media.schema),
    isForm: fc.constant(type === FORM),
    spoiling: fc.option(spoilings(), { freq: 2 }).map((spoiling, index = 0) => (index === 0 ? spoiling : null)),
    waitMs: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 120_000 }) },
    ),
  });
}

interface Placed {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly isPath: boolean;
}

function fieldsOf(document: Description, { path, parameters, isPath }: Placed) {
  const fields = Object.fromEntries(
    parameters.map(({ name, schema = {} }) => {
      const pool = isPath ? poolAt(path, name) : null;
      return [name, pool === null ? valueFor(document, schema, name) : idOf(pool)];
    }),
  );
  const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
  // Each parameter more is one more that may not fit the house: most requests have few.
  const free = Object.keys(fields).filter((name) => !required.includes(name));
  const chosen = fc.subarray(free, { maxLength: Math.min(2, free.length) });
  return fc
    .tuple(fc.record(fields), chosen, fc.nat(2))
    .map(([values, optional, few]) =>
      Object.fromEntries(
        Object.entries(values).filter(([name]) => required.includes(name) || (few === 0 && optional.includes(name))),
      ),
    );
}

/** The kind of thing that a path's parameter names; actions and made-up devices have their kind in the path. */
function poolAt(path: string, name: string): string | null {
  const words = path.split("/");
  if (name === "actionId") return `${words[1]}-action`;
  return name === "simulatedId" ? `simulated-${words[3]}` : poolOf(name);
}

function spoilings(): fc.Arbitrary<Spoiling> {
  const at = fc.nat(20);
  return fc.oneof(
    fc.record({ kind: fc.constant("body-key" as const), at, value: JUNK }),
    fc.record({ kind: fc.constant("body-drop" as const), at }),
    fc.record({ kind: fc.constant("body-extra" as const), key: fc.string({ maxLength: 12 }), value: JUNK }),
    fc.record({ kind: fc.constant("body-whole" as const), value: JUNK }),
    fc.record({
      kind: fc.constant("body-text" as const),
      text: fc.constantFrom("{", "", "null", '{"a":1e999}', '{"__proto__":{}}', "[".repeat(500), "\u0000"),
    }),
    fc.record({
      kind: fc.constant("query" as const),
      name: fc.constantFrom("pageSize", "after", "before", "startDate", "type", "language", "version", "field[]", "x"),
      value: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("-1", "0", "NaN", "Infinity", "1e9", "null", "%")),
    }),
    fc.record({
      kind: fc.constant("path" as const),
      at,
      text: fc.oneof(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("%", "%20", "a%2Fb", "%ff", "%00", "actions", "x".repeat(4_000)),
      ),
    }),
    fc.record({ kind: fc.constant("type" as const), type: fc.constantFrom("text/plain", "application/xml", FORM, "") }),
    fc.record({
      kind: fc.constant("method" as const),
      method: fc.constantFrom("GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"),
    }),
    fc.record({ kind: fc.constant("token" as const), token: fc.constantFrom("", "Bearer x", "Basic eDp5", "Bearer ") }),
    fc.record({
      kind: fc.constant("version" as const),
      date: fc.constantFrom("", "2019-01-01", "latest", "2024-10-01, 2024-10-01", "2023-05-01", "2024-10-01"),
    }),
  );
}
