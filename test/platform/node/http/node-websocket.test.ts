import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { refuseAddress } from "../../../../src/platform/network/address-policy.ts";
import { PING_MS, SILENT_MS } from "../../../../src/platform/network/socket-pulse.ts";
import { type NodeWebSocketOptions, nodeWebSockets } from "../../../../src/platform/node/http/node-websocket.ts";
import type { HttpPolicy, PinnedCertificate, WebSocketEvents } from "../../../../src/platform/ports/ports.ts";
import { HANDSHAKE_MS, MAX_UNSENT_BYTES } from "../../../../src/platform/ports/websocket-port.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";

const folder = new URL("../tls/", import.meta.url);
/** Made for these tests: a certificate for hooks.example that nothing else trusts. */
const TLS = {
  key: readFileSync(new URL("test-only.key.pem", folder), "utf8"),
  cert: readFileSync(new URL("test-only.cert.pem", folder), "utf8"),
};
const ANYWHERE: HttpPolicy = { refuse: () => null };
const NEVER = new AbortController().signal;
const MAX_BYTES = 1_000;

const cleanup: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanup.splice(0).reverse()) clean();
});

interface Served {
  readonly port: number;
  readonly server: WebSocketServer;
  /** The next client. */
  readonly client: Promise<WebSocket>;
}

async function serveTls(): Promise<Served> {
  const https = createTlsServer(TLS);
  const server = new WebSocketServer({ server: https });
  const { promise: client, resolve } = Promise.withResolvers<WebSocket>();
  server.on("connection", resolve);
  https.listen(0, "127.0.0.1");
  await once(https, "listening");
  cleanup.push(() => {
    for (const socket of server.clients) socket.terminate();
    https.closeAllConnections();
    https.close();
  });
  return { port: (https.address() as AddressInfo).port, server, client };
}

