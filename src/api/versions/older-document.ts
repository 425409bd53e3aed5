/** The description of an older version, made of the next newer one's. */
import { PROBLEMS, type ProblemSlug } from "../../domain/problem.ts";
import { PROBLEM_TYPE } from "../answers.ts";
import { createDownCompiler } from "./down-mapping.ts";
import { schemaOf } from "./field-change.ts";
import { isObject, type JsonObject, listAt, mapValues, objectAt, without } from "./json.ts";
import { matchRoute } from "./route-table.ts";
import { inlined, type Resolve } from "./schema-path.ts";
import type { AnswerChange, RouteChange } from "./step.ts";
import type { Step } from "./translation.ts";

/** What a problem's response holds in every description. */
const PROBLEM_CONTENT = { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } };

export const HTTP_METHODS: readonly string[] = ["get", "put", "post", "delete", "patch"];

/** Follows references inside a document. */
export function resolverOf(document: JsonObject): Resolve {
  return (ref) => {
    const [top = "", group = "", name = ""] = ref.replace(/^#\//, "").split("/");
    const found = objectAt(objectAt(document, top), group)[name];
    return isObject(found) ? found : undefined;
  };
}

/** The document of the version that the step makes. References that nobody uses any more stay. */
export function olderDocument(document: JsonObject, step: Step): JsonObject {
  const components = objectAt(document, "components");
  const schemas = olderSchemas(document, step);
  const resolve = resolverOf({ components: { ...components, schemas } });
  const lacking = new Set((step.says.lacksTypes ?? []).map((name) => `#/components/schemas/${name}`));
  return {
    ...document,
    paths: withoutTypes(olderPaths(document, step, resolve), lacking),
    components: { ...components, schemas: withoutTypes(schemas, lacking) },
  };
}

/** A copy in which no union has a branch of these. */
function withoutTypes(value: JsonObject, lacking: ReadonlySet<string>): JsonObject {
  if (lacking.size === 0) return value;
  const isLacking = (branch: unknown): boolean => isObject(branch) && lacking.has(String(branch["$ref"]));
  const text = JSON.stringify({ value }, (_key, child: unknown) => {
    if (!isObject(child)) return child;
    const union = ["anyOf", "oneOf"].find((name) => listAt(child, name).some(isLacking));
    if (union === undefined) return child;
    const branches = listAt(child, union).filter((branch) => !isLacking(branch));
    const [only] = branches;
    return branches.length === 1 && isObject(only)
      ? { ...without(child, union), ...only }
      : { ...child, [union]: branches };
  });
  return objectAt(JSON.parse(text), "value");
}

function olderSchemas(document: JsonObject, { says }: Step): JsonObject {
  const resolve = resolverOf(document);
  const compile = createDownCompiler(resolve, says);
  return mapValues(objectAt(objectAt(document, "components"), "schemas"), (schema, name) => {
    if (!isObject(schema)) return schema;
    const down = compile({ $ref: `#/components/schemas/${name}` });
    const changed = (says.records[name] ?? []).reduce((older, change) => change.schema(older, resolve), schema);
    const examples = listAt(schema, "examples");
    return examples.length === 0 || down === null ? changed : { ...changed, examples: examples.map(down) };
  });
}

interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
}

function olderPaths(document: JsonObject, step: Step, resolve: Resolve): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    const shared = isObject(item) ? Object.entries(item).filter(([key]) => !HTTP_METHODS.includes(key)) : [];
    for (const method of HTTP_METHODS) {
      const operation = objectAt(item, method);
      if (Object.keys(operation).length === 0) continue;
      for (const older of olderRoutes({ path, method, operation }, step, resolve)) {
        paths[older.path] = { ...Object.fromEntries(shared), ...paths[older.path], [older.method]: older.operation };
      }
    }
  }
  return paths;
}

/** Returns the older version's routes for a route of the newer one: none, the same, or other paths. */
function olderRoutes(route: Route, { says, lacks }: Step, resolve: Resolve): readonly Route[] {
  const key = `${route.method.toUpperCase()} ${route.path}`;
  const own = Object.entries(says.routes).filter(([older, { now }]) => shapeOf(now ?? older) === shapeOf(key));
  const isLacking = matchRoute(lacks, route.method.toUpperCase(), shapeOf(route.path)) !== null;
  const isReplaced = own.some(([older]) => shapeOf(older) === shapeOf(key));
  const kept = isLacking || isReplaced ? [] : [{ ...route, operation: withSlugs(route.operation, says.slugs) }];
  return [
    ...kept,
    ...own.map(([older, change]) => {
      const path = older.slice(older.indexOf(" ") + 1);
      const operation = olderOperation(route, { path, change }, resolve);
      const isBeside = kept.length > 0;
      return {
        path,
        method: route.method,
        operation: withSlugs(isBeside ? renamed(operation) : operation, says.slugs),
      };
    }),
  ];
}

