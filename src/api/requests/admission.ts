/** What is checked of every request before its route runs: the machine it means, its version, its token, its user. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ProblemError, problem } from "../../domain/problem.ts";
import { setVersion } from "../api.ts";
import type { Caller, Callers } from "../clients/callers.ts";
import { refuseForgery, refuseRole } from "../people/session-check.ts";
import { NEWEST_VERSION, servedDates } from "../versions/served-versions.ts";
import { needsUser } from "../versions/version.ts";
import { isOwnHost } from "./host-names.ts";

export interface AdmissionParts {
  readonly callers: Callers;
  /** Host names that are this gateway, lower-case. */
  readonly ownNames: ReadonlySet<string>;
  /** What service headers begin with, as in `Service-Version`. */
  readonly namePrefix: string;
  /** Whether the route that a request has found, or would have with another method, needs no token. */
  readonly isOpen: (request: FastifyRequest) => boolean;
  /** Where browsers reach the gateway, if the configuration says so. */
  readonly ownUrl: string | undefined;
}

const HOST = "host";

export type Admission = (request: FastifyRequest, reply: FastifyReply) => ProblemError | null;

/** Checks a request and notes its version on it. Answers why it may not go on, or null. */
export function createAdmission({ callers, ownNames, namePrefix, isOpen, ownUrl }: AdmissionParts): Admission {
  const versionHeader = `${namePrefix}-Version`;
  const userHeader = `${namePrefix}-User-Id`;
  return (request, reply) => {
    setVersion(request, NEWEST_VERSION);
    const misdirection = refuseHost(request, ownNames);
    if (misdirection !== null) return misdirection;

    const caller = callers.of(request.raw);
    const { unknownVersion, version } = caller;
    if (unknownVersion !== null) {
      return problem("unsupported-version", `There is no version "${unknownVersion}"; served: ${servedDates()}.`);
    }
    setVersion(request, version);
    reply.header(versionHeader, version.date);
    if (!isOpen(request)) {
      const refusal = refuseStranger(request, reply, caller) ?? refusePerson(request, caller, ownUrl);
      if (refusal !== null) return refusal;
    }
    if (caller.translation?.isMissing === true) {
      return problem("not-found", `There is nothing at ${pathAsked(request)} in version ${version.date}.`);
    }
    return refuseUser(request, caller, userHeader);
  };
}

/** The path as the client wrote it. */
export function pathAsked(request: FastifyRequest): string {
  return request.originalUrl.split("?", 1)[0] ?? "";
}

function refuseHost(request: FastifyRequest, names: ReadonlySet<string>): ProblemError | null {
  // Node keeps the first of two Host headers, others on the way may have looked at the second.
  if (hostCount(request.raw.rawHeaders) > 1) return problem("bad-request", "There is more than one Host header.");
  // The target of a request to a proxy names a host; this gateway is no proxy.
  if (!request.originalUrl.startsWith("/")) return problem("misdirected-request", "The request target is not a path.");
  if (isOwnHost(request.headers.host, names)) return null;
  return problem("misdirected-request", "The Host header does not name this gateway.");
}

/** Host headers among names and values in turn. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count;
}

function refuseStranger(request: FastifyRequest, reply: FastifyReply, caller: Caller): ProblemError | null {
  if (caller.id !== null) return null;
  if (caller.isTokenGood || request.headers.authorization !== undefined) return refuseBearer(reply, caller.isTokenGood);
  reply.header("www-authenticate", 'Bearer realm="hemgate"');
  return problem("unauthorized", "The session has ended; sign in again.");
}

function refusePerson(request: FastifyRequest, { session }: Caller, ownUrl: string | undefined): ProblemError | null {
  if (session === null) return null;
  return refuseForgery(request, session, ownUrl) ?? refuseRole(request, session);
}

/** In the words of RFC 6750. */
function refuseBearer(reply: FastifyReply, isMissing: boolean): ProblemError {
  reply.header(
    "www-authenticate",
    isMissing ? 'Bearer realm="hemgate"' : 'Bearer realm="hemgate", error="invalid_token"',
  );
  return problem(
    "unauthorized",
    isMissing
      ? "This needs an access token: send Authorization: Bearer <token>."
      : "The access token is unknown or expired; get a new one.",
  );
}

/** Before 2023-08-01 a header names the user; a request in a later version that has it means something else. */
function refuseUser(request: FastifyRequest, { version, userId }: Caller, userHeader: string): ProblemError | null {
  const name = userHeader.toLowerCase();
  if (version.userPaths === null) {
    if (request.headers[name] === undefined) return null;
    const message = `Version ${version.date} has no header ${userHeader}; use the paths under /users`;
    return problem("bad-request", `${message}.`, {
      issues: [{ code: "unrecognized_keys", path: [name], message, in: "header" }],
    });
  }
  if (!needsUser(version, pathAsked(request)) || (userId !== null && userId !== "")) return null;
  const message = `Version ${version.date} needs the header ${userHeader} here`;
  return problem("bad-request", `${message}.`, {
    issues: [{ code: "invalid_type", path: [name], message, in: "header", expected: "string", received: "undefined" }],
  });
}
