import { CloudError, type CloudErrorKind, unlessLasting } from "./cloud-error.ts";
import type { CloudSession } from "./connector.ts";

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
  try {
    return await session.shared(key, freshMs, (inner) => unlessLasting(fetch(inner)), signal);
  } catch (error) {
    if (error instanceof CloudError && !FATAL.includes(error.kind)) return null;
    throw error;
  }
}
