import { type ClientRequest, type Agent as HttpAgent, type IncomingMessage, request as plainRequest } from "node:http";
import { type Agent as HttpsAgent, request as tlsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { HttpRequest } from "../../ports/ports.ts";
import type { DialOptions } from "./pinned-agent.ts";

/** How requests of one client reach their servers. */
export interface HttpWays {
  readonly plain: HttpAgent;
  readonly tls: HttpsAgent;
  readonly lookup: LookupFunction;
}

/** Begins a request; its body is the caller's to send. */
export function startRequest(
  host: string,
  { method, url, headers, body, content }: Pick<HttpRequest, "method" | "url" | "headers" | "body" | "content">,
  { plain, tls, lookup }: HttpWays,
  signal: AbortSignal,
): ClientRequest {
  const isTls = url.protocol === "https:";
  const length = content?.bytes ?? body?.byteLength;
  const start = isTls ? tlsRequest : plainRequest;
  const dial: DialOptions = { dialSignal: signal };
  return start({
    ...dial,
    method,
    host,
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host, ...(length !== undefined && { "content-length": length }) },
    agent: isTls ? tls : plain,
    lookup,
    signal,
  });
}

/** Names in lower case and values, in the order received. */
export function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_unused, at) => [
    (rawHeaders[2 * at] ?? "").toLowerCase(),
    rawHeaders[2 * at + 1] ?? "",
  ]);
}
