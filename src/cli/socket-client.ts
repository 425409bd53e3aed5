/** The client of the API that commands use: over the socket of the running gateway, which needs no token. */
import { Readable } from "node:stream";
import { type Client, createClient } from "../client/index.ts";
import { streamSocket } from "../platform/node/unix-socket.ts";
import { askState, notRunning } from "./control-client.ts";
import { controlSocketPath } from "./state-folder.ts";

/** The gateway says something on each stream within this time. */
const SILENCE_MS = 60_000;
const HOST = "http://localhost";

/** Throws a `CliError` if no gateway runs on the state folder. */
export async function socketClient(folder: string, stop: AbortSignal): Promise<Client> {
  if ((await askState(folder, stop)) === null) throw notRunning(folder);
  const socketPath = controlSocketPath(folder);
  return createClient({
    url: HOST,
    timeoutMs: SILENCE_MS,
    fetch: async (url, { method = "GET", headers, body, signal }) => {
      const answer = await streamSocket(
        {
          socketPath,
          method,
          path: `/api${url.slice(HOST.length)}`,
          headers: headers as Record<string, string>,
          ...(typeof body === "string" && { body: JSON.parse(body) as unknown }),
          timeoutMs: SILENCE_MS,
        },
        AbortSignal.any([stop, ...(signal ? [signal] : [])]),
      );
      if (answer === null) throw new TypeError(`nobody listens on ${socketPath}`);
      const stream =
        answer.status === 204
          ? null
          : (Readable.toWeb(Readable.from(answer.body, { objectMode: false })) as ReadableStream);
      return new Response(stream, { status: answer.status, headers: { ...answer.headers } });
    },
  });
}
