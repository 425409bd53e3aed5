import { z } from "zod";
// Problems carry what schemas say.
import "./issue-text.ts";

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When it is answered and what the caller can do; the text of the problem's page. */
  readonly about: string;
}

/** Every problem the API answers with (rules I7 and S3.2): slug, title, status, meaning. */
export const PROBLEMS = {
  "bad-request": {
    status: 400,
    title: "Bad Request",
    about:
      "The request cannot be understood, or the device cannot do what it asks. `detail` says which; `issues` lists each wrong field with its place. Correct the request before sending it again.",
  },
  "unsupported-version": {
    status: 400,
    title: "Unsupported version",
    about: "The version header names a version that is not served. `detail` lists the served ones.",
  },
  "validation-error": {
    status: 400,
    title: "Bad Request",
    about:
      "Before version 2024-10-01: a query, a path or a header is not as its description says. `issues` lists what is wrong and where. From 2024-10-01 on this is `bad-request`.",
  },
  "payload-validation-error": {
    status: 400,
    title: "Bad Request",
    about:
      "Before version 2024-10-01: the body is not as its description says. `issues` lists what is wrong and where. From 2024-10-01 on this is `bad-request`.",
  },
  "failed-auth-challenge": {
    status: 400,
    title: "Failed Auth Challenge",
    about: "The code that answers a vendor's sign-in challenge is wrong or too old. Ask for a new one and send that.",
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    about:
      "The access token is missing, unknown or expired. Get one from POST /oauth2/token with the client's id and secret and send it as `Authorization: Bearer`.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    about: "The device lacks the scope that this command needs. Grant the scope, then send the request again.",
  },
  "not-found": {
    status: 404,
    title: "Not Found",
    about:
      "There is nothing under this path or id. Devices are addressed by their top-level `id`, not by `information.id`.",
  },
  "entity-not-found": {
    status: 404,
    title: "Entity Not Found",
    about: "The vendor's account no longer has this device. Link the device again, or remove it.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method Not Allowed",
    about: "The path exists, but not with this method. The `Allow` header lists the methods it has.",
  },
  "vendor-unavailable": {
    status: 405,
    title: "Vendor Unavailable",
    about: "The vendor's server answers, but not for this device at present. Try again later.",
  },
  timeout: {
    status: 408,
    title: "Timeout",
    about:
      "The device or its vendor did not answer in time. Leave out `field[]` to read what was heard last; it is seconds old while the device answers.",
  },
  "request-timeout": {
    status: 408,
    title: "Request Timeout",
    about: "The request did not arrive in full in time. Send it again.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    about:
      "The request contradicts what was asked or decided before, such as an `Idempotency-Key` that was used for something else. `detail` says what; send each command with a key of its own.",
  },
  "permanently-invalid-credentials": {
    status: 409,
    title: "Permanently Invalid Credentials",
    about: "The vendor no longer accepts what the user signed in with. The user has to link the account again.",
  },
  "should-not-disturb": {
    status: 409,
    title: "Should Not Disturb",
    about:
      "Asking the device now would harm it, such as waking a vehicle that sleeps. Read what was heard last instead.",
  },
  "vendor-rejected": {
    status: 409,
    title: "Vendor Rejected",
    about: "The vendor refused the request, most often because of too many in a short time. Wait before the next one.",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload Too Large",
    about: "The body is larger than the gateway accepts.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported Media Type",
    about: "Bodies are JSON in UTF-8, sent uncompressed with `Content-Type: application/json`.",
  },
  "misdirected-request": {
    status: 421,
    title: "Misdirected Request",
    about:
      "The Host header names a machine that is not this gateway; a web page of a stranger may be behind that. Use the gateway's IP address, its `.local` name, or a name listed under `http.names` in the configuration.",
  },
  "hem-system-statistics-not-available": {
    status: 422,
    title: "HEM System Statistics Not Available",
    about: "The system has no device that measures energy, so there is nothing to sum up.",
  },
  "service-controlled-entity": {
    status: 422,
    title: "Service Controlled Entity",
    about: "Smart charging or a schedule controls the device. Switch that off, or use a smart override.",
  },
  "vendor-not-yet-reached": {
    status: 424,
    title: "Vendor Not Yet Reached",
    about: "The device has not answered since it was set up, so there is no state to show yet.",
  },
  "too-many-requests": {
    status: 429,
    title: "Too Many Requests",
    about: "Too many requests in a short time. Wait for the seconds that `Retry-After` names.",
  },
  "vendor-rate-limited": {
    status: 429,
    title: "Vendor Rate Limited",
    about: "The vendor limits how often it may be asked. Wait before the next request.",
  },
  "header-fields-too-large": {
    status: 431,
    title: "Request Header Fields Too Large",
    about: "The request line and headers are larger than the gateway accepts.",
  },
  "server-error": {
    status: 500,
    title: "Server Error",
    about: "The gateway failed; its log has the cause. Tell the maintainers.",
  },
  "response-validation-error": {
    status: 500,
    title: "Validation Error",
    about: "The gateway made an answer that breaks its own description; its log has the cause. Tell the maintainers.",
  },
  "vendor-temporarily-unavailable": {
    status: 503,
    title: "Vendor Temporarily Unavailable",
    about:
      "What the devices told cannot be read now. Send the request again after the seconds that `Retry-After` names.",
  },
  "service-unavailable": {
    status: 503,
    title: "Service Unavailable",
    about: "The gateway cannot do this now. `detail` says why. Send the request again, after a random delay.",
  },
} as const satisfies Record<string, ProblemKind>;
export type ProblemSlug = keyof typeof PROBLEMS;

/** Where the gateway has a page of each kind of problem. */
export const PROBLEMS_PATH = "/problems";

/** The prefix of names that is no other service's. */
export const NEUTRAL_PREFIX = "Service";

/**
 * What problem types begin with: the gateway's own pages, or under another name prefix the addresses that clients of that
 * service compare types with. Nothing is ever fetched from there.
 */
export function problemBase(namePrefix: string): string {
  return namePrefix === NEUTRAL_PREFIX
    ? PROBLEMS_PATH
    : `https://developers.${namePrefix.toLowerCase()}.com/api/problems`;
}

/** The same in the versions before 2024-10-01, whose types were elsewhere. */
export function olderProblemType(type: string): string {
  return type.replace(/^https:\/\/developers\.([a-z0-9]+)\.com\/api\/problems\//, "https://docs.$1.io/problems/");
}

/** One thing that is wrong with a request (rule S3.1). */
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
    type: z.string().meta({
      format: "uri-reference",
      description:
        "Kind of the problem, the same for each of its kind; it ends with the slug. Relative to this server, where it is a page, unless `compat.namePrefix` is another service's.",
    }),
    title: z.string(),
    detail: z.string().meta({ description: "What is wrong with this request." }),
    issues: z.array(Issue).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

/** What a problem may say beyond its slug and detail. */
export interface ProblemMore {
  /** Instead of the kind's own title. */
  readonly title?: string;
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

/** The client's fault, or ours, as the API will say it. Thrown by services, answered by the API's error handler. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly slug: ProblemSlug;
  readonly title: string;
  readonly issues: readonly Issue[];

  constructor(slug: ProblemSlug, detail: string, more: ProblemMore = {}) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.slug = slug;
    this.title = more.title ?? PROBLEMS[slug].title;
    this.issues = more.issues ?? [];
  }
}

export function problem(slug: ProblemSlug, detail: string, more: ProblemMore = {}): ProblemError {
  return new ProblemError(slug, detail, more);
}
