/** Gives each JSON answer an example, made of the examples of the schemas that its schema is made of. */
import { isObject, type JsonObject, listAt, mapValues, objectAt, without } from "../versions/json.ts";
import { HTTP_METHODS } from "../versions/older-document.ts";

const SCHEMA_REF = "#/components/schemas/";
const JSON_TYPE = "application/json";

/** A copy of the paths and schemas of a description. Schemas that have examples keep them. */
export function withExamples(paths: JsonObject, schemas: JsonObject): { paths: JsonObject; schemas: JsonObject } {
  const found = new Map<string, unknown>();
  const described = mapValues(paths, (item) =>
    mapValues(isObject(item) ? item : {}, (operation, method) =>
      HTTP_METHODS.includes(method) && isObject(operation)
        ? { ...operation, responses: mapValues(objectAt(operation, "responses"), answerOf(schemas, found)) }
        : operation,
    ),
  );
  const lacking = [...found].filter(([name]) => listAt(schemas[name], "examples").length === 0);
  const named = lacking.map(([name, example]) => [name, { ...objectAt(schemas, name), examples: [example] }]);
  return { paths: described, schemas: { ...schemas, ...Object.fromEntries(named) } };
}

/** `found` collects the examples of named schemas, which are said once and not at each answer. */
function answerOf(schemas: JsonObject, found: Map<string, unknown>) {
  return (response: unknown, status: string): unknown => {
    const content = objectAt(response, "content");
    const schema = objectAt(content[JSON_TYPE], "schema");
    if (!status.startsWith("2") || !isObject(response) || Object.keys(schema).length === 0) return response;
    const name = nameOf(schema);
    const example = exampleOf(schema, schemas);
    if (name !== null && example !== undefined) found.set(name, example);
    // One of another version may be there.
    const media = without(objectAt(content, JSON_TYPE), "example");
    const own = name === null && example !== undefined ? { ...media, example } : media;
    return { ...response, content: { ...content, [JSON_TYPE]: own } };
  };
}

/** Returns an example of a schema; `undefined` if the examples below it do not make one. */
function exampleOf(schema: unknown, schemas: JsonObject): unknown {
  const [own] = listAt(schema, "examples");
  if (own !== undefined || !isObject(schema)) return own;
  const name = nameOf(schema);
  if (name !== null) return exampleOf(schemas[name], schemas);
  if (schema["const"] !== undefined) return schema["const"];
  for (const branch of [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")]) {
    const example = exampleOf(branch, schemas);
    if (example !== undefined) return example;
  }
  if (schema["type"] === "array") {
    const item = exampleOf(schema["items"], schemas);
    return item === undefined ? undefined : [item];
  }
  if (!isObject(schema["properties"])) return undefined;
  const required = listAt(schema, "required");
  const fields = Object.entries(schema["properties"]).map(([key, field]) => [key, exampleOf(field, schemas)] as const);
  const isWhole = fields.every(([key, value]) => value !== undefined || !required.includes(key));
  return isWhole ? Object.fromEntries(fields.filter(([, value]) => value !== undefined)) : undefined;
}

function nameOf(schema: JsonObject): string | null {
  const ref = schema["$ref"];
  return typeof ref === "string" && ref.startsWith(SCHEMA_REF) ? ref.slice(SCHEMA_REF.length) : null;
}
