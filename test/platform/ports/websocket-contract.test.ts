/** What every WebSocket port keeps, the real one on loopback and the simulated one. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { nodeWebSockets } from "../../../src/platform/node/http/node-websocket.ts";
import type {
  HttpPolicy,
  WebSocketConnection,
  WebSocketEvents,
  WebSockets,
} from "../../../src/platform/ports/ports.ts";
import { MAX_UNSENT_BYTES } from "../../../src/platform/ports/websocket-port.ts";
import type { SimHubSocket } from "../../../src/testing/network/sim-socket.ts";
import { SimWeb } from "../../../src/testing/network/sim-web.ts";
import { SimWebSockets } from "../../../src/testing/network/sim-websockets.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const ANYWHERE: HttpPolicy = { refuse: () => null };
const MAX_BYTES = 1_000;

/** The server answers `echo …`, closes on `bye`, sends as many letters as `long N` says, and refuses `/closed` with 403. */
interface Subject {
  readonly sockets: WebSockets;
  readonly port: number;
  /** Headers and paths of the handshakes that came. */
  readonly shaken: { path: string; header: string | undefined }[];
  /** How many goodbyes or ends the server saw. */
  readonly ended: () => number;
  wait<T>(promise: Promise<T>): Promise<T>;
  close(): void;
}

function answer(message: string, socket: { send(text: string): void; close(): void }): void {
  const [word = "", rest = ""] = message.split(" ", 2);
  if (word === "echo") socket.send(rest);
  if (word === "long") socket.send("x".repeat(Number(rest)));
  if (word === "bye") socket.close();
}

async function makeNode(): Promise<Subject> {
  const shaken: Subject["shaken"] = [];
  let ended = 0;
  const http: Server = createServer();
  const server = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, stream, head) => {
    shaken.push({ path: request.url ?? "", header: request.headers["x-a"]?.toString() });
    if (request.url === "/closed") return void stream.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    server.handleUpgrade(request, stream, head, (socket: WebSocket) => {
      socket.on("message", (data) => answer(String(data), socket));
      socket.on("close", () => {
        ended += 1;
      });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of server.clients) socket.terminate();
    http.close();
  };
  const { port } = http.address() as AddressInfo;
  const sockets = nodeWebSockets({ clock: new VirtualClock(), resolve: async () => ["127.0.0.1"] });
  return { sockets, port, shaken, ended: () => ended, wait: (promise) => promise, close };
}

async function makeSimulated(): Promise<Subject> {
  const shaken: Subject["shaken"] = [];
  let ended = 0;
  const clock = new VirtualClock();
  const web = new SimWeb(clock, new SeededRandom(1));
  web.name("hub.example", ["127.0.0.1"]);
  const hub = (
    { path, headers }: { path: string; headers: Readonly<Record<string, string>> },
    socket: SimHubSocket,
  ) => {
    shaken.push({ path, header: headers["x-a"] });
    if (path === "/closed") return { status: 403 };
    const closed = (): void => {
      ended += 1;
    };
    return { text: (message: string) => answer(message, socket), closed };
  };
  web.listen("127.0.0.1", 80, { serve: () => ({ status: 404 }), certificate: null, hub });
  const sockets = new SimWebSockets(web).host(clock);
  return {
    sockets,
    port: 80,
    shaken,
    ended: () => ended,
    wait: (promise) => clock.resolve(promise, 300_000),
    close: () => undefined,
  };
}

/** Remembers what it was told, and lets a test wait for it. */
function recorder() {
  const texts: string[] = [];
  const end = Promise.withResolvers<Error | null>();
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let isOver = false;
  const events: WebSocketEvents = {
    text(message) {
      if (isOver) throw new Error("a message after closed");
      texts.push(message);
      for (const { count, resolve } of waiting) if (texts.length >= count) resolve();
    },
    closed(error) {
      if (isOver) throw new Error("closed twice");
      isOver = true;
      end.resolve(error);
    },
  };
  const until = (count: number): Promise<void> => new Promise((resolve) => waiting.push({ count, resolve }));
  return { texts, events, until, end: end.promise };
}

