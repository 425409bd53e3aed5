/** The answers of a route, as its description lists them. */
import { z } from "zod";
import { PROBLEMS, Problem, type ProblemSlug } from "../domain/problem.ts";
import { PROBLEM_TYPE } from "./answers.ts";

/** What any request can meet, before its route is looked at. */
const OPEN_PROBLEMS = [
  "bad-request",
  "unsupported-version",
  "misdirected-request",
  "too-many-requests",
  "server-error",
] as const;
const COMMON_PROBLEMS = [
  ...OPEN_PROBLEMS,
  "unauthorized",
  "forbidden",
  "response-validation-error",
  "service-unavailable",
] as const;

interface ProblemResponse {
  readonly description: string;
  readonly content: { readonly [PROBLEM_TYPE]: { readonly schema: typeof Problem } };
}

/** Responses for the common problems of a route behind the token, and for its own. */
export function problemResponses(...slugs: readonly ProblemSlug[]): Readonly<Record<number, ProblemResponse>> {
  return responses([...COMMON_PROBLEMS, ...slugs]);
}

/** Responses for a route that needs no token. */
export function openProblemResponses(...slugs: readonly ProblemSlug[]): Readonly<Record<number, ProblemResponse>> {
  return responses([...OPEN_PROBLEMS, ...slugs]);
}

/** Responses for what may be wrong with a body before a route's own schema is looked at. */
export function bodyProblemResponses(): Readonly<Record<number, ProblemResponse>> {
  return responses(["payload-too-large", "unsupported-media-type"]);
}

/** Problems of one status share its response. */
function responses(slugs: readonly ProblemSlug[]): Readonly<Record<number, ProblemResponse>> {
  const byStatus = new Map<number, Set<string>>();
  for (const slug of slugs) {
    const { status } = PROBLEMS[slug];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(`\`${slug}\``));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: `Problem ${[...names].join(" or ")}.`, content: { [PROBLEM_TYPE]: { schema: Problem } } },
    ]),
  );
}

/** An answer with a JSON body. */
export function jsonResponse<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } };
}

/** An answer without a body. */
export function emptyResponse(description: string) {
  return z.null().describe(description);
}
