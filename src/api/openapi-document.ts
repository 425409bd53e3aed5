/** Makes the generated description fit to publish. */
import { z } from "zod";
import { SCHEMA_EXAMPLES } from "./examples.ts";
import { NEWEST_VERSION } from "./versions/served-versions.ts";

const SCHEMA_REF = "#/components/schemas/";

type SchemaOverride = NonNullable<z.core.ToJSONSchemaParams["override"]>;
type Schemas = Readonly<Record<string, object>>;

/** What is used of a generated document. */
const Generated = z.looseObject({
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

/** Takes out what Zod says of a schema and the API does not mean. */
export const tidySchema: SchemaOverride = ({ zodSchema, jsonSchema }) => {
  // Answers gain fields without a new version, so their objects stay open; only strict bodies are closed.
  const isClosed = "catchall" in zodSchema._zod.def && zodSchema._zod.def.catchall !== undefined;
  if (!isClosed && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // The pattern of a date-time or uuid says its format again, at length.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
};

/**
 * Keeps the schemas that the paths use (the type provider emits every schema of the process, and each twice: as `X` and,
 * for requests, as `XInput`), gives request schemas their plain names, and adds examples and the version header.
 */
export function finishDocument(document: unknown, namePrefix: string) {
  const { paths, components, ...rest } = Generated.parse(document);
  const used = reachable(paths, components.schemas);
  const schemas = Object.keys(used)
    .map((name): [string, object] => [plainName(name, used), { ...used[name], ...examplesOf(plainName(name, used)) }])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const parameters = { version: versionParameter(namePrefix) };
  const finished = { paths: withVersionParameter(paths), schemas: Object.fromEntries(schemas) };
  const renamed = mapRefs(finished, (name) => plainName(name, used));
  return {
    ...rest,
    paths: renamed.paths,
    components: { ...components, parameters, schemas: renamed.schemas },
  };
}

/** The schemas that are referred to from the paths, or from such a schema. */
function reachable(paths: object, schemas: Schemas): Schemas {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    mapRefs(value, (name) => {
      if (!names.has(name)) {
        names.add(name);
        visit(schemas[name]);
      }
      return name;
    });
  };
  visit(paths);
  return Object.fromEntries([...names].map((name) => [name, schemas[name] ?? {}]));
}

/** `X` for an `XInput` that stands alone. */
function plainName(name: string, used: Schemas): string {
  const plain = name.replace(/Input$/, "");
  return Object.hasOwn(used, plain) ? name : plain;
}

function examplesOf(name: string): { readonly examples?: readonly unknown[] } {
  const examples = SCHEMA_EXAMPLES[name];
  return examples === undefined ? {} : { examples };
}

/** A copy with each reference to a schema renamed. */
function mapRefs<Value>(value: Value, rename: (name: string) => string): Value {
  return JSON.parse(JSON.stringify(value ?? null), (key, child: unknown) =>
    key === "$ref" && typeof child === "string" && child.startsWith(SCHEMA_REF)
      ? SCHEMA_REF + rename(child.slice(SCHEMA_REF.length))
      : child,
  );
}

function versionParameter(namePrefix: string) {
  return {
    name: `${namePrefix}-Version`,
    in: "header",
    description: "Version to answer in; the client's own when absent. Every answer carries it.",
    schema: { type: "string", enum: [NEWEST_VERSION.date] },
  };
}

function withVersionParameter(paths: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  const parameters = [{ $ref: "#/components/parameters/version" }];
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { parameters, ...item }]));
}
