/** What every port for HTTP streams keeps, the real one on loopback and the simulated one. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { nodeHttpStreams } from "../../../src/platform/node/http/node-http-streams.ts";
import type { HttpStreamEvents, HttpStreams } from "../../../src/platform/ports/http-stream-port.ts";
import type { HttpPolicy } from "../../../src/platform/ports/ports.ts";
import { SimHttpStreams } from "../../../src/testing/network/sim-http-streams.ts";
import { type SimStreamBody, SimWeb } from "../../../src/testing/network/sim-web.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const ANYWHERE: HttpPolicy = { refuse: () => null };

/** The server says `one`, and then what the test does with the body; `/none` is answered 404 and ends. */
interface Subject {
  readonly streams: HttpStreams;
  readonly port: number;
  /** Bodies that are open, oldest first. */
  readonly bodies: Pick<SimStreamBody, "write" | "end" | "break">[];
  readonly seen: { path: string; header: string | undefined }[];
  wait<T>(promise: Promise<T>): Promise<T>;
  close(): void;
}

async function makeNode(): Promise<Subject> {
  const bodies: Subject["bodies"] = [];
  const seen: Subject["seen"] = [];
  const server = createServer((request, response: ServerResponse) => {
    seen.push({ path: request.url ?? "", header: request.headers["x-a"]?.toString() });
    response.writeHead(request.url === "/none" ? 404 : 200, { "x-b": "c" });
    if (request.url === "/none") return void response.end("no");
    response.write("one");
    bodies.push({
      write: (text) => void response.write(text),
      end: () => void response.end(),
      break: () => void response.destroy(),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const streams = nodeHttpStreams({ resolve: async () => ["127.0.0.1"] });
  return { streams, port, bodies, seen, wait: (promise) => promise, close };
}

async function makeSimulated(): Promise<Subject> {
  const clock = new VirtualClock();
  const web = new SimWeb(clock, new SeededRandom(1));
  const bodies: Subject["bodies"] = [];
  const seen: Subject["seen"] = [];
  web.name("cloud.example", ["127.0.0.1"]);
  web.listen("127.0.0.1", 80, {
    certificate: null,
    serve: () => ({ status: 404 }),
    stream({ path, headers }, body) {
      seen.push({ path, header: headers["x-a"] });
      if (path === "/none") {
        body.write("no");
        body.end();
        return { status: 404 };
      }
      body.write("one");
      bodies.push(body);
      return { headers: { "x-b": "c" } };
    },
  });
  const streams = new SimHttpStreams(web, clock);
  const close = (): void => undefined;
  return { streams, port: 80, bodies, seen, wait: (promise) => clock.resolve(promise, 300_000), close };
}

/** Remembers what it was told, and lets a test wait for it. */
function recorder() {
  const end = Promise.withResolvers<Error | null>();
  let [text, isOver] = ["", false];
  let look = (): void => undefined;
  const events: HttpStreamEvents = {
    data(bytes) {
      if (isOver) throw new Error("data after closed");
      text += new TextDecoder().decode(bytes);
      look();
    },
    closed(error) {
      if (isOver) throw new Error("closed twice");
      isOver = true;
      end.resolve(error);
    },
  };
  const until = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => void (text === wanted && resolve());
      look();
    });
  return { events, until, end: end.promise };
}

describe.each([
  ["node", makeNode],
  ["simulated", makeSimulated],
] as const)("HTTP stream contract, %s", (_name, make) => {
  let subject: Subject | null = null;
  afterEach(() => subject?.close());

  async function opened(path = "/down?a=1", policy = ANYWHERE, signal = NEVER) {
    const made = await make();
    subject = made;
    const ears = recorder();
    const request = { url: new URL(`http://cloud.example:${made.port}${path}`), headers: { "x-a": "b" } };
    const stream = await made.wait(made.streams.open(request, policy, ears.events, signal));
    return { ...made, ears, stream };
  }

  test("hands over the head, and the body as it comes", async () => {
    const { stream, ears, bodies, seen, wait } = await opened();
    expect(stream.status).toBe(200);
    expect(stream.headers).toContainEqual(["x-b", "c"]);
    expect(seen).toEqual([{ path: "/down?a=1", header: "b" }]);
    await wait(ears.until("one"));
    bodies[0]?.write(" two");
    await wait(ears.until("one two"));
    bodies[0]?.end();
    expect(await wait(ears.end)).toBeNull();
    stream[Symbol.dispose]();
  });

  test("tells of a connection that breaks", async () => {
    const { ears, bodies, wait } = await opened();
    await wait(ears.until("one"));
    bodies[0]?.break();
    expect(await wait(ears.end)).toMatchObject({ name: "HttpError", kind: "broken" });
  });

  test("ends at once when it is disposed, and says nothing after it", async () => {
    const { stream, ears, bodies, wait } = await opened();
    stream[Symbol.dispose]();
    stream[Symbol.dispose]();
    expect(await wait(ears.end)).toBeNull();
    bodies[0]?.write("late");
  });

  test("hands over whatever status came", async () => {
    const { stream, ears, wait } = await opened("/none");
    expect(stream.status).toBe(404);
    await wait(ears.until("no"));
    expect(await wait(ears.end)).toBeNull();
  });

  test("connects to no address that the policy refuses, and to none for who gave up", async () => {
    await expect(opened("/", { refuse: () => "not there" })).rejects.toMatchObject({ kind: "refused" });
    expect(subject?.seen).toEqual([]);
    await expect(opened("/", ANYWHERE, AbortSignal.abort(new Error("given up")))).rejects.toThrow("given up");
    expect(subject?.seen).toEqual([]);
  });
});
