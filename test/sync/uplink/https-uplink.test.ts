import { expect, test } from "vitest";
import { HttpsUplink } from "../../../src/sync/uplink/https-uplink.ts";
import { type UplinkConnection, UplinkError } from "../../../src/sync/uplink/uplink.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { SimStreamBody, SimWebAnswer, SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { World } from "../../../src/testing/world.ts";
import { batch, bytes, HELLO, heard } from "./recorded-events.ts";

const NEVER = new AbortController().signal;
const STREAM = { "content-type": "text/event-stream" };

function events(...frames: string[]): string {
  return frames.map((frame) => `event: frame\ndata: ${Buffer.from(frame).toString("base64")}\n\n`).join("");
}

/** A cloud service: takes frames, answers them as a test says, and streams unless it is kept from it. */
function bed() {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", new MemoryDisk());
  const service = {
    posts: [] as SimWebRequest[],
    polls: [] as SimWebRequest[],
    streams: [] as { request: SimWebRequest; body: SimStreamBody }[],
    /** What a POST is answered, by its number from 0. */
    post: (_at: number): SimWebAnswer => ({ status: 204 }),
    poll: (): SimWebAnswer => ({ status: 204, delayMs: 25_000 }),
    stream: (): SimWebAnswer => ({ headers: STREAM }),
    /** Said at the head of each stream; "" as behind something that holds streams back. */
    greeting: ": here\n\n",
  };
  world.web.name("cloud.example", ["9.9.9.9"]);
  const listen = (): void =>
    world.web.listen("9.9.9.9", 443, {
      certificate: ["cloud.example"],
      serve(request) {
        if (request.method === "POST") return service.post(service.posts.push(request) - 1);
        service.polls.push(request);
        return service.poll();
      },
      stream(request, body) {
        service.streams.push({ request, body });
        if (service.greeting !== "") body.write(service.greeting);
        return service.stream();
      },
    });
  listen();
  const tokens: string[] = [];
  const uplink = new HttpsUplink({
    ...process.platform,
    gateway: "gw-1",
    url: "https://cloud.example/hemgate/v1",
    policy: { refuse: () => null },
    credentials: async () => ({ authorization: `Bearer ${tokens.push("token")}` }),
  });
  const connect = async (ears = heard()): Promise<UplinkConnection> =>
    await world.clock.resolve(uplink.connect(ears.events, NEVER), 120_000);
  const failure = async (): Promise<unknown> =>
    await connect().then(
      () => null,
      (error: unknown) => (error instanceof UplinkError ? error.end : error),
    );
  /** The last stream stays alive for so long. */
  const beat = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20_000) {
      service.streams.at(-1)?.body.write(":\n\n");
      await world.clock.advance(20_000);
    }
  };
  return { world, process, service, uplink, connect, failure, beat, tokens, listen };
}

const settle = (world: World): Promise<void> => world.clock.advance(2_000);

test("2.2, rule 13: frames are posted one by one under their keys, and their answers are handed up", async () => {
  const { world, service, connect } = bed();
  service.post = (at) => ({ headers: STREAM, body: events(`ack ${at}`, "more") });
  const ears = heard();
  const connection = await connect(ears);
  expect(connection.credits).toBe(2);
  connection.send(bytes("h"), HELLO);
  connection.send(bytes("b"), batch(3, 7, "telemetry"));
  expect(connection.credits).toBe(0);
  await settle(world);
  expect(connection.credits).toBe(2);
  expect(ears.drained.count).toBe(1);
  expect(ears.frames).toEqual(["ack 0", "more", "ack 1", "more"]);
  const [stream] = service.streams;
  const [hello, telemetry] = service.posts;
  expect(stream?.request).toMatchObject({
    path: "/hemgate/v1/gateways/gw-1/down",
    headers: { accept: "text/event-stream", authorization: "Bearer 1" },
  });
  const id = stream?.request.headers["hemgate-connection"];
  expect(hello).toMatchObject({
    path: "/hemgate/v1/gateways/gw-1/up",
    body: "h",
    headers: {
      "content-type": "application/octet-stream",
      "hemgate-connection": id,
      "idempotency-key": `"${id}/hello-1"`,
    },
  });
  expect(telemetry?.headers["idempotency-key"]).toBe('"00000000000000aa/telemetry/3-7"');
});

test("frames come down the stream; one that breaks is opened again where it was, and nobody is told", async () => {
  const { world, service, connect } = bed();
  const ears = heard();
  await connect(ears);
  service.streams[0]?.body.write(`id: 41\n${events("a")}`);
  await settle(world);
  service.streams[0]?.body.break();
  await settle(world);
  await settle(world);
  service.streams[1]?.body.write(events("b"));
  await settle(world);
  expect(ears.frames).toEqual(["a", "b"]);
  expect(service.streams[1]?.request.headers["last-event-id"]).toBe("41");
  expect(ears.ends).toEqual([]);
});

test("a stream that goes silent is opened again", async () => {
  const { world, service, connect, beat } = bed();
  await connect();
  await beat(300_000);
  expect(service.streams).toHaveLength(1);
  await world.clock.advance(70_000);
  expect(service.streams.length).toBeGreaterThan(1);
  expect(service.streams[0]?.body.isOpen).toBe(false);
});

