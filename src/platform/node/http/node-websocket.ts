import type { RawData, WebSocket } from "ws";
import { SILENT_MS, SocketPulse } from "../../network/socket-pulse.ts";
import { hostOf } from "../../network/vetted-addresses.ts";
import { HandshakeRefused } from "../../ports/handshake-refused.ts";
import { HttpError } from "../../ports/http-error.ts";
import type {
  Clock,
  HttpPolicy,
  WebSocketConnection,
  WebSocketEvents,
  WebSocketRequest,
  WebSockets,
} from "../../ports/ports.ts";
import { HANDSHAKE_MS, MAX_UNSENT_BYTES } from "../../ports/websocket-port.ts";
import { TimeoutError, within } from "../../within.ts";
import { httpErrorOf } from "./http-failure.ts";
import { tlsAgent } from "./tls-agent.ts";
import { resolveName, vetLiteral, vettedLookup } from "./vetted-lookup.ts";

/** Pieces of one message, and pieces of the network that wait for the rest of one. */
const MAX_FRAGMENTS = 1_024;
const MAX_CHUNKS = 4_096;
/** A close without a close frame (RFC 6455, 7.1.5): the connection broke. */
const ABNORMAL = 1006;

export interface NodeWebSocketOptions {
  readonly clock: Clock;
  /** Certificate authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
  /** The addresses of a name, IPv4 first. */
  resolve?(name: string): Promise<readonly string[]>;
}

/** Real WebSockets. As real HTTP, they take no proxy from the environment. */
export function nodeWebSockets(options: NodeWebSocketOptions): WebSockets {
  const { clock } = options;
  return {
    async open(request, policy, events, signal) {
      signal.throwIfAborted();
      const host = hostOf(request.url);
      vetLiteral(host, policy);
      const socket = await begin(request, policy, options);
      try {
        await within(clock, HANDSHAKE_MS, signal, () => opened(socket, host));
      } catch (error) {
        socket.terminate();
        signal.throwIfAborted();
        throw handshakeFailure(host, error);
      }
      return new NodeWebSocket(socket, { host, events, clock });
    },
  };
}

async function begin(
  { url, headers, maxMessageBytes, onSent }: WebSocketRequest,
  policy: HttpPolicy,
  { ca, resolve = resolveName }: NodeWebSocketOptions,
): Promise<WebSocket> {
  // Loaded on demand: most homes have no cloud that pushes.
  const { WebSocket } = await import("ws");
  const plain = new URL(url);
  [plain.username, plain.password, plain.hash] = ["", "", ""];
  const socket = new WebSocket(plain, {
    headers,
    lookup: vettedLookup(policy, resolve),
    maxPayload: maxMessageBytes,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    followRedirects: false,
    // Compression costs memory for each connection, and a compressed bomb costs the receiver time.
    perMessageDeflate: false,
    finishRequest(sent) {
      if (onSent !== undefined) sent.once("finish", onSent);
      sent.end();
    },
    ...(ca !== undefined && { ca }),
    ...(policy.tls !== undefined &&
      plain.protocol === "wss:" && { agent: tlsAgent(policy, ca === undefined ? {} : { ca }) }),
  });
  // One that is given up still has something to say.
  socket.on("error", () => undefined);
  return socket;
}

/** Resolves when hands are shaken; nothing is read before its owner has it. */
async function opened(socket: WebSocket, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("open", () => {
    socket.pause();
    resolve();
  });
  socket.once("unexpected-response", (_request, { statusCode = 0 }) => reject(new HandshakeRefused(host, statusCode)));
  socket.once("error", reject);
  await promise;
}

function handshakeFailure(host: string, error: unknown): HttpError | HandshakeRefused {
  if (error instanceof HandshakeRefused) return error;
  if (!(error instanceof TimeoutError)) return httpErrorOf(host, error);
  return new HttpError("unreachable", `${host} did not shake hands within ${HANDSHAKE_MS / 1_000} s`);
}

interface Parts {
  readonly host: string;
  readonly events: WebSocketEvents;
  readonly clock: Clock;
}

class NodeWebSocket implements WebSocketConnection {
  readonly #socket: WebSocket;
  readonly #parts: Parts;
  readonly #pulse: SocketPulse;
  #isOver = false;
  #failure: Error | null = null;

  constructor(socket: WebSocket, parts: Parts) {
    this.#socket = socket;
    this.#parts = parts;
    const silent = (): void => this.#end(this.#broken(`nothing heard for ${SILENT_MS / 1_000} s`));
    this.#pulse = new SocketPulse(parts.clock, { ping: () => socket.ping(), silent });
    socket.on("message", (data, isBinary) => this.#take(data, isBinary));
    socket.on("ping", () => this.#pulse.received());
    socket.on("pong", () => this.#pulse.received());
    // The library waits for the other end's goodbye; who breaks the protocol is not waited for.
    socket.on("error", (error) => this.#end(httpErrorOf(parts.host, error)));
    socket.on("close", (code) => this.#closed(code));
    setImmediate(() => socket.resume());
  }

  send(message: string): void {
    if (this.#isOver) return;
    this.#socket.send(message);
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.#end(this.#broken("the server does not read"));
  }

  [Symbol.dispose](): void {
    this.#end(null);
  }

  #take(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#pulse.received();
    try {
      if (!isBinary && Buffer.isBuffer(data)) this.#parts.events.text(data.toString("utf8"));
      else this.#end(this.#broken("a message that is no text"));
    } catch (error) {
      // A bug in the owner's decoder costs its connection, not the process.
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #end(failure: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#pulse[Symbol.dispose]();
    this.#socket.terminate();
  }

  #closed(code: number): void {
    if (!this.#isOver && code === ABNORMAL) this.#failure = this.#broken("it ended without a goodbye");
    this.#isOver = true;
    this.#pulse[Symbol.dispose]();
    this.#parts.events.closed(this.#failure);
  }

  #broken(why: string): HttpError {
    return new HttpError("broken", `the connection to ${this.#parts.host} broke: ${why}`);
  }
}
