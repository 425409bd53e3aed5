/** Reports each HTTP call that this process makes, as Node's own diagnostics tell it. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

/**
 * Calls the listener with a line such as `GET /state → 200` until it is disposed. Bodies, headers and queries, which may be
 * secret, are not in it.
 */
export function reportHttpCalls(listener: (line: string) => void): Disposable {
  const answered = (message: unknown): void => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    listener(`${request.method} ${withoutQuery(request.path)} → ${response.statusCode}`);
  };
  const failed = (message: unknown): void => {
    const { request, error } = message as { request: ClientRequest; error: NodeJS.ErrnoException };
    listener(`${request.method} ${withoutQuery(request.path)} → ${error.code ?? error.message}`);
  };
  const fetched = (message: unknown): void => {
    const { request, response } = message as {
      request: { readonly method: string; readonly origin: string; readonly path: string };
      response: { readonly statusCode: number };
    };
    listener(`${request.method} ${request.origin}${withoutQuery(request.path)} → ${response.statusCode}`);
  };
  const channels = [
    ["http.client.response.finish", answered],
    ["http.client.request.error", failed],
    ["undici:request:headers", fetched],
  ] as const;
  for (const [name, take] of channels) subscribe(name, take);
  return {
    [Symbol.dispose]() {
      for (const [name, take] of channels) unsubscribe(name, take);
    },
  };
}

function withoutQuery(path: string): string {
  return path.split("?", 1)[0] ?? "";
}
