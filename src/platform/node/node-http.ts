import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent as HttpsAgent, request as tlsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Http, HttpAnswer, HttpClient, HttpPolicy, HttpRequest } from "../ports.ts";
import { hostOf } from "../vetted-addresses.ts";
import { httpErrorOf } from "./http-failure.ts";
import { type DialOptions, PinnedAgent } from "./pinned-agent.ts";
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
  readonly #lookup: LookupFunction;
  readonly #plain: HttpAgent;
  readonly #tls: HttpsAgent;

  constructor(policy: HttpPolicy, { ca, resolve = resolveName }: NodeHttpOptions) {
    this.#policy = policy;
    this.#lookup = vettedLookup(policy, resolve);
    const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_CONNECTIONS_PER_HOST, maxFreeSockets: 1 };
    this.#plain = new HttpAgent(options);
    this.#tls =
      policy.tls === undefined
        ? new HttpsAgent({ ...options, ...(ca !== undefined && { ca }) })
        : new PinnedAgent(policy.tls, options);
  }

  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    signal.throwIfAborted();
    const host = hostOf(request.url);
    vetLiteral(host, this.#policy);
    try {
      return await exchange(this.#start(host, request, signal), request);
    } catch (error) {
      signal.throwIfAborted();
      throw httpErrorOf(host, error);
    }
  }

  #start(host: string, { method, url, headers, body }: HttpRequest, signal: AbortSignal): ClientRequest {
    const isTls = url.protocol === "https:";
    const start = isTls ? tlsRequest : plainRequest;
    const dial: DialOptions = { dialSignal: signal };
    return start({
      ...dial,
      method,
      host,
      port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, ...(body !== null && { "content-length": body.byteLength }) },
      agent: isTls ? this.#tls : this.#plain,
      lookup: this.#lookup,
      signal,
    });
  }

  [Symbol.dispose](): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

async function exchange(sent: ClientRequest, { body, maxBodyBytes }: HttpRequest): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  sent.on("error", reject);
  sent.on("response", (response) => {
    response.on("error", reject);
    readAnswer(response, maxBodyBytes, resolve);
  });
  sent.end(body ?? undefined);
  return await promise;
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

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_unused, at) => [
    (rawHeaders[2 * at] ?? "").toLowerCase(),
    rawHeaders[2 * at + 1] ?? "",
  ]);
}
