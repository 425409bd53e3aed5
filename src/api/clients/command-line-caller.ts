/** The command line as a client of this API: what it asks over its socket passes the same handlers as on the LAN. */
import type { Readable } from "node:stream";
import { CLIENT_SCOPES } from "../../domain/users/scope.ts";
import { OwnClient, type OwnClientParts } from "./own-client.ts";

export interface ForwardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; `null` without a body. */
  readonly body: string | null;
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** Returns what answers such requests. They need no token: who may open the socket may do everything. */
export function commandLineCaller(parts: OwnClientParts): (request: ForwardedRequest) => Promise<ForwardedAnswer> {
  const client = new OwnClient(parts, { id: "command-line", name: "Command line", scopes: CLIENT_SCOPES });
  return async ({ method, path, headers, body }) => {
    const answer = await parts.api.inject({
      method: method as "GET",
      url: path,
      headers: { ...headers, authorization: `Bearer ${await client.token()}` },
      ...(body !== null && { payload: body }),
      payloadAsStream: true,
    });
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: answer.statusCode, headers: Object.fromEntries(fields), body: answer.stream() };
  };
}
