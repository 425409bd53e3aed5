/** What is checked of a request with a session's cookie, beside what is checked of every request. */
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type ProblemError, problem } from "../../domain/problem.ts";
import type { LiveSession } from "../../engine/contracts/people.ts";
import { pageOf } from "../requests/own-page.ts";
import { rightFor } from "./rights.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
export const CSRF_HEADER = "x-csrf-token";

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** Refuses a change that another site's page may have sent with the person's cookie; else `null`. */
export function refuseForgery(
  request: FastifyRequest,
  session: LiveSession,
  configured: string | undefined,
): ProblemError | null {
  if (isSafe(request.method)) return null;
  if (pageOf(request, configured) !== "own") {
    return problem(
      "forbidden",
      "With a session, changes come from the gateway's own pages: Origin is another, or missing.",
    );
  }
  const sent = request.headers[CSRF_HEADER];
  if (typeof sent === "string" && isEqual(sent, session.csrfToken)) return null;
  return problem("forbidden", "With a session, changes need the header X-CSRF-Token; GET /local/session has it.");
}

/** Refuses what the account's role may not; else `null`. */
export function refuseRole({ method, routeOptions }: FastifyRequest, session: LiveSession): ProblemError | null {
  const pattern = routeOptions.url;
  // What does not exist is not found, whoever asks.
  if (pattern === undefined || method === "OPTIONS") return null;
  if (session.rights.includes(rightFor(method, pattern))) return null;
  return problem(
    "forbidden",
    `The role of ${session.account.name}'s account, ${session.account.role}, does not allow this.`,
  );
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