function shapeOf(route: string): string {
  return route.replaceAll(/\{\w+\}/g, "{}");
}

function renamed(operation: JsonObject): JsonObject {
  return { ...operation, operationId: `${String(operation["operationId"])}Older` };
}

function olderOperation(
  { path: newerPath, operation }: Route,
  { path, change }: { readonly path: string; readonly change: RouteChange },
  resolve: Resolve,
): JsonObject {
  const content = (holder: unknown, map: (schema: JsonObject) => JsonObject) => ({
    ...(isObject(holder) ? holder : {}),
    content: mapValues(objectAt(holder, "content"), (media, type) =>
      isObject(media) && type === "application/json" ? { ...media, schema: map(objectAt(media, "schema")) } : media,
    ),
  });
  const { body, answer, now } = change;
  const requestBody = operation["requestBody"];
  return {
    ...operation,
    parameters: olderParameters(operation, { newerPath, path, change }),
    ...(body !== undefined &&
      isObject(requestBody) && {
        requestBody: content(requestBody, (schema) => body.schema(schema, resolve)),
      }),
    responses: olderResponses(objectAt(operation, "responses"), answer, (response) =>
      content(response, (schema) => without(answer?.schema?.(inlined(schema, resolve), resolve) ?? schema, "id")),
    ),
    ...(now !== undefined && { deprecated: true }),
  };
}

function olderResponses(
  responses: JsonObject,
  answer: AnswerChange | undefined,
  map: (response: unknown) => JsonObject,
): JsonObject {
  if (answer === undefined) return responses;
  const entries = Object.entries(responses).flatMap(([status, response]): [string, unknown][] => {
    if (!status.startsWith("2") || !isObject(objectAt(response, "content")["application/json"])) {
      return [[status, response]];
    }
    const older = map(response);
    const { statuses, known } = answer;
    const own: [string, unknown] = [String(statuses?.[Number(status)] ?? status), older];
    return known === undefined ? [own] : [own, [String(known.status), { ...older, description: known.description }]];
  });
  return withProblems(Object.fromEntries(entries), answer.problems ?? []);
}

/** Problems of one status share its response. */
function withProblems(responses: JsonObject, slugs: readonly ProblemSlug[]): JsonObject {
  const all: Record<string, unknown> = { ...responses };
  for (const slug of slugs) {
    const status = String(PROBLEMS[slug].status);
    const before = objectAt(all, status);
    const said = before["description"];
    const description = typeof said === "string" ? said.replace(/\.$/, ` or \`${slug}\`.`) : `Problem \`${slug}\`.`;
    all[status] = { ...before, description, content: PROBLEM_CONTENT };
  }
  return all;
}

interface Place {
  readonly newerPath: string;
  readonly path: string;
  readonly change: RouteChange;
}

function olderParameters(operation: JsonObject, { newerPath, path, change }: Place): readonly unknown[] {
  const { now = `X ${path}`, query } = change;
  const inPath = namesIn(newerPath);
  const here = namesIn(now);
  const older = new Map(Object.entries(query?.renamed ?? {}).map(([name, newer]) => [newer, name]));
  const kept = listAt(operation, "parameters").flatMap((parameter) => {
    if (!isObject(parameter)) return [parameter];
    const { name } = parameter;
    if (typeof name !== "string") return [parameter];
    if (parameter["in"] === "path") {
      const own = here[inPath.indexOf(name)];
      return own !== undefined && namesIn(path).includes(own) ? [{ ...parameter, name: own }] : [];
    }
    if (query?.set !== undefined && (Object.hasOwn(query.set, name) || isCursor(name))) return [];
    return [{ ...parameter, name: older.get(name) ?? name }];
  });
  const own = Object.entries(query?.own ?? {}).map(([name, type]) => {
    const { description, ...schema } = schemaOf(type, "input");
    return { name, in: "query", required: false, deprecated: true, description, schema };
  });
  return [...kept, ...own];
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** A list that is asked for as a whole has no places to go on from. */
function isCursor(name: string): boolean {
  return name === "after" || name === "before";
}

/** Names beside a problem's slug those that it may have here. */
function withSlugs(operation: JsonObject, slugs: Readonly<Record<string, readonly string[]>> = {}): JsonObject {
  const responses = mapValues(objectAt(operation, "responses"), (response) => {
    if (!isObject(response) || typeof response["description"] !== "string") return response;
    if (!response["description"].startsWith("Problem ")) return response;
    const description = Object.entries(slugs).reduce((text, [slug, more]) => {
      const own = `\`${slug}\``;
      return text.replace(own, [own, ...more.map((each) => `\`${each}\``)].join(" or "));
    }, response["description"]);
    return { ...response, description };
  });
  return { ...operation, responses };
}
