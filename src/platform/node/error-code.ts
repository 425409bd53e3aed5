import type { ReachFault } from "../../sdk/device-error.ts";

const REACH_FAULTS: Readonly<Record<string, ReachFault>> = {
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "no-such-host",
  EHOSTDOWN: "no-such-host",
  ENETUNREACH: "no-such-host",
  ETIMEDOUT: "no-such-host",
  ENOTFOUND: "name-not-found",
  EAI_AGAIN: "name-not-found",
};

/** What the system says is wrong on the way to a host; null for what it does not say. */
export function reachFault(error: unknown): ReachFault | null {
  return REACH_FAULTS[codeOf(error) ?? ""] ?? null;
}

/** The code that Node and its libraries put on an error (`EADDRINUSE`), of the error itself or of a cause; or null. */
export function codeOf(error: unknown): string | null {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return null;
}
