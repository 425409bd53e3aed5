/** Writes the TypeScript that asks every operation through a client made of the description, so that types check it. */
import { type Description, type Operation, operationsOf } from "../api/support/description.ts";
import { INPUTS, type WalkInput } from "./walk-inputs.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly $ref?: string;
}

type Described = Operation & { readonly parameters?: readonly Parameter[] };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly operation: Described;
}

/** The module: one step an operation, in the order in which they are to be asked. */
export function walkCode(document: Description, api: string): string {
  const steps = operationsOf(document)
    .map(({ method, path, operation }) => ({ method, path, operation: operation as Described }))
    .toSorted((a, b) => orderOf(a.operation) - orderOf(b.operation));
  const shared = (path: string): readonly Parameter[] =>
    ((document.paths[path] as unknown as { parameters?: Parameter[] }).parameters ?? []).map((parameter) =>
      resolved(document, parameter),
    );
  return [
    `import type { paths } from "./${api}.ts";`,
    'import type { Client } from "openapi-fetch";',
    "type Id = (name: string) => string;",
    "export const STEPS = [",
    ...steps.map(({ method, path, operation }) =>
      step({ method, path, operation }, shared(path), document.info.version),
    ),
    "];",
    "",
  ].join("\n");
}

/** Operations by the id that the newest version gives them. */
function inputOf({ operationId = "" }: Operation): WalkInput {
  return INPUTS[operationId.replace(/Older$/, "")] ?? {};
}

function orderOf(operation: Operation): number {
  return inputOf(operation).order ?? 0;
}

function step({ method, path, operation }: Asked, shared: readonly Parameter[], date: string): string {
  const input = inputOf(operation);
  const parameters = [...shared, ...(operation.parameters ?? [])];
  const ids = Object.fromEntries(
    parameters.filter((one) => one.in === "path").map(({ name }) => [name, input.path?.[name] ?? `{${idName(name)}}`]),
  );
  const header = Object.fromEntries(
    parameters.filter((one) => one.in === "header" && one.required === true).map(({ name }) => [name, "{user}"]),
  );
  const params = {
    ...(Object.keys(ids).length > 0 && { path: ids }),
    ...(input.query !== undefined && { query: queryFor(input.query, parameters) }),
    ...(Object.keys(header).length > 0 && { header }),
  };
  const parsedAs = PARSED_AS[operation.operationId ?? ""];
  const options = [
    `params: ${literal(params)}`,
    ...(input.body === undefined ? [] : [`body: ${literal(bodyFor(input, operation, date))}`]),
    ...(operation.operationId === "createToken" ? [FORM] : []),
    ...(parsedAs === undefined ? [] : [`parseAs: "${parsedAs}"`]),
  ];
  const call = `client.${method.toUpperCase()}(${JSON.stringify(path)}, { ${options.join(", ")} })`;
  const head = JSON.stringify({
    operationId: operation.operationId,
    method,
    path,
    keep: input.keep ?? {},
    may: input.may ?? [],
  });
  return `  { ...${head}, run: (client: Client<paths>, id: Id) => ${call} },`;
}

/** The one operation that takes a form, and other credentials than the token. */
/** Answers that are not JSON. */
const PARSED_AS: Readonly<Record<string, string>> = { streamEvents: "stream", exportHistory: "text" };
const FORM = [
  'body: { grant_type: "client_credentials", client_id: id("clientId"), client_secret: id("clientSecret") }',
  'headers: { "content-type": "application/x-www-form-urlencoded", authorization: null }',
].join(", ");

/** Parameters by the names that the version has for them. */
const OLDER_NAMES: Readonly<Record<string, string>> = {
  type: "targetType",
  id: "targetId",
  locationId: "chargingLocationId",
};

function queryFor(query: Readonly<Record<string, unknown>>, parameters: readonly Parameter[]): object {
  const isThere = (name: string): boolean => parameters.some((one) => one.in === "query" && one.name === name);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [isThere(name) ? name : (OLDER_NAMES[name] ?? name), value]),
  );
}

/** Bodies whose keys have other names before 2023-08-01. */
function bodyFor({ body, olderBody }: WalkInput, operation: Described, date: string): unknown {
  if (olderBody !== undefined && date < olderBody.before) return olderBody.body;
  const text = JSON.stringify(operation);
  if (typeof body !== "object" || body === null || !("locationId" in body) || !text.includes("chargingLocationId"))
    return body;
  const { locationId, ...rest } = body;
  return { ...rest, chargingLocationId: locationId };
}

function resolved(document: Description, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split("/").at(-1);
  const components = document.components as unknown as { parameters: Record<string, Parameter> };
  return name === undefined ? parameter : (components.parameters[name] ?? parameter);
}

function idName(parameter: string): string {
  return parameter.replace(/^chargingL/, "l").replace(/Id$/, "");
}

/** JSON as code, with names in braces looked up when the step runs. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\{(\w+)\}"/g, 'id("$1")');
}
