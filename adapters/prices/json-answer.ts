import { BoundedJsonError, boundedJson, type MarketAnswer, MarketError, type z } from "hemgate/sdk";

const MAX_DEPTH = 16;

/** An answer's JSON as a schema reads it. Throws a `MarketError("malformed")` that quotes nothing of it. */
export function jsonAnswer<Schema extends z.ZodType>(
  { body }: Pick<MarketAnswer, "body">,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(jsonOf(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new MarketError("malformed", `answered something else at ${issue?.path.join(".") || "the top"}`);
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return boundedJson(body, MAX_DEPTH);
  } catch (error) {
    if (error instanceof BoundedJsonError) throw new MarketError("malformed", `answered ${error.message}`);
    throw error;
  }
}
