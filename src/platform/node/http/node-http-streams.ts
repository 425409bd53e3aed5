import { Agent as HttpAgent, type IncomingMessage } from "node:http";
import { hostOf } from "../../network/vetted-addresses.ts";
import { HttpError } from "../../ports/http-error.ts";
import type { HttpStream, HttpStreamEvents, HttpStreams } from "../../ports/http-stream-port.ts";
import { headersOf, startRequest } from "./http-exchange.ts";
import { httpErrorOf } from "./http-failure.ts";
import { tlsAgent } from "./tls-agent.ts";
import { resolveName, vetLiteral, vettedLookup } from "./vetted-lookup.ts";

export interface NodeHttpStreamOptions {
  /** Certificate authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
  /** The addresses of a name, IPv4 first. */
  resolve?(name: string): Promise<readonly string[]>;
}

/** Real streams. As real HTTP, they take no proxy from the environment. */
export function nodeHttpStreams({ ca, resolve = resolveName }: NodeHttpStreamOptions = {}): HttpStreams {
  return {
    async open({ url, headers }, policy, events, signal) {
      signal.throwIfAborted();
      const host = hostOf(url);
      vetLiteral(host, policy);
      const tls = tlsAgent(policy, ca === undefined ? {} : { ca });
      const ways = { plain: new HttpAgent(), tls, lookup: vettedLookup(policy, resolve) };
      // The signal is for the head only: a stream stays open after it.
      const giveUp = new AbortController();
      const abort = (): void => giveUp.abort(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      try {
        const sent = startRequest(host, { method: "GET", url, headers, body: null }, ways, giveUp.signal);
        const { promise, resolve: begun, reject } = Promise.withResolvers<IncomingMessage>();
        sent.on("error", reject);
        sent.on("response", begun);
        sent.end();
        return streamOf(await promise, host, events);
      } catch (error) {
        signal.throwIfAborted();
        throw httpErrorOf(host, error);
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}

function streamOf(answer: IncomingMessage, host: string, events: HttpStreamEvents): HttpStream {
  let isOver = false;
  const end = (error: Error | null): void => {
    if (isOver) return;
    isOver = true;
    answer.destroy();
    events.closed(error);
  };
  answer.on("data", (chunk: Buffer) => {
    if (!isOver) events.data(new Uint8Array(chunk));
  });
  answer.on("end", () => end(null));
  answer.on("error", (error) => end(httpErrorOf(host, error)));
  answer.on("close", () => end(new HttpError("broken", `the connection to ${host} broke`)));
  // Nothing is handed over before the caller has the stream.
  answer.pause();
  setImmediate(() => answer.resume());
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), [Symbol.dispose]: () => end(null) };
}
