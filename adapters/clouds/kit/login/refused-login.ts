import { CloudError, type CloudErrorKind } from "../session/cloud-error.ts";

/** What is refused at a login's own addresses is the login itself; `kinds`: as what the vendor's refusals come. */
export async function refusing<Answer>(
  ask: () => Promise<Answer>,
  kinds: readonly CloudErrorKind[] = ["refused", "expired", "forbidden"],
): Promise<Answer> {
  try {
    return await ask();
  } catch (cause) {
    const isRefused = cause instanceof CloudError && kinds.includes(cause.kind);
    throw isRefused ? new CloudError("login-refused", cause.message, { cause }) : cause;
  }
}
