/** What every answer carries, and how a problem is answered. */
import type { FastifyReply } from "fastify";
import { PROBLEMS, PROBLEMS_PATH, type Problem, type ProblemError, type ProblemSlug } from "../domain/problem.ts";
import type { Clock } from "../platform/ports/ports.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
export const PROBLEM_TYPE = "application/problem+json";

/**
 * The `type` of a problem. Below the gateway's own pages it is relative to this server: an absolute one would have to
 * repeat the Host header, so it would differ between the gateway's names, and the sender could choose it.
 */
export function problemType(slug: ProblemSlug, base: string = PROBLEMS_PATH): string {
  return `${base}/${slug}`;
}

export function problemBody(error: ProblemError, base: string): Problem {
  return {
    type: problemType(error.slug, base),
    title: error.title,
    detail: error.message,
    ...(error.issues.length > 0 && { issues: [...error.issues] }),
  };
}

/** Answers a problem; `base` as `problemBase` has it. */
export function sendProblem(reply: FastifyReply, error: ProblemError, base: string): FastifyReply {
  const bytes = Buffer.from(JSON.stringify(problemBody(error, base)));
  return reply.code(PROBLEMS[error.slug].status).type(PROBLEM_TYPE).send(bytes);
}

/** The header of each answer that names the request; the log names it where the gateway failed. */
export const REQUEST_ID = "x-request-id";

/** Headers of every answer: nothing of the API is to be cached, framed, sniffed or run. */
export function baseHeaders(versionHeader: string, version: string): Readonly<Record<string, string>> {
  return {
    [versionHeader]: version,
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/** Sets the Date header by the gateway's own clock; without one that was ever set there is no Date (RFC 9110, 6.6.1). */
export function createDating(clock: Pick<Clock, "nowMs" | "quality">): (reply: FastifyReply) => void {
  let second = Number.NaN;
  let text = "";
  return (reply) => {
    if (clock.quality() === "unset") {
      reply.raw.sendDate = false;
      return;
    }
    const now = Math.floor(clock.nowMs() / 1000);
    if (now !== second) text = new Date(now * 1000).toUTCString();
    second = now;
    reply.header("date", text);
  };
}
