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

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the host answers, but nothing accepts connections at this port",
  ECONNRESET: "the other side ended the connection",
  EPIPE: "the other side ended the connection",
  EHOSTUNREACH: "no host answers at this address",
  EHOSTDOWN: "no host answers at this address",
  ENETUNREACH: "there is no way to this network",
  ETIMEDOUT: "no answer in time",
  ENOTFOUND: "the network knows no host of this name",
  EAI_AGAIN: "the network does not say where this name is",
  EADDRNOTAVAIL: "this machine has no address to connect from",
};

/** What the system says is wrong with a connection, in words for people; what it has no code for, as it says it. */
export function connectionFault(error: Error): string {
  const code = codeOf(error);
  // Several addresses of one name that all failed come as one error without a message.
  return IN_WORDS[code ?? ""] ?? (error.message === "" ? (code ?? "no connection") : error.message);
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
