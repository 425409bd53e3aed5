import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { hostOf } from "../../network/vetted-addresses.ts";
import type { Http, HttpAnswer, HttpClient, HttpPolicy, HttpRequest } from "../../ports/ports.ts";
import { type HttpWays, headersOf, startRequest } from "./http-exchange.ts";
import { httpErrorOf } from "./http-failure.ts";
import { tlsAgent } from "./tls-agent.ts";
import { resolveName, vetLiteral, vettedLookup } from "./vetted-lookup.ts";

/**
 * An idle connection is kept this long for the next request. Servers close theirs after 5 s or later, so none is taken
 * up again in the moment in which it ends.
 */
const IDLE_MS = 2_000;
const MAX_CONNECTIONS_PER_HOST = 4;

export interface NodeHttpOptions {
  /** Certificate authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
  /** The addresses of a name, IPv4 first. */
  resolve?(name: string): Promise<readonly string[]>;
}

/** Real HTTP. It takes no proxy from the environment: a proxy would resolve names behind the policy's back. */
export function nodeHttp(options: NodeHttpOptions = {}): Http {
  return { open: (policy) => new NodeHttpClient(policy, options) };
}

class NodeHttpClient implements HttpClient {
  readonly #policy: HttpPolicy;
  readonly #ways: HttpWays;

  constructor(policy: HttpPolicy, { ca, resolve = resolveName }: NodeHttpOptions) {
    this.#policy = policy;
    const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_CONNECTIONS_PER_HOST, maxFreeSockets: 1 };
    const tls = tlsAgent(policy, { ...options, ...(ca !== undefined && { ca }) });
    this.#ways = { plain: new HttpAgent(options), tls, lookup: vettedLookup(policy, resolve) };
  }

  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const host = hostOf(request.url);
    vetLiteral(host, this.#policy);
    try {
      return await exchange(startRequest(host, request, this.#ways, signal), request);
    } catch (error) {
      signal.throwIfAborted();
      throw httpErrorOf(host, error);
    }
  }

  [Symbol.dispose](): void {
    this.#ways.plain.destroy();
    this.#ways.tls.destroy();
  }
}

async function exchange(
  sent: ClientRequest,
  { body, content, maxBodyBytes, onSent }: HttpRequest,
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  sent.on("error", reject);
  if (onSent !== undefined) sent.once("finish", onSent);
  sent.on("response", (response) => {
    response.on("error", reject);
    readAnswer(response, maxBodyBytes, resolve);
  });
  if (content === undefined) {
    sent.end(body ?? undefined);
    return await promise;
  }
  // A server that has seen enough answers early; what follows then is for nobody.
  pipeline(content.pieces, sent).catch(reject);
  try {
    return await promise;
  } finally {
    if (!sent.writableFinished) sent.destroy();
  }
}

function readAnswer(response: IncomingMessage, maxBodyBytes: number, done: (answer: HttpAnswer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isBodyCut: boolean): void =>
    done({
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      body: Buffer.concat(chunks).subarray(0, maxBodyBytes),
      isBodyCut,
    });
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxBodyBytes) return;
    finish(true);
    response.destroy();
  });
  response.on("end", () => finish(false));
}
