/** The description of an older version, made of the next newer one's. */
import { PROBLEMS, type ProblemSlug } from "../../domain/problem.ts";
import { PROBLEM_TYPE } from "../answers.ts";
import { createDownCompiler } from "./down-mapping.ts";
import { schemaOf } from "./field-change.ts";
import { isObject, type JsonObject, listAt, madeWhenRead, mapValues, objectAt, without } from "./json.ts";
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

/**
 * The document of the version that the step makes. References that nobody uses any more stay. Each schema and operation
 * is made when it is first read, so that an answer costs what it is made of and not the whole document.
 */
export function olderDocument(document: JsonObject, step: Step): JsonObject {
  const components = objectAt(document, "components");
  const lacking = new Set((step.says.lacksTypes ?? []).map((name) => `#/components/schemas/${name}`));
  const schemas = olderSchemas(document, step, lacking);
  const resolve = resolverOf({ components: { ...components, schemas } });
  return {
    ...document,
    paths: olderPaths(document, { step, own: ownRoutes(step), resolve, lacking }),
    components: { ...components, schemas },
  };
}

/** The same value where no union in it has a branch of these, else a copy without them. */
function withoutTypes(value: unknown, lacking: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutTypes(item, lacking));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const tight = withoutBranches(value, lacking);
  let copy: Record<string, unknown> | null = null;
  for (const [key, child] of Object.entries(tight)) {
    const mapped = withoutTypes(child, lacking);
    if (mapped === child) continue;
    copy ??= { ...tight };
    copy[key] = mapped;
  }
  return copy ?? tight;
}

function withoutBranches(schema: JsonObject, lacking: ReadonlySet<string>): JsonObject {
  const isLacking = (branch: unknown): boolean => isObject(branch) && lacking.has(String(branch["$ref"]));
  const union = ["anyOf", "oneOf"].find((name) => listAt(schema, name).some(isLacking));
  if (union === undefined) return schema;
  const branches = listAt(schema, union).filter((branch) => !isLacking(branch));
  const [only] = branches;
  return branches.length === 1 && isObject(only)
    ? { ...without(schema, union), ...only }
    : { ...schema, [union]: branches };
}

function olderSchemas(document: JsonObject, { says }: Step, lacking: ReadonlySet<string>): JsonObject {
  const resolve = resolverOf(document);
  const compile = createDownCompiler(resolve, says);
  const schemas = objectAt(objectAt(document, "components"), "schemas");
  const older = (name: string): unknown => {
    const schema = schemas[name];
    if (!isObject(schema)) return schema;
    const changed = (says.records[name] ?? []).reduce((made, change) => change.schema(made, resolve), schema);
    const examples = listAt(schema, "examples");
    const down = examples.length === 0 ? null : compile({ $ref: `#/components/schemas/${name}` });
    return withoutTypes(down === null ? changed : { ...changed, examples: examples.map(down) }, lacking);
  };
  return madeWhenRead(Object.keys(schemas).map((name) => [name, () => older(name)]));
}

interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: () => JsonObject;
}

function olderPaths(document: JsonObject, context: OlderRoutes): JsonObject {
  const paths = new Map<string, [string, () => unknown][]>();
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    if (!isObject(item)) continue;
    const shared = Object.keys(item).filter((key) => !HTTP_METHODS.includes(key));
    for (const method of HTTP_METHODS) {
      if (!Object.hasOwn(item, method)) continue;
      for (const older of olderRoutes({ path, method, operation: () => objectAt(item, method) }, context)) {
        const before = paths.get(older.path) ?? shared.map((key): [string, () => unknown] => [key, () => item[key]]);
        paths.set(older.path, [
          ...before,
          [older.method, () => withoutTypes(withSlugs(older.operation(), context.step.says.slugs), context.lacking)],
        ]);
      }
    }
  }
  return Object.fromEntries([...paths].map(([path, makers]) => [path, madeWhenRead(makers)]));
}

/** A route that only the older version has, with the shapes of its path and of the newer version's. */
interface OwnRoute {
  readonly older: string;
  readonly shape: string;
  readonly newerShape: string;
  readonly change: RouteChange;
}

function ownRoutes({ says }: Step): readonly OwnRoute[] {
  return Object.entries(says.routes).map(([older, change]) => {
    return { older, shape: shapeOf(older), newerShape: shapeOf(change.now ?? older), change };
  });
}

interface OlderRoutes {
  readonly step: Step;
  readonly own: readonly OwnRoute[];
  readonly resolve: Resolve;
  /** References to schemas that the older version does not have. */
  readonly lacking: ReadonlySet<string>;
}

/** Returns the older version's routes for a route of the newer one: none, the same, or other paths. */
function olderRoutes(route: Route, { step, own: all, resolve }: OlderRoutes): readonly Route[] {
  const shape = shapeOf(`${route.method.toUpperCase()} ${route.path}`);
  const own = all.filter(({ newerShape }) => newerShape === shape);
  const isLacking = matchRoute(step.lacks, route.method.toUpperCase(), shapeOf(route.path)) !== null;
  const isReplaced = own.some((older) => older.shape === shape);
  const kept = isLacking || isReplaced ? [] : [route];
  return [
    ...kept,
    ...own.map(({ older, change }): Route => {
      const path = older.slice(older.indexOf(" ") + 1);
      const operation = () => olderOperation({ newerPath: route.path, path, change }, route.operation(), resolve);
      const isBeside = kept.length > 0;
      return { path, method: route.method, operation: isBeside ? () => renamed(operation()) : operation };
    }),
  ];
}

function shapeOf(route: string): string {
  return route.replaceAll(/\{\w+\}/g, "{}");
}

function renamed(operation: JsonObject): JsonObject {
  return { ...operation, operationId: `${String(operation["operationId"])}Older` };
}

function olderOperation(place: Place, operation: JsonObject, resolve: Resolve): JsonObject {
  const content = (holder: unknown, map: (schema: JsonObject) => JsonObject) => ({
    ...(isObject(holder) ? holder : {}),
    content: mapValues(objectAt(holder, "content"), (media, type) =>
      isObject(media) && type === "application/json" ? { ...media, schema: map(objectAt(media, "schema")) } : media,
    ),
  });
  const { body, answer, now } = place.change;
  const requestBody = operation["requestBody"];
  return {
    ...operation,
    parameters: olderParameters(operation, place),
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
function withSlugs(operation: JsonObject, slugs: Readonly<Record<string, readonly string[]>> | undefined): JsonObject {
  if (slugs === undefined) return operation;
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
