/** Makes a version's description fit to publish: what it calls itself, the headers it reads, no schema too many. */
import { isObject, type JsonObject, listAt, mapValues, objectAt, without } from "../versions/json.ts";
import { HTTP_METHODS } from "../versions/older-document.ts";
import { type ApiVersion, needsUser } from "../versions/version.ts";
import { withExamples } from "./derived-examples.ts";
import { datedEvents, webhookParameters } from "./webhook-events.ts";

const SCHEMA_REF = "#/components/schemas/";
const VERSION_REF = { $ref: "#/components/parameters/version" };
const USER_REF = { $ref: "#/components/parameters/user" };

export function publishedDocument(document: JsonObject, version: ApiVersion, namePrefix: string): JsonObject {
  const plain = mapValues(objectAt(document, "paths"), (item, path) => ({
    parameters: [VERSION_REF, ...(needsUser(version, path) ? [USER_REF] : [])],
    ...(isObject(item) ? without(item, "parameters") : {}),
  }));
  const components = objectAt(document, "components");
  const { paths, schemas } = withExamples(
    plain,
    usedSchemas([plain, document["webhooks"]], objectAt(components, "schemas")),
  );
  const tags = new Set(Object.values(paths).flatMap(tagsOf));
  return {
    ...document,
    info: { ...objectAt(document, "info"), version: version.date },
    tags: listAt(document, "tags").filter((tag) => isObject(tag) && tags.has(tag["name"])),
    paths,
    components: {
      ...components,
      parameters: {
        ...webhookParameters(namePrefix),
        version: versionParameter(version, namePrefix),
        ...(version.userPaths !== null && { user: userParameter(namePrefix) }),
      },
      schemas: datedEvents(schemas, version.date),
    },
  };
}

function tagsOf(item: unknown): readonly unknown[] {
  return HTTP_METHODS.flatMap((method) => listAt(objectAt(item, method), "tags"));
}

function versionParameter({ date }: ApiVersion, namePrefix: string): JsonObject {
  return {
    name: `${namePrefix}-Version`,
    in: "header",
    description: "Version to answer in; the client's own when absent. Every answer carries it.",
    schema: { type: "string", enum: [date] },
  };
}

function userParameter(namePrefix: string): JsonObject {
  return {
    name: `${namePrefix}-User-Id`,
    in: "header",
    required: true,
    description: "The user whose resources are requested.",
    schema: { type: "string" },
  };
}

/** The schemas that are referred to from the paths, or from such a schema, by name. */
export function usedSchemas(paths: unknown, schemas: JsonObject): JsonObject {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item);
    } else if (isObject(value)) {
      for (const [key, child] of Object.entries(value)) {
        if (key === "$ref" && typeof child === "string" && child.startsWith(SCHEMA_REF))
          add(child.slice(SCHEMA_REF.length));
        visit(child);
      }
    }
  };
  const add = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    visit(schemas[name]);
  };
  visit(paths);
  return Object.fromEntries([...names].sort().map((name) => [name, schemas[name] ?? {}]));
}
