/** What is checked of every request before its route runs: the machine it means, its version, its token. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ProblemError, problem } from "../domain/problem.ts";
import type { Store } from "../store/store.ts";
import { setVersion } from "./api.ts";
import { isOwnHost } from "./host-names.ts";
import type { Tokens } from "./tokens.ts";
import { findVersion, NEWEST_VERSION, servedDates } from "./versions/served-versions.ts";
import type { ApiVersion } from "./versions/version.ts";

export interface AdmissionParts {
  readonly store: Pick<Store, "get">;
  readonly tokens: Tokens;
  /** Host names that are this gateway, lower-case. */
  readonly ownNames: ReadonlySet<string>;
  /** What service headers begin with, as in `Service-Version`. */
  readonly namePrefix: string;
  /** Whether the route that a request has found, or would have with another method, needs no token. */
  readonly isOpen: (request: FastifyRequest) => boolean;
}

export type Admission = (request: FastifyRequest, reply: FastifyReply) => ProblemError | null;

/** Checks a request and notes its version on it. Answers why it may not go on, or null. */
export function createAdmission({ store, tokens, ownNames, namePrefix, isOpen }: AdmissionParts): Admission {
  const versionHeader = `${namePrefix}-Version`;
  const userHeader = `${namePrefix}-User-Id`;
  return (request, reply) => {
    setVersion(request, NEWEST_VERSION);
    const misdirection = refuseHost(request, ownNames);
    if (misdirection !== null) return misdirection;

    const asked = request.headers[versionHeader.toLowerCase()];
    const named = typeof asked === "string" ? findVersion(asked) : null;
    if (asked !== undefined && named === null) {
      return problem("unsupported-version", `There is no version "${String(asked)}"; served: ${servedDates()}.`);
    }
    const bearer = isOpen(request) ? null : readBearer(request.headers.authorization, tokens);
    if (typeof bearer === "string") return refuseBearer(reply, bearer);
    const client = bearer === null ? null : store.get("client", bearer.clientId);
    if (bearer !== null && client === null) return refuseBearer(reply, "invalid_token");

    const version = named ?? findVersion(client?.apiVersion ?? "") ?? NEWEST_VERSION;
    setVersion(request, version);
    reply.header(versionHeader, version.date);
    return refuseUserHeader(request, version, userHeader);
  };
}

function refuseHost(request: FastifyRequest, names: ReadonlySet<string>): ProblemError | null {
  const { rawHeaders, url = "" } = request.raw;
  // Node keeps the first of two Host headers, others on the way may have looked at the second.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === "host").length;
  if (hosts > 1) return problem("bad-request", "There is more than one Host header.");
  // The target of a proxy's request names a host of its own; this gateway is no proxy.
  if (!url.startsWith("/")) return problem("misdirected-request", "The request target is not a path.");
  if (isOwnHost(request.headers.host, names)) return null;
  return problem("misdirected-request", "The Host header does not name this gateway.");
}

/** The client a token stands for, or the word of RFC 6750 for what is wrong; "" when there is no token. */
function readBearer(
  authorization: string | undefined,
  tokens: Tokens,
): { readonly clientId: string } | "" | "invalid_token" {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? "") ?? [];
  if (token === undefined) return "";
  const clientId = tokens.clientOf(token);
  return clientId === null ? "invalid_token" : { clientId };
}

function refuseBearer(reply: FastifyReply, error: "" | "invalid_token"): ProblemError {
  const isMissing = error === "";
  reply.header("www-authenticate", isMissing ? 'Bearer realm="hemgate"' : `Bearer realm="hemgate", error="${error}"`);
  return problem(
    "unauthorized",
    isMissing
      ? "This needs an access token: send Authorization: Bearer <token>."
      : "The access token is unknown or expired; get a new one.",
  );
}

function refuseUserHeader(request: FastifyRequest, version: ApiVersion, userHeader: string): ProblemError | null {
  const name = userHeader.toLowerCase();
  if (!version.refusesUserHeader || request.headers[name] === undefined) return null;
  const message = `Version ${version.date} has no header ${userHeader}; use the paths under /users`;
  return problem("bad-request", `${message}.`, {
    issues: [{ code: "unrecognized_keys", path: [name], message, in: "header" }],
  });
}