describe.each([
  ["node", makeNode],
  ["simulated", makeSimulated],
] as const)("WebSocket contract, %s", (_name, make) => {
  const open: (Disposable | Subject)[] = [];
  afterEach(() => {
    for (const thing of open.splice(0)) "close" in thing ? thing.close() : thing[Symbol.dispose]();
  });

  async function connected(path = "/hub", events = recorder(), policy = ANYWHERE) {
    const subject = await make();
    open.push(subject);
    const connect = async (): Promise<WebSocketConnection> => {
      const url = new URL(`ws://user:secret@hub.example:${subject.port}${path}#part`);
      const request = { url, headers: { "x-a": "b" }, maxMessageBytes: MAX_BYTES };
      const connection = await subject.wait(subject.sockets.open(request, policy, events.events, NEVER));
      open.push(connection);
      return connection;
    };
    return { subject, events, connect };
  }

  test("carries messages both ways, in order, with the headers of the handshake", async () => {
    const { subject, events, connect } = await connected("/hub?id=1");
    const connection = await connect();
    const sent = Array.from({ length: 50 }, (_unused, at) => `ä${at}`);
    const heard = events.until(50);
    for (const text of sent) connection.send(`echo ${text}`);
    await subject.wait(heard);
    expect(events.texts).toEqual(sent);
    expect(subject.shaken).toEqual([{ path: "/hub?id=1", header: "b" }]);
  });

  test("tells the server's goodbye once, and says nothing after it", async () => {
    const { subject, events, connect } = await connected();
    const connection = await connect();
    connection.send("bye");
    expect(await subject.wait(events.end)).toBeNull();
    connection.send("echo late");
    connection[Symbol.dispose]();
  });

  test("ends at once when it is disposed", async () => {
    const { subject, events, connect } = await connected();
    const connection = await connect();
    connection.send("echo one");
    connection[Symbol.dispose]();
    expect(await subject.wait(events.end)).toBeNull();
    expect(events.texts).toEqual([]);
  });

  test("takes a message up to the limit, and none beyond it", async () => {
    const { subject, events, connect } = await connected();
    const connection = await connect();
    const heard = events.until(1);
    connection.send(`long ${MAX_BYTES}`);
    await subject.wait(heard);
    connection.send(`long ${MAX_BYTES + 1}`);
    expect(await subject.wait(events.end)).toMatchObject({ name: "HttpError", kind: "broken" });
    expect(events.texts.map(({ length }) => length)).toEqual([MAX_BYTES]);
  });

  test("gives up a connection whose owner cannot take what it hears", async () => {
    const failing = recorder();
    const error = new Error("a bug");
    const events = {
      ...failing.events,
      text: () => {
        throw error;
      },
    };
    const { subject, connect } = await connected("/hub", { ...failing, events });
    const connection = await connect();
    connection.send("echo one");
    expect(await subject.wait(failing.end)).toBe(error);
  });

  test("says with which status it was refused", async () => {
    const { connect } = await connected("/closed");
    await expect(connect()).rejects.toMatchObject({ name: "HandshakeRefused", status: 403 });
  });

  test("says that its handshake was sent, be it refused or not, and nothing where there is none", async () => {
    const subject = await make();
    open.push(subject);
    let sent = 0;
    const shake = async (path: string, policy = ANYWHERE): Promise<string> => {
      const url = new URL(`ws://hub.example:${subject.port}${path}`);
      const onSent = (): void => {
        sent += 1;
      };
      const request = { url, headers: {}, maxMessageBytes: MAX_BYTES, onSent };
      const opening = subject.wait(subject.sockets.open(request, policy, recorder().events, NEVER));
      return await opening.then(
        (connection) => {
          open.push(connection);
          return "open";
        },
        () => "not open",
      );
    };
    expect([await shake("/hub"), sent]).toEqual(["open", 1]);
    expect([await shake("/closed"), sent]).toEqual(["not open", 2]);
    expect([await shake("/hub", { refuse: () => "not there" }), sent]).toEqual(["not open", 2]);
  });

  test("connects to no address that the policy refuses", async () => {
    const { subject, connect } = await connected("/hub", recorder(), { refuse: () => "not there" });
    await expect(connect()).rejects.toMatchObject({ kind: "refused" });
    expect(subject.shaken).toEqual([]);
  });

  test("opens nothing for who gave up before", async () => {
    const subject = await make();
    open.push(subject);
    const given = AbortSignal.abort(new Error("given up"));
    const request = { url: new URL(`ws://hub.example:${subject.port}/`), headers: {}, maxMessageBytes: MAX_BYTES };
    const opening = subject.wait(subject.sockets.open(request, ANYWHERE, recorder().events, given));
    await expect(opening).rejects.toThrow("given up");
    expect(subject.shaken).toEqual([]);
  });
});

test("a queue that nobody takes ends a simulated connection", async () => {
  const clock = new VirtualClock();
  const web = new SimWeb(clock, new SeededRandom(1));
  web.serve(
    "hub.example",
    "1.2.3.4",
    () => ({}),
    () => ({ text: () => undefined, closed: () => undefined }),
  );
  const world = new SimWebSockets(web);
  const { events, end } = recorder();
  const request = { url: new URL("wss://hub.example/"), headers: {}, maxMessageBytes: MAX_BYTES };
  const connection = await clock.resolve(world.host(clock).open(request, ANYWHERE, events, NEVER), 10_000);
  world.silent.add("hub.example");
  for (let sent = 0; sent <= MAX_UNSENT_BYTES; sent += 1_000) connection.send("x".repeat(1_000));
  expect(await clock.resolve(end, 1_000)).toMatchObject({ kind: "broken" });
});
