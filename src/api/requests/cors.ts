/**
 * Which web pages may use the API from a browser (the Fetch standard's CORS protocol). None unless the configuration
 * lists their origins. Tokens travel in a header that pages set themselves, so credentials stay off.
 */
import type { FastifyReply, FastifyRequest } from "fastify";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
/** How long a browser may keep the answer to a preflight, s. */
const MAX_AGE_S = 600;

export interface Cors {
  /** Lets the page of a listed origin read the answer. */
  admit(request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a preflight of a listed origin. Returns false if the request is not one. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean;
}

export function createCors(origins: readonly string[], namePrefix: string): Cors {
  const listed = new Set(origins);
  const readable = [
    "Allow",
    "Idempotency-Replayed",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
    `${namePrefix}-Version`,
  ].join(", ");
  const sendable = [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "Last-Event-ID",
    `${namePrefix}-User-Id`,
    `${namePrefix}-Version`,
  ].join(", ");
  const isListed = (request: FastifyRequest): boolean => listed.has(request.headers.origin ?? "");

  return {
    admit(request, reply) {
      if (listed.size === 0) return;
      // The answer to one origin is not the answer to another, even where this one got none.
      reply.header("vary", "Origin");
      if (!isListed(request)) return;
      reply.headers({
        "access-control-allow-origin": request.headers.origin ?? "",
        "access-control-expose-headers": readable,
      });
    },
    answerPreflight(request, reply) {
      const isPreflight =
        request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
      if (!isPreflight || !isListed(request)) return false;
      reply.headers({
        "access-control-allow-methods": METHODS,
        "access-control-allow-headers": sendable,
        "access-control-max-age": String(MAX_AGE_S),
      });
      // Browsers ask this before a page of the internet reaches into a home network.
      if (request.headers["access-control-request-private-network"] === "true") {
        reply.header("access-control-allow-private-network", "true");
      }
      void reply.code(204).send();
      return true;
    },
  };
}
