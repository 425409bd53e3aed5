/** Makes the generated description fit to publish. */
import { z } from "zod";
import { type JsonObject, objectAt } from "../versions/json.ts";
import { NEWEST_VERSION } from "../versions/served-versions.ts";
import { SCHEMA_EXAMPLES } from "./examples.ts";
import { publishedDocument, usedSchemas } from "./openapi-version.ts";
import { webhookSection } from "./webhook-events.ts";

const SCHEMA_REF = "#/components/schemas/";

/** What is used of a generated document. */
const Generated = z.looseObject({
  paths: z.record(z.string(), z.looseObject({})),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

/**
 * Keeps the schemas that the paths use (the type provider emits every schema of the process, and each twice: as `X` and,
 * for requests, as `XInput`), gives request schemas their plain names, adds examples, and publishes the newest version.
 */
export function finishDocument(document: unknown, namePrefix: string): JsonObject {
  const { paths, components, ...rest } = Generated.parse(document);
  const { webhooks, schemas: events } = webhookSection(namePrefix);
  const used = usedSchemas(paths, components.schemas);
  const plain = new Map(Object.keys(used).map((name) => [name, plainName(name, used)]));
  const schemas = [...plain].map(([name, as]) => [as, { ...objectAt(used, name), ...examplesOf(as) }]);
  const renamed = mapRefs({ paths, schemas: Object.fromEntries(schemas) }, (name) => plain.get(name) ?? name);
  const all = { ...renamed.schemas, ...events };
  const plainDocument = { ...rest, paths: renamed.paths, webhooks, components: { ...components, schemas: all } };
  return publishedDocument(plainDocument, NEWEST_VERSION, namePrefix);
}

/** `X` for an `XInput` that stands alone, or says the same. */
function plainName(name: string, used: JsonObject): string {
  const plain = name.replace(/Input$/, "");
  if (plain === name || !Object.hasOwn(used, plain)) return plain;
  const input = JSON.stringify(mapRefs(used[name], (ref) => ref.replace(/Input$/, "")));
  return input === JSON.stringify(used[plain]) ? plain : name;
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
