import type { FastifyRequest } from "fastify";

/** How the caller reaches the gateway, which is how the user's browser does, unless the configuration says otherwise. */
export function baseUrl(request: Pick<FastifyRequest, "headers">, configured: string | undefined): string {
  return configured?.replace(/(?<!\/)\/+$/, "") ?? `http://${request.headers.host ?? "localhost"}`;
}
