import { z } from "zod";

/** Every problem the API answers with (interface 7, supplement 3.2): slug, title, status. */
export const PROBLEMS = {
  "bad-request": { status: 400, title: "Bad Request" },
  "unsupported-version": { status: 400, title: "Unsupported version" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  "not-found": { status: 404, title: "Not Found" },
  "method-not-allowed": { status: 405, title: "Method Not Allowed" },
  "payload-too-large": { status: 413, title: "Payload Too Large" },
  "unsupported-media-type": { status: 415, title: "Unsupported Media Type" },
  "service-controlled-entity": { status: 422, title: "Service Controlled Entity" },
  "vendor-not-yet-reached": { status: 424, title: "Vendor Not Yet Reached" },
  "too-many-requests": { status: 429, title: "Too Many Requests" },
  "server-error": { status: 500, title: "Server Error" },
  "response-validation-error": { status: 500, title: "Validation Error" },
  "service-unavailable": { status: 503, title: "Service Unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;
export type ProblemSlug = keyof typeof PROBLEMS;

/** One thing that is wrong with a request (supplement 3.1). */
export const Issue = z
  .object({
    code: z.string(),
    path: z.array(z.union([z.string(), z.number()])),
    message: z.string(),
    in: z.enum(["body", "query", "path", "header"]),
    expected: z.string().optional(),
    received: z.string().optional(),
  })
  .meta({ id: "Issue" });
export type Issue = z.infer<typeof Issue>;

/** The body of an error answer (RFC 9457, media type `application/problem+json`). */
export const Problem = z
  .object({
    type: z.string().meta({ description: "URI of the kind of problem; it is also its page." }),
    title: z.string(),
    detail: z.string().meta({ description: "What is wrong with this request." }),
    issues: z.array(Issue).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

/** The client's fault, or ours, as the API will say it. Thrown by services, answered by the API's error handler. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly slug: ProblemSlug;
  readonly title: string;
  readonly issues: readonly Issue[];

  constructor(slug: ProblemSlug, detail: string, more: { title?: string; issues?: readonly Issue[] } = {}) {
    super(detail);
    this.slug = slug;
    this.title = more.title ?? PROBLEMS[slug].title;
    this.issues = more.issues ?? [];
  }
}

export function problem(
  slug: ProblemSlug,
  detail: string,
  more: { title?: string; issues?: readonly Issue[] } = {},
): ProblemError {
  return new ProblemError(slug, detail, more);
}
