import type { z } from "hemgate/sdk";
import type { CloudSession } from "../connector.ts";
import { CloudError, type CloudErrorKind, unlessLasting } from "../session/cloud-error.ts";
import type { SeldomQuestion } from "../session/seldom-answers.ts";

/** The account itself is out: the device has nothing to tell. */
const FATAL: readonly CloudErrorKind[] = ["expired", "login-refused"];

/**
 * Fetches what a device can do without, shared as `CloudSession.shared` does. Null when the vendor does not give it: a
 * counter that fails must not cost the powers that were read. A lasting refusal is not asked about again for `freshMs`;
 * after a passing one the next reading asks again.
 */
export async function extra<T>(
  session: CloudSession,
  key: string,
  freshMs: number,
  fetch: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> {
  return await orNull(session.shared(key, freshMs, (inner) => unlessLasting(fetch(inner)), signal));
}

/** As `extra`, and kept on disk as `CloudSession.seldom` does, a lasting refusal too. */
export async function seldomExtra<Schema extends z.ZodType>(
  session: Pick<CloudSession, "seldom">,
  { schema, ask, ...question }: SeldomQuestion<Schema>,
  signal: AbortSignal,
): Promise<z.infer<Schema> | null> {
  const nullable = { ...question, schema: schema.nullable(), ask: (inner: AbortSignal) => unlessLasting(ask(inner)) };
  return await orNull(session.seldom(nullable, signal));
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CloudError && !FATAL.includes(error.kind)) return null;
    throw error;
  }
}
