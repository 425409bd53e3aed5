import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** Far above what the clients of a house open within the second or two of a start. */
const MAX_CONNECTIONS = 64;
const REQUEST_TIMEOUT_MS = 5_000;
/** A connection is accepted in one turn of the event loop, and its request read in the next. */
const TIME_TO_ANSWER_MS = 2;
const RETRY_AFTER_S = "1";
const BODY = JSON.stringify({
  type: "about:blank",
  title: "Service Unavailable",
  detail: "The gateway is starting. Try again in a second.",
});

export interface StartingServer {
  /** Resolves when the requests that came while the process was busy are answered. */
  answerPending(): Promise<void>;
  /** Answers what is pending and frees the port. */
  close(): Promise<void>;
}

/**
 * Listens at once and answers every request with 503 and `Retry-After`, until it is closed and the API takes the port.
 * Resolves to `null` if the address cannot be had: the API will say why.
 */
export async function startingServer(host: string, port: number): Promise<StartingServer | null> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS }, refuse);
  server.maxConnections = MAX_CONNECTIONS;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once("error", () => resolve(false));
  server.listen({ host, port }, () => resolve(true));
  if (!(await promise)) return null;
  // It keeps nothing alive: a start that fails ends the process.
  server.unref();
  const answerPending = async (): Promise<void> => await pause(TIME_TO_ANSWER_MS);
  return {
    answerPending,
    close: async () => {
      if (!server.listening) return;
      await answerPending();
      server.close();
      server.closeIdleConnections();
    },
  };
}

function refuse(_request: unknown, response: ServerResponse): void {
  response.writeHead(503, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    "retry-after": RETRY_AFTER_S,
    connection: "close",
  });
  response.end(BODY);
}
