import { z } from "zod";
// Problems contain the texts of schema errors.
import "./issue-text.ts";

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Cause of the problem and what the client can do; the text of the problem's page. */
  readonly about: string;
}

/** All problems of the API by their slug (rules I7 and S3.2). */
export const PROBLEMS = {
  "bad-request": {
    status: 400,
    title: "Bad Request",
    about:
      "The request is not valid, or the device cannot carry it out. `detail` says why; `issues` lists each invalid field. Correct the request before you send it again.",
  },
  "unsupported-version": {
    status: 400,
    title: "Unsupported version",
    about: "The version header names a version that the gateway does not support. `detail` lists the supported ones.",
  },
  "validation-error": {
    status: 400,
    title: "Bad Request",
    about:
      "Before version 2024-10-01: a query, a path or a header is not valid. `issues` lists what is wrong and where. From 2024-10-01 on this is `bad-request`.",
  },
  "payload-validation-error": {
    status: 400,
    title: "Bad Request",
    about:
      "Before version 2024-10-01: the body is not valid. `issues` lists what is wrong and where. From 2024-10-01 on this is `bad-request`.",
  },
  "failed-auth-challenge": {
    status: 400,
    title: "Failed Auth Challenge",
    about: "The code for a vendor's sign-in challenge is wrong or has expired. Request a new code and send that one.",
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    about:
      "The access token is missing, unknown or expired. Request one from POST /oauth2/token with the client's id and secret, and send it as `Authorization: Bearer`. For a person in a browser: the session has ended, or the name or the password is wrong; sign in again.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    about:
      "The user has not granted the scope that this command needs, the client was created without it, or the role of the person's account does not allow it. `detail` says which. Have the user grant the scope or an owner change the role, then send the request again.",
  },
  "not-found": {
    status: 404,
    title: "Not Found",
    about:
      "There is nothing with this path or id. Devices are addressed by their top-level `id`, not by `information.id`.",
  },
  "entity-not-found": {
    status: 404,
    title: "Entity Not Found",
    about: "The vendor's account no longer contains this device. Link the device again, or remove it.",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method Not Allowed",
    about: "The path does not support this method. The `Allow` header lists the methods that it supports.",
  },
  "vendor-unavailable": {
    status: 405,
    title: "Vendor Unavailable",
    about: "The vendor's server answers, but it cannot reach this device at present. Try again later.",
  },
  timeout: {
    status: 408,
    title: "Timeout",
    about:
      "The device or its vendor did not answer in time. Leave out `field[]` to get the last known values, which are seconds old while the device answers.",
  },
  "request-timeout": {
    status: 408,
    title: "Request Timeout",
    about: "The request was not received completely in time. Send it again.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    about:
      "The request contradicts an earlier one, such as an `Idempotency-Key` that was used for another request. `detail` says which. Send each command with a new key.",
  },
  "permanently-invalid-credentials": {
    status: 409,
    title: "Permanently Invalid Credentials",
    about: "The vendor no longer accepts the user's credentials. The user has to link the account again.",
  },
  "should-not-disturb": {
    status: 409,
    title: "Should Not Disturb",
    about:
      "Reading the device now would disturb it, such as waking a vehicle that sleeps. Use the last known values instead.",
  },
  "vendor-rejected": {
    status: 409,
    title: "Vendor Rejected",
    about:
      "The vendor refused the request, usually because of too many requests in a short time. Wait before the next one.",
  },
  "payload-too-large": {
    status: 413,
    title: "Payload Too Large",
    about: "The body is larger than the gateway accepts. Send less in one request.",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported Media Type",
    about: "Send bodies as JSON in UTF-8, uncompressed, with `Content-Type: application/json`.",
  },
  "misdirected-request": {
    status: 421,
    title: "Misdirected Request",
    about:
      "The Host header does not name this gateway. A foreign web page may have sent the request (DNS rebinding). Use the gateway's IP address, its `.local` name, or a name listed under `http.names` in the configuration.",
  },
  "hem-system-statistics-not-available": {
    status: 422,
    title: "HEM System Statistics Not Available",
    about: "The system has no device that measures energy, so there are no statistics.",
  },
  "service-controlled-entity": {
    status: 422,
    title: "Service Controlled Entity",
    about: "Smart charging or a schedule controls the device. Switch it off, or use a smart override.",
  },
  "vendor-not-yet-reached": {
    status: 424,
    title: "Vendor Not Yet Reached",
    about: "The device has not answered since it was set up, so its state is not known yet. Try again later.",
  },
  "too-many-requests": {
    status: 429,
    title: "Too Many Requests",
    about: "Too many requests in a short time. Wait for the number of seconds in `Retry-After`.",
  },
  "vendor-rate-limited": {
    status: 429,
    title: "Vendor Rate Limited",
    about: "The vendor limits the number of requests. Wait before the next one.",
  },
  "header-fields-too-large": {
    status: 431,
    title: "Request Header Fields Too Large",
    about: "The request line and headers are larger than the gateway accepts. Send fewer or shorter ones.",
  },
  "server-error": {
    status: 500,
    title: "Server Error",
    about: "The gateway failed; its log has the cause. Report it to the maintainers.",
  },
  "response-validation-error": {
    status: 500,
    title: "Validation Error",
    about:
      "The gateway's response does not match the API description; its log has the cause. Report it to the maintainers.",
  },
  "vendor-temporarily-unavailable": {
    status: 503,
    title: "Vendor Temporarily Unavailable",
    about:
      "The stored readings cannot be loaded now. Send the request again after the number of seconds in `Retry-After`.",
  },
  "service-unavailable": {
    status: 503,
    title: "Service Unavailable",
    about: "The gateway cannot do this now. `detail` says why. Send the request again after a random delay.",
  },
} as const satisfies Record<string, ProblemKind>;
export type ProblemSlug = keyof typeof PROBLEMS;