/** A server that gets bytes, and answers what the test wants. */
async function servePlain(taken: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    taken(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function open(
  url: string,
  {
    policy = ANYWHERE,
    signal = NEVER,
    onSent = () => undefined,
    ...options
  }: Partial<NodeWebSocketOptions> & {
    policy?: HttpPolicy;
    signal?: AbortSignal;
    onSent?: () => void;
  } = {},
) {
  const clock = new VirtualClock();
  const end = Promise.withResolvers<Error | null>();
  const texts: string[] = [];
  const first = Promise.withResolvers<void>();
  const text = (message: string): void => {
    texts.push(message);
    first.resolve();
  };
  const events: WebSocketEvents = { text, closed: end.resolve };
  const sockets = nodeWebSockets({ clock, resolve: async () => ["127.0.0.1"], ...options });
  const request = { url: new URL(url), headers: {}, maxMessageBytes: MAX_BYTES, onSent };
  const opening = sockets.open(request, policy, events, signal);
  opening.then(
    (connection) => cleanup.push(() => connection[Symbol.dispose]()),
    () => undefined,
  );
  return { clock, end: end.promise, heard: first.promise, texts, opening };
}

describe("over TLS", () => {
  test("a server is trusted for its name, by its authority", async () => {
    const { port } = await serveTls();
    const { opening } = open(`wss://hooks.example:${port}/`, { ca: TLS.cert });
    await expect(opening).resolves.toHaveProperty("send");
  });

  test.each([
    ["nobody signed its certificate", "hooks.example", {}],
    ["its certificate is for another name", "other.example", { ca: TLS.cert }],
  ])("a server is refused when %s, before a byte of the handshake", async (_why, host, options) => {
    const { port, server } = await serveTls();
    let handshakes = 0;
    server.on("headers", () => {
      handshakes += 1;
    });
    await expect(open(`wss://${host}:${port}/`, options).opening).rejects.toMatchObject({ kind: "untrusted" });
    expect(handshakes).toBe(0);
  });

  test("a pinned certificate is trusted, and no other", async () => {
    const { port } = await serveTls();
    const sha256 = new X509Certificate(TLS.cert).fingerprint256;
    const pinned = (fingerprint: string): PinnedCertificate => ({
      kind: "pinned",
      sha256: fingerprint,
      seen: () => undefined,
    });
    const right = open(`wss://device.lan:${port}/`, { policy: { ...ANYWHERE, tls: pinned(sha256) } });
    await expect(right.opening).resolves.toHaveProperty("send");
    const wrong = open(`wss://device.lan:${port}/`, { policy: { ...ANYWHERE, tls: pinned("0".repeat(64)) } });
    await expect(wrong.opening).rejects.toMatchObject({ kind: "untrusted" });
  });

  test("a message beyond the limit ends the connection, however it is cut", async () => {
    const { port, client } = await serveTls();
    const { opening, end, texts } = open(`wss://hooks.example:${port}/`, { ca: TLS.cert });
    await opening;
    const socket = await client;
    for (let sent = 0; sent <= MAX_BYTES; sent += 100) socket.send("x".repeat(100), { fin: false });
    expect(await end).toMatchObject({ kind: "broken" });
    expect(texts).toEqual([]);
  });

  test("a message that is no text ends the connection", async () => {
    const { port, client } = await serveTls();
    const { opening, end } = open(`wss://hooks.example:${port}/`, { ca: TLS.cert });
    await opening;
    (await client).send(Buffer.from([1, 2, 3]));
    expect(await end).toMatchObject({ kind: "broken", message: expect.stringContaining("no text") });
  });
});

describe("the policy", () => {
  const policy: HttpPolicy = { refuse: (address) => refuseAddress(address, "internet") };

  test.each(["127.0.0.1", "[::1]", "2130706433", "hub.example"])(
    "refuses %s before anything connects",
    async (host) => {
      let connections = 0;
      const port = await servePlain(() => {
        connections += 1;
      });
      await expect(open(`ws://${host}:${port}/`, { policy }).opening).rejects.toMatchObject({ kind: "refused" });
      expect(connections).toBe(0);
    },
  );
});

describe("a handshake", () => {
  test.each([
    ["nobody answers", "ws", true],
    ["waits for TLS was not sent, and", "wss", false],
  ])("that %s is given up", async (_why, scheme, isSent) => {
    const connected = Promise.withResolvers<void>();
    const port = await servePlain((socket) => socket.on("data", () => connected.resolve()));
    let wasSent = false;
    const onSent = (): void => {
      wasSent = true;
    };
    const { clock, opening } = open(`${scheme}://hub.example:${port}/`, { onSent });
    const refused = expect(opening).rejects.toMatchObject({ kind: "unreachable" });
    await connected.promise;
    await clock.advance(HANDSHAKE_MS);
    await refused;
    expect(wasSent).toBe(isSent);
  });

  test("ends when its signal says so, and leaves no socket", async () => {
    const left = Promise.withResolvers<void>();
    const connected = Promise.withResolvers<void>();
    const port = await servePlain((socket) => {
      socket.on("data", () => connected.resolve());
      socket.on("close", () => left.resolve());
    });
    const given = new AbortController();
    const { opening } = open(`ws://hub.example:${port}/`, { signal: given.signal });
    const refused = expect(opening).rejects.toThrow("given up");
    await connected.promise;
    given.abort(new Error("given up"));
    await refused;
    await left.promise;
  });

  test.each([
    ["a redirect", "HTTP/1.1 302 Found\r\nlocation: ws://127.0.0.1/\r\n\r\n", { status: 302 }],
    ["no HTTP", "hello\r\n\r\n", { kind: "broken" }],
    ["a wrong key", "HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n", { kind: "broken" }],
  ])("answered by %s opens nothing", async (_what, answer, failure) => {
    const port = await servePlain((socket) => socket.on("data", () => socket.write(answer)));
    await expect(open(`ws://hub.example:${port}/`).opening).rejects.toMatchObject(failure);
  });
});

describe("a connection", () => {
  async function connected() {
    const served = await serveTls();
    const client = open(`wss://hooks.example:${served.port}/`, { ca: TLS.cert });
    return { ...client, connection: await client.opening, socket: await served.client };
  }

  test("is pinged, lives while it is answered, and is given up in silence", async () => {
    const { clock, end, heard, socket } = await connected();
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    // The message comes after the pong.
    socket.on("ping", () => socket.send("alive"));
    await clock.advance(PING_MS);
    await heard;
    socket.pause();
    await clock.advance(SILENT_MS - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await end).toMatchObject({ kind: "broken", message: expect.stringContaining("nothing heard") });
  });

  test("whose server does not read is given up before its queue grows", async () => {
    const { connection, end, socket } = await connected();
    socket.pause();
    const text = "x".repeat(64 * 1024);
    // The systems in between take some of it first.
    for (let sent = 0; sent < 64 * MAX_UNSENT_BYTES; sent += text.length) connection.send(text);
    expect(await end).toMatchObject({ kind: "broken", message: expect.stringContaining("does not read") });
  });

  test("that breaks is told as broken", async () => {
    const { end, socket } = await connected();
    socket.terminate();
    expect(await end).toMatchObject({ kind: "broken" });
  });
});
