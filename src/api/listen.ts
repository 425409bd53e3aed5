import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";

/**
 * Returns where the API listens. It is ready before the port is freed, so that hardly a connection is refused between. The
 * same server answers https, so that it has the same limits.
 */
export async function listenAt(
  api: FastifyInstance,
  https: { start(accept: (connection: object) => void): Promise<void> },
  { host, port }: Pick<Config["http"], "host" | "port">,
  { beforeListening }: { beforeListening?(): Promise<void> },
): Promise<string> {
  await api.ready();
  await beforeListening?.();
  const address = await api.listen({ host, port });
  await https.start((connection) => api.server.emit("connection", connection));
  return address;
}
