/** What is taken out of the JSON schemas that Zod makes. */
import type { z } from "zod";

type SchemaOverride = NonNullable<z.core.ToJSONSchemaParams["override"]>;

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