/** The path under which the gateway serves a page for each kind of problem. */
export const PROBLEMS_PATH = "/problems";

/** The default prefix of names, which no other service uses. */
export const NEUTRAL_PREFIX = "Service";

/**
 * Returns the beginning of problem types: the path of the gateway's pages, or with the name prefix of another service the
 * URLs that clients of that service compare types with. The gateway never requests these URLs.
 */
export function problemBase(namePrefix: string): string {
  return namePrefix === NEUTRAL_PREFIX
    ? PROBLEMS_PATH
    : `https://developers.${namePrefix.toLowerCase()}.com/api/problems`;
}

/** Converts a problem type to the URL of the versions before 2024-10-01. */
export function olderProblemType(type: string): string {
  return type.replace(/^https:\/\/developers\.([a-z0-9]+)\.com\/api\/problems\//, "https://docs.$1.io/problems/");
}

/** An error in one place of a request (rule S3.1). */
export const Issue = z
  .object({
    code: z.string().meta({ description: "Kind of error, such as `invalid_type`." }),
    path: z.array(z.union([z.string(), z.number()])).meta({
      description: "Path of the invalid value: keys of objects and indices of arrays.",
    }),
    message: z.string().meta({ description: "What is wrong, in English." }),
    in: z.enum(["body", "query", "path", "header"]).meta({ description: "Part of the request with the error." }),
    expected: z.string().optional().meta({ description: "Expected type." }),
    received: z.string().optional().meta({ description: "Received type." }),
  })
  .meta({ id: "Issue", description: "An error in one place of a request." });
export type Issue = z.infer<typeof Issue>;

/** The body of an error response (RFC 9457, media type `application/problem+json`). */
export const Problem = z
  .object({
    type: z.string().meta({
      format: "uri-reference",
      description:
        "URI of the kind of problem. It ends with the kind's slug, such as `not-found`. By default it is relative to this server, which has a page with this path; with the setting `compat.namePrefix` it is a URL of another service.",
    }),
    title: z.string().meta({ description: "Title of the kind of problem." }),
    detail: z.string().meta({ description: "What is wrong with this request." }),
    issues: z.array(Issue).optional().meta({ description: "Errors in the request, one for each place." }),
  })
  .meta({ id: "Problem", description: "An error response (RFC 9457)." });
export type Problem = z.infer<typeof Problem>;

/** The optional parts of a problem. */
export interface ProblemMore {
  /** Replaces the title of the kind. */
  readonly title?: string;
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

/** An error that the API reports to the client. Services throw it; the API's error handler converts it to a `Problem`. */
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

/** Creates an error for the API. `detail` says what is wrong, where, and what to do. */
export function problem(slug: ProblemSlug, detail: string, more: ProblemMore = {}): ProblemError {
  return new ProblemError(slug, detail, more);
}
