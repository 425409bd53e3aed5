/** Reports whether the gateway is ready (rule I4.13). Needs no token: a service monitor has none. */
import { problem } from "../../domain/problem.ts";
import type { Api, RouteParts } from "../api.ts";
import { emptyResponse, openProblemResponses } from "../responses.ts";

export const READY_PATH = "/health/ready";

export function healthRoutes(api: Api, { engine }: RouteParts): void {
  api.route({
    method: "GET",
    url: READY_PATH,
    schema: {
      operationId: "getReadiness",
      summary: "Tell whether the gateway is ready",
      description:
        "For monitors and orchestrators, without a token. 204 when the store is open and the engine runs; otherwise 503 with what is wrong in `detail`.",
      tags: ["health"],
      security: [],
      response: { 204: emptyResponse("All is nominal."), ...openProblemResponses("service-unavailable") },
    },
    handler: (_request, reply) => {
      const { isReady, failures } = engine.readiness();
      if (isReady) return reply.code(204).send();
      throw problem("service-unavailable", failures.join("; "));
    },
  });
}
