import { lookup } from "node:dns/promises";
import { createServer, type ListenOptions, type Server, Socket } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { DeviceError } from "../../points/device-error.ts";
import { codeOf, connectionFault, errorText, reachFault } from "../error-text.ts";
import type { Log, Net, NetInterface, StreamEvents, TcpAddress, TcpListener, TcpStream } from "../ports/ports.ts";

/** Bytes that a peer may leave unread before its stream is given up. */
export const MAX_UNSENT_BYTES = 1024 * 1024;
/** Streams that one listener serves at a time; more are refused by closing them. */
const MAX_STREAMS_PER_LISTENER = 256;
/** After so much silence the kernel asks whether the peer is still there: a half-open stream shows itself. */
const KEEP_ALIVE_AFTER_MS = 30_000;
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS } as const;

/** Real TCP. A listener's `accept` that throws is logged and costs that one stream. */
export function nodeNet(log: Pick<Log, "error">): Net {
  return {
    interfaces,
    hostName: hostname,
    resolve,
    connect,
    listen: (address, accept) => listen(address, accept, log),
  };
}

function interfaces(): readonly NetInterface[] {
  const entries = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return entries.flatMap(({ family, internal, address, cidr, mac }) => {
    const prefixLength = Number(cidr?.split("/")[1]);
    return family === "IPv4" && !internal && prefixLength > 0 ? [{ address, prefixLength, mac }] : [];
  });
}

async function resolve(host: string): Promise<readonly string[]> {
  const known = await lookup(host, { family: 4, all: true }).catch(() => []);
  return known.map(({ address }) => address);
}

async function connect(address: TcpAddress, events: StreamEvents, signal: AbortSignal): Promise<TcpStream> {
  signal.throwIfAborted();
  const asked = `connect ${address.host}:${address.port}`;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = newSocket(events.buffer);
  const abort = (): void => reject(signal.reason);
  const fail = (error: Error): void =>
    reject(
      new DeviceError("unreachable", `${asked}: ${connectionFault(error)}`, {
        cause: error,
        reason: reachFault(error),
      }),
    );
  signal.addEventListener("abort", abort, { once: true });
  socket.once("error", fail);
  try {
    socket.connect({ ...address, ...SOCKET_OPTIONS }, resolve);
    await promise;
    // Aborted between the kernel's answer and this line: the caller has left and would never dispose the stream.
    signal.throwIfAborted();
  } catch (error) {
    // An error of a socket that nobody owns any more must not become an uncaught exception.
    socket.on("error", () => undefined);
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  socket.removeListener("error", fail);
  return own(socket, address, () => events);
}

/** A socket that is not connected. With a buffer it emits parts of that as its data, instead of a new one for each segment. */
function newSocket(buffer: Uint8Array | undefined): Socket {
  if (buffer === undefined) return new Socket();
  let bytes = buffer;
  const callback = (count: number): boolean => {
    // Most answers are as long as the one before.
    if (bytes.length !== count) bytes = buffer.subarray(0, count);
    socket.emit("data", bytes);
    return true;
  };
  const socket = new Socket({ onread: { buffer, callback } });
  return socket;
}

/** Hooks a socket up to its owner: from here on `closed` follows exactly once, and nothing after it. */
function own(socket: Socket, remote: TcpAddress, owner: (stream: TcpStream) => StreamEvents): TcpStream {
  let failure: Error | null = null;
  const lose = (error: Error): void => {
    failure ??= new DeviceError("unreachable", `stream ${remote.host}:${remote.port}: ${connectionFault(error)}`, {
      cause: error,
    });
    socket.destroy();
  };
  const stream: TcpStream = {
    remote,
    get bufferedBytes() {
      return socket.writableLength;
    },
    write(bytes) {
      if (socket.destroyed) return;
      socket.write(bytes);
      if (socket.writableLength > MAX_UNSENT_BYTES) {
        lose(new Error(`the peer does not read: more than ${MAX_UNSENT_BYTES} bytes unsent`));
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
  const events = owner(stream);
  socket.on("error", lose);
  // The peer said that it will send no more; what it still would read is of no use to either side.
  socket.on("end", () => socket.destroy());
  socket.on("data", (bytes: Uint8Array) => {
    if (socket.destroyed) return;
    try {
      events.data(bytes);
    } catch (error) {
      // A bug in the owner's decoder costs its stream, not the process.
      lose(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.once("close", () => events.closed(failure));
  return stream;
}

async function listen(
  address: TcpAddress,
  accept: (stream: TcpStream) => StreamEvents,
  log: Pick<Log, "error">,
): Promise<TcpListener> {
  const sockets = new Set<Socket>();
  const server = createServer(SOCKET_OPTIONS, (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    try {
      own(socket, { host: socket.remoteAddress ?? "unknown", port: socket.remotePort ?? 0 }, accept);
    } catch (err) {
      log.error({ err, port: address.port }, "a new stream could not be served");
      socket.destroy();
    }
  });
  server.maxConnections = MAX_STREAMS_PER_LISTENER;
  await bind(server, address);
  const bound = server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : address.port;
  return {
    address: { host: address.host, port },
    async [Symbol.asyncDispose]() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
      await promise;
    },
  };
}

async function bind(server: Server, options: ListenOptions & TcpAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(options, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new Error(`cannot listen on ${options.host}:${options.port}: ${reason(cause)}`, { cause });
  }
  server.removeListener("error", reject);
  // Failing to take one connection (out of descriptors) must not end those that stand.
  server.on("error", () => undefined);
}

function reason(error: unknown): string {
  const code = codeOf(error);
  if (code === "EACCES") return "this user may not open the port";
  if (code === "EADDRNOTAVAIL") return "the machine has no such address";
  return errorText(error);
}
