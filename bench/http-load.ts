/**
 * Asks a server over keep-alive connections, one request at a time on each, in a process of its own so that its work is
 * not counted as the server's. Says when it is ready, takes one order, answers with what it measured.
 */
import { connect, type Socket } from "node:net";

/** One request; several are sent in turn. */
export interface LoadRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface LoadOrder {
  readonly port: number;
  readonly requests: readonly LoadRequest[];
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
  const texts = order.requests.map((request) => textOf(request, order));
  let sent = 0;
  const next = (): string => texts[sent++ % texts.length] ?? "";
  const startMs = performance.now();
  const endMs = startMs + order.durationMs;
  const { port, connections } = order;
  await Promise.all(Array.from({ length: connections }, () => askUntil(endMs, { port, next }, latenciesMs)));
  const elapsedMs = performance.now() - startMs;
  latenciesMs.sort((a, b) => a - b);
  return {
    requests: latenciesMs.length,
    perSecond: (latenciesMs.length * 1_000) / elapsedMs,
    p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
  };
}

function textOf({ method = "GET", path, headers, body }: LoadRequest, { port, token }: LoadOrder): string {
  const content = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${content}`;
}

/** One connection's work. */
async function askUntil(
  endMs: number,
  { port, next }: { readonly port: number; next(): string },
  latenciesMs: number[],
): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  socket.once("error", (error) => {
    throw error;
  });
  try {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const answered = readAnswer(socket);
      socket.write(next());
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
      if (!head.startsWith("HTTP/1.1 200")) reject(new Error(head.slice(0, 1_000)));
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
