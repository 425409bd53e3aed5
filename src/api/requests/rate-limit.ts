/** How much one client or account, or one address without either, may ask (rule S9.4). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { SECOND_MS } from "../../domain/duration.ts";
import { type ProblemError, problem } from "../../domain/problem.ts";
import { networkOf } from "../../platform/network/network-of.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import { type BucketState, TokenBuckets } from "../../platform/token-buckets.ts";
import type { Callers } from "../clients/callers.ts";
import { isCommand } from "../commands.ts";

const MAX_CLIENTS = 1_000;
const MAX_ADDRESSES = 1_000;
const MAX_DEVICES = 5_000;

const Parameters = z.record(z.string(), z.string());

export interface RateLimitParts {
  readonly callers: Callers;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly limits: Config["http"]["limits"];
  /** The client whose known secret comes with a request for a token; null for all other requests. */
  readonly provenId: (request: FastifyRequest) => string | null;
}

/** Counts a request and says on the reply how its bucket stands. Answers the refusal of one too many, or null. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => ProblemError | null;

export function createRateLimit({ callers, clock, limits, provenId }: RateLimitParts): RateLimit {
  const { requestsPerMinute, requestBurst, commandsPerMinute, commandsPerDevicePerMinute } = limits;
  const requests = { capacity: requestBurst, perMinute: requestsPerMinute };
  const ofClient = new TokenBuckets({ ...requests, maxKeys: MAX_CLIENTS }, clock);
  const ofAddress = new TokenBuckets({ ...requests, maxKeys: MAX_ADDRESSES }, clock);
  const commandsOf = (perMinute: number, maxKeys: number): TokenBuckets =>
    new TokenBuckets({ capacity: perMinute, perMinute, maxKeys }, clock);
  const commandsOfClient = commandsOf(commandsPerMinute, MAX_CLIENTS);
  const commandsOfDevice = commandsOf(commandsPerDevicePerMinute, MAX_DEVICES);

  return (request, reply) => {
    const clientId = callers.of(request.raw).id ?? provenId(request);
    if (clientId === null) {
      return tell(reply, [ofAddress.take(networkOf(request.socket.remoteAddress ?? ""))], "requests");
    }
    const asked = ofClient.take(clientId);
    if (asked.waitMs > 0) return tell(reply, [asked], "requests");
    const isCommandSent = request.method === "POST" && isCommand(request.method, request.routeOptions.url);
    if (!isCommandSent) return tell(reply, [asked], "requests");
    const [deviceId = ""] = Object.values(Parameters.parse(request.params));
    const before = [commandsOfClient.look(clientId), commandsOfDevice.look(deviceId)];
    // A command takes from both or from none.
    if (before.some(({ waitMs }) => waitMs > 0)) return tell(reply, before, "commands");
    return tell(reply, [asked, commandsOfClient.take(clientId), commandsOfDevice.take(deviceId)], "commands");
  };
}

/** The headers are those of the bucket that is the closest to its end. */
function tell(reply: FastifyReply, states: readonly BucketState[], what: string): ProblemError | null {
  const [tightest] = states.toSorted((a, b) => b.waitMs - a.waitMs || a.remaining - b.remaining);
  if (tightest === undefined) return null;
  const { limit, remaining, fullInMs, waitMs } = tightest;
  reply.headers({
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(fullInMs / SECOND_MS)),
  });
  if (waitMs === 0) return null;
  const seconds = Math.ceil(waitMs / SECOND_MS);
  reply.header("retry-after", String(seconds));
  return problem("too-many-requests", `Too many ${what} in a short time; the next one is answered in ${seconds} s.`);
}