test("where streams do not live it polls, and tries a stream again later", async () => {
  const { world, service, connect, beat } = bed();
  service.greeting = "";
  const ears = heard();
  await connect(ears);
  await world.clock.advance(120_000);
  expect(service.streams).toHaveLength(2);
  expect(service.polls.at(-1)?.path).toBe("/hemgate/v1/gateways/gw-1/down?wait=25");
  service.poll = () => ({ headers: STREAM, body: events("polled"), delayMs: 20_000 });
  await world.clock.advance(60_000);
  expect(new Set(ears.frames)).toEqual(new Set(["polled"]));
  service.greeting = ": here\n\n";
  await world.clock.advance(600_000);
  const [polls, streams] = [service.polls.length, service.streams.length];
  expect(streams).toBeGreaterThan(2);
  await beat(600_000);
  expect(service.streams).toHaveLength(streams);
  expect(service.polls).toHaveLength(polls);
  expect(ears.ends).toEqual([]);
});

test("a proxy that keeps the head of the stream is no hindrance", async () => {
  const { service, connect } = bed();
  service.stream = () => ({ fault: "hang" });
  service.poll = () => ({ status: 204 });
  const connection = await connect();
  expect(connection.name).toBe("https");
  expect(service.polls).toHaveLength(1);
});

test("a service that does not keep polls is not asked more often than every 5 s", async () => {
  const { world, service, connect } = bed();
  service.stream = () => ({ status: 405 });
  service.poll = () => ({ status: 204 });
  await connect();
  await world.clock.advance(300_000);
  expect(service.polls.length).toBeGreaterThan(50);
  expect(service.polls.length).toBeLessThan(63);
});

test.each([
  [401, "refused"],
  [403, "refused"],
  [404, "refused"],
  [410, "refused"],
  [301, "refused"],
  [409, "taken-over"],
  [429, "quota"],
  [500, "lost"],
  [503, "lost"],
] as const)("a way down that is answered %i is %s, for as long as Retry-After says", async (status, kind) => {
  const { service, failure, process } = bed();
  service.stream = () => ({ status, headers: { "retry-after": "120" } });
  service.poll = service.stream;
  expect(await failure()).toMatchObject({ kind, retryAfterMs: 120_000 });
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test.each([
  [403, "refused"],
  [409, "taken-over"],
  [429, "quota"],
  [503, "lost"],
] as const)("a frame that is answered %i ends the connection as %s", async (status, kind) => {
  const { world, service, connect, process } = bed();
  service.post = () => ({ status, headers: { "retry-after": "7" } });
  const ears = heard();
  const connection = await connect(ears);
  connection.send(bytes("h"), HELLO);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind, retryAfterMs: 7_000 }]);
  expect(connection.credits).toBe(0);
  await settle(world);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("a token that ran out is renewed once", async () => {
  const { world, service, connect, tokens } = bed();
  service.post = (at) => ({ status: at === 0 ? 401 : 204 });
  const ears = heard();
  const connection = await connect(ears);
  connection.send(bytes("h"), HELLO);
  await settle(world);
  expect(service.posts.map(({ headers }) => headers["authorization"])).toEqual(["Bearer 1", "Bearer 2"]);
  expect(ears.ends).toEqual([]);
  service.post = () => ({ status: 401 });
  connection.send(bytes("b"), batch(1, 1));
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "refused" }]);
  expect(tokens).toHaveLength(3);
});

test("a request without an answer is sent once more under the same key, and then no more", async () => {
  const { world, service, connect } = bed();
  service.post = (at) => (at === 0 ? { fault: "break" } : { status: 204 });
  const ears = heard();
  const connection = await connect(ears);
  connection.send(bytes("b"), batch(1, 4));
  await settle(world);
  expect(service.posts.map(({ headers }) => headers["idempotency-key"])).toEqual([
    '"00000000000000aa/event/1-4"',
    '"00000000000000aa/event/1-4"',
  ]);
  expect(ears.ends).toEqual([]);
  service.post = () => ({ fault: "break" });
  connection.send(bytes("b"), batch(5, 5));
  await settle(world);
  expect(service.posts).toHaveLength(4);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
});

test("a frame that is too large for the service makes the next connection's frames smaller", async () => {
  const { world, service, connect } = bed();
  service.post = () => ({ status: 413 });
  const ears = heard();
  const connection = await connect(ears);
  connection.send(new Uint8Array(1_000_000), batch(1, 1));
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
  expect((await connect()).maxFrameBytes).toBe(500_000);
});

test("a service that is gone is a lost connection, within a minute", async () => {
  const { world, service, connect, listen } = bed();
  const ears = heard();
  await connect(ears);
  world.web.close("9.9.9.9", 443);
  service.streams[0]?.body.break();
  await world.clock.advance(60_000);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
  listen();
  await connect();
});

test("disposing ends it, once, and nothing is sent afterwards", async () => {
  const { world, process, service, connect } = bed();
  const ears = heard();
  const connection = await connect(ears);
  connection[Symbol.dispose]();
  connection[Symbol.dispose]();
  connection.send(bytes("h"), HELLO);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
  expect(service.posts).toEqual([]);
  expect(service.streams[0]?.body.isOpen).toBe(false);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test.each([0, 10, 50, 5_000])("who gives up %i ms after it began to connect leaves nothing open", async (ms) => {
  const { world, process, service, uplink } = bed();
  service.stream = () => ({ fault: "hang" });
  const giving = new AbortController();
  const connecting = uplink.connect(heard().events, giving.signal).catch((error: unknown) => error);
  await world.clock.advance(ms);
  giving.abort(new Error("given up"));
  expect(await world.clock.resolve(connecting, 60_000)).toMatchObject({ message: "given up" });
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
