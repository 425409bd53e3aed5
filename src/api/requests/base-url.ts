import type { FastifyRequest } from "fastify";

/** How the caller reaches the gateway, which is how the user's browser does, unless the configuration says otherwise. */
export function baseUrl(request: Pick<FastifyRequest, "headers" | "protocol">, configured: string | undefined): string {
  return configured?.replace(/(?<!\/)\/+$/, "") ?? `${request.protocol}://${request.headers.host ?? "localhost"}`;
}
