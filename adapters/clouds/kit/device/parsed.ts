import { z } from "hemgate/sdk";
import type { CloudAnswer } from "../connector.ts";
import { CloudError } from "../session/cloud-error.ts";

/** The answer's body as the schema has it. Throws `malformed`, which says where it differs and never what stands there. */
export function parsed<Schema extends z.ZodType>(schema: Schema, { body }: CloudAnswer, what: string): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new CloudError("malformed", `${what}: ${issue?.path.join(".") ?? ""} ${issue?.code ?? "differs"}`);
}

/** A list in an answer, of which `fitting` leaves what is as the schema has it. */
export function listOf<Schema extends z.ZodType>(entry: Schema) {
  return z.array(z.unknown()).transform((entries) => fitting(entry, entries));
}

/** The entries of a list that are as the schema has them: one odd device never costs the others. */
export function fitting<Schema extends z.ZodType>(schema: Schema, entries: readonly unknown[]): z.infer<Schema>[] {
  return entries.flatMap((entry) => {
    const result = schema.safeParse(entry);
    return result.success ? [result.data] : [];
  });
}
