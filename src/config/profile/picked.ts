/** Schemas that choose by what is there, so that a mistake is reported at its place and not as "no alternative fits". */
import { z } from "zod";

/** Takes the schema that `choose` names for a value; a text instead says why there is none. */
export function picked<T>(choose: (value: unknown) => z.ZodType<T> | string): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    const schema = choose(value);
    if (typeof schema === "string") {
      context.issues.push({ code: "custom", message: schema, input: value });
      return z.NEVER;
    }
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    // The issues are whole already, but for the way from the root to this value, which comes with the way up.
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: issue.input } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}

/** A map with these keys and no others. The message about another key names the known ones. */
export function keys<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, { error: ({ code }) => (code === "unrecognized_keys" ? known : undefined) });
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
