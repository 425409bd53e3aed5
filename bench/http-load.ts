/**
 * Asks a server over keep-alive connections, one request at a time on each, in a process of its own so that its work is
 * not counted as the server's. Says when it is ready, takes one order, answers with what it measured.
 */
import { connect, type Socket } from "node:net";

export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

process.once("message", (order: LoadOrder) => {
  void run(order).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});
process.send?.("ready");

async function run(order: LoadOrder): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const endMs = startMs + order.durationMs;
  await Promise.all(Array.from({ length: order.connections }, () => askUntil(endMs, order, latenciesMs)));
  const elapsedMs = performance.now() - startMs;
  latenciesMs.sort((a, b) => a - b);
  return {
    requests: latenciesMs.length,
    perSecond: (latenciesMs.length * 1_000) / elapsedMs,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
  };
}

/** One connection's work. */
async function askUntil(endMs: number, { port, path, token }: LoadOrder, latenciesMs: number[]): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  socket.once("error", (error) => {
    throw error;
  });
  try {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const answered = readAnswer(socket);
      socket.write(request);
      await answered;
      latenciesMs.push(performance.now() - sentMs);
    }
  } finally {
    socket.destroy();
  }
}

/** Resolves with the last byte of an answer; rejects on any but a 200. */
function readAnswer(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let head = "";
  let missing = Number.POSITIVE_INFINITY;
  const onData = (bytes: Buffer): void => {
    if (missing !== Number.POSITIVE_INFINITY) missing -= bytes.length;
    else {
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      if (!head.startsWith("HTTP/1.1 200")) reject(new Error(head.slice(0, 200)));
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      missing = Number(length) - (head.length - end - 4);
    }
    if (missing > 0) return;
    socket.off("data", onData);
    resolve();
  };
  socket.on("data", onData);
  return promise;
}
