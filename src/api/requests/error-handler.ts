/** Converts every error of a request into a problem. The client gets its own faults, never internal details. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { ResponseSerializationError } from "fastify-type-provider-zod";
import { PROBLEMS, ProblemError, type ProblemSlug, problem } from "../../domain/problem.ts";
import type { Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { sendProblem } from "../answers.ts";
import { MAX_BODY_BYTES } from "./limits.ts";

/** Fastify's own complaints about a request, by its codes. */
const FRAMEWORK_FAULTS: Readonly<Record<string, readonly [ProblemSlug, string]>> = {
  FST_ERR_BAD_URL: ["bad-request", "The path is not a valid URL path."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload-too-large", `The body is larger than ${MAX_BODY_BYTES} bytes.`],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["bad-request", "The body is not as long as Content-Length says."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported-media-type", "Expected Content-Type: application/json."],
};

/** The problem that a failure is to its caller. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ResponseSerializationError) {
    return problem("response-validation-error", "The answer breaks its own description.", { cause: error });
  }
  if (error instanceof StorageError && error.kind === "refused") {
    return problem("service-unavailable", "The disk takes no changes now; nothing was changed.", { cause: error });
  }
  const { code, statusCode } = traits(error);
  const known = typeof code === "string" ? FRAMEWORK_FAULTS[code] : undefined;
  if (known !== undefined) return problem(known[0], known[1], { cause: error });
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return problem("bad-request", "The request cannot be read.", { cause: error });
  }
  return problem("server-error", "The gateway failed to answer.", { cause: error });
}

function traits(error: unknown): { readonly code?: unknown; readonly statusCode?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

/** Answers a failure as a problem with a type below `base`, and logs it when the fault is ours. */
export function createErrorHandler(log: Log, base: string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = problemOf(error);
    if (PROBLEMS[answer.slug].status === 500) {
      const { id: requestId, method } = request;
      log.error({ err: error, requestId, method, route: request.routeOptions.url ?? null }, "request failed");
    }
    return sendProblem(reply, answer, base);
  };
}
