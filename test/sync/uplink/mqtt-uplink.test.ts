import { expect, test } from "vitest";
import type { Mqtt5Credentials, Mqtt5Message } from "../../../src/platform/ports/mqtt5-port.ts";
import { MqttUplink, type MqttUplinkOptions } from "../../../src/sync/uplink/mqtt-uplink.ts";
import type { UplinkConnection } from "../../../src/sync/uplink/uplink.ts";
import { UplinkError } from "../../../src/sync/uplink/uplink.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";
import { batch, bytes, HELLO, heard } from "./recorded-events.ts";

const URL = "mqtts://broker.example";
const BASE = "hemgate/v1/gw-1";
const NEVER = new AbortController().signal;

function bed(more: Partial<MqttUplinkOptions> = {}) {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", new MemoryDisk());
  const broker = world.mqtt.broker(URL);
  const behaviour = world.mqtt5.behaviour(URL);
  const uplink = new MqttUplink({
    ...process.platform,
    gateway: "gw-1",
    servers: [URL],
    topicPrefix: "hemgate/v1",
    sessionExpirySeconds: 3_600,
    credentials: async () => ({ username: "gw-1", password: "token" }),
    ...more,
  });
  const connect = async (ears = heard()): Promise<UplinkConnection> =>
    await world.clock.resolve(uplink.connect(ears.events, NEVER), 60_000);
  const failure = async (): Promise<unknown> =>
    await connect().then(
      () => null,
      (error: unknown) => (error instanceof UplinkError ? error.end : error),
    );
  const sent = (): readonly string[] =>
    broker.published.map(({ topic, payload }) => `${topic} ${Buffer.from(payload)}`);
  return { world, process, broker, behaviour, uplink, connect, failure, sent };
}

/** Lets what is under way arrive. */
const settle = (world: World): Promise<void> => world.clock.advance(1_000);

function down(kind: string, text: string): Mqtt5Message {
  return { topic: `${BASE}/down/${kind}`, payload: bytes(text), isRetained: false };
}

test("frames go to the topics of their kinds, and can be routed without being read", async () => {
  const { world, broker, connect } = bed();
  const connection = await connect();
  connection.send(bytes("h"), HELLO);
  connection.send(bytes("b"), batch(3, 7, "telemetry"));
  await settle(world);
  const [presence, hello, telemetry] = broker.published as readonly Mqtt5Message[];
  expect(presence).toMatchObject({ topic: `${BASE}/up/presence`, payload: bytes("online"), isRetained: true });
  expect(hello).toMatchObject({
    topic: `${BASE}/up/hello`,
    contentType: "application/vnd.hemgate.frame",
    userProperties: { gateway: "gw-1" },
  });
  expect(telemetry).toMatchObject({
    topic: `${BASE}/up/batch/telemetry`,
    payload: bytes("b"),
    userProperties: { gateway: "gw-1", stream: "telemetry", epoch: "00000000000000aa", from: "3", through: "7" },
  });
});

test("frames from the service are handed up", async () => {
  const { world, broker, connect } = bed();
  const ears = heard();
  await connect(ears);
  await broker.publish(down("ack", "a"));
  await broker.publish({ ...down("ack", "other"), topic: "hemgate/v1/gw-2/down/ack" });
  await settle(world);
  expect(ears.frames).toEqual(["a"]);
});

test("no more than Receive Maximum is under way; acknowledgements make room again", async () => {
  const { world, behaviour, connect, sent } = bed();
  behaviour.receiveMaximum = 3;
  const ears = heard();
  const connection = await connect(ears);
  expect(connection.credits).toBe(3);
  for (let at = 1; at <= 3; at += 1) connection.send(bytes(`${at}`), batch(at, at));
  expect(connection.credits).toBe(0);
  connection.send(bytes("4"), batch(4, 4));
  expect(connection.credits).toBe(0);
  await settle(world);
  expect(connection.credits).toBe(3);
  expect(ears.drained.count).toBe(1);
  expect(ears.ends).toEqual([]);
  expect(sent().slice(1)).toEqual([1, 2, 3, 4].map((at) => `${BASE}/up/batch/event ${at}`));
});

test("a server that allows thousands is given no more than the contract has under way", async () => {
  const { behaviour, connect } = bed();
  behaviour.receiveMaximum = 65_535;
  expect((await connect()).credits).toBe(32);
});

test("the largest frame is what the server takes, less what goes with it", async () => {
  const { world, behaviour, connect } = bed();
  behaviour.maxPacketBytes = 131_072;
  const ears = heard();
  const connection = await connect(ears);
  expect(connection.maxFrameBytes).toBeLessThan(131_072 - 200);
  expect(connection.maxFrameBytes).toBeGreaterThan(128_000);
  connection.send(new Uint8Array(connection.maxFrameBytes), batch(1, 1));
  await settle(world);
  expect(ears.ends).toEqual([]);
});

test("a run begins clean, and goes on with the server's session when nothing of it waited for an acknowledgement", async () => {
  const { world, broker, behaviour, connect } = bed();
  const first = heard();
  const connection = await connect(first);
  connection.send(bytes("h"), HELLO);
  await settle(world);
  broker.disconnectAll();
  await settle(world);
  await broker.publish(down("command", "c"));
  expect(behaviour.sessions.waiting("gw-1")).toBe(1);
  const second = heard();
  await connect(second);
  await settle(world);
  expect(second.frames).toEqual(["c"]);
  expect(behaviour.connects.map(({ isCleanStart }) => isCleanStart)).toEqual([true, false]);
  expect(behaviour.connects[0]?.sessionExpirySeconds).toBe(3_600);
});

test("a connection begins clean when the one before left something without an acknowledgement", async () => {
  const { world, broker, behaviour, connect } = bed();
  const connection = await connect();
  behaviour.acknowledge = () => null;
  connection.send(bytes("h"), HELLO);
  await settle(world);
  broker.disconnectAll();
  behaviour.acknowledge = () => 0;
  await settle(world);
  await connect();
  expect(behaviour.connects.map(({ isCleanStart }) => isCleanStart)).toEqual([true, true]);
});

test("a sign-in that failed leaves the next one clean", async () => {
  const { behaviour, failure, connect } = bed();
  behaviour.refusal = { reasonCode: 0x89 };
  expect(await failure()).toMatchObject({ kind: "lost" });
  behaviour.refusal = null;
  await connect();
  expect(behaviour.connects.map(({ isCleanStart }) => isCleanStart)).toEqual([true, true]);
});

test("without a session expiry every connection is clean, and nothing waits", async () => {
  const { world, broker, behaviour, connect } = bed({ sessionExpirySeconds: 0 });
  await connect();
  broker.disconnectAll();
  await settle(world);
  await broker.publish(down("command", "c"));
  expect(behaviour.sessions.waiting("gw-1")).toBe(0);
  await connect();
  expect(behaviour.connects.map(({ isCleanStart }) => isCleanStart)).toEqual([true, true]);
});

test("whose name another takes is told so, and begins clean", async () => {
  const { world, behaviour, process, connect } = bed();
  const ears = heard();
  await connect(ears);
  const twin = new MqttUplink({
    ...process.platform,
    gateway: "gw-1",
    servers: [URL],
    topicPrefix: "hemgate/v1",
    sessionExpirySeconds: 0,
    credentials: async () => ({}),
  });
  await world.clock.resolve(twin.connect(heard().events, NEVER), 60_000);
  await settle(world);
  expect(ears.ends.map(({ kind }) => kind)).toEqual(["taken-over"]);
  await connect();
  expect(behaviour.connects.at(-1)?.isCleanStart).toBe(true);
});

test.each([
  [0x80, "lost"],
  [0x84, "refused"],
  [0x85, "refused"],
  [0x86, "refused"],
  [0x87, "refused"],
  [0x88, "lost"],
  [0x89, "lost"],
  [0x8a, "refused"],
  [0x97, "quota"],
  [0x9b, "refused"],
  [0x9f, "quota"],
] as const)("a sign-in that is answered %i is %s", async (reasonCode, kind) => {
  const { behaviour, failure } = bed();
  behaviour.refusal = { reasonCode };
  expect(await failure()).toMatchObject({ kind, retryAfterMs: null });
});

test.each([
  [0x8b, "lost"],
  [0x8d, "lost"],
  [0x8e, "taken-over"],
  [0x96, "quota"],
  [0x97, "quota"],
  [0x87, "refused"],
] as const)("a connection that is ended with %i is %s", async (reasonCode, kind) => {
  const { world, behaviour, connect } = bed();
  const ears = heard();
  await connect(ears);
  behaviour.disconnect(reasonCode);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind, retryAfterMs: null }]);
});

test("credentials that worked for a while and do no more have run out: the next connection asks for new ones", async () => {
  const tokens: Mqtt5Credentials[] = [];
  const credentials = async () => {
    tokens.push({ password: `token ${tokens.length + 1}` });
    return tokens.at(-1) ?? {};
  };
  const { world, behaviour, connect } = bed({ credentials });
  const ears = heard();
  await connect(ears);
  await world.clock.advance(3_600_000);
  behaviour.disconnect(0x87);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
  await connect();
  expect(behaviour.connects.map(({ credentials: { password } }) => password)).toEqual(["token 1", "token 2"]);
});

test("credentials that cannot be had are a lost connection, unless their source says more", async () => {
  const offline = bed({ credentials: () => Promise.reject(new Error("no token")) });
  expect(await offline.failure()).toMatchObject({ kind: "lost" });
  const end = { kind: "refused", reason: "revoked", retryAfterMs: 5 } as const;
  const revoked = bed({ credentials: () => Promise.reject(new UplinkError(end)) });
  expect(await revoked.failure()).toEqual(end);
});

test.each([
  [0x87, "refused"],
  [0x97, "quota"],
  [0x99, "lost"],
] as const)("a frame that is refused with %i ends the connection as %s", async (reasonCode, kind) => {
  const { world, behaviour, connect } = bed();
  const ears = heard();
  const connection = await connect(ears);
  behaviour.acknowledge = ({ topic }) => (topic.endsWith("/hello") ? reasonCode : 0);
  connection.send(bytes("h"), HELLO);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind, reason: expect.stringContaining("up/hello") }]);
  expect(behaviour.count).toBe(0);
});

test("who may not publish learns it at once", async () => {
  const { behaviour, failure } = bed();
  behaviour.acknowledge = () => 0x87;
  expect(await failure()).toMatchObject({ kind: "refused" });
  expect(behaviour.count).toBe(0);
});

test("a server that never acknowledges is given up, and nothing stays open", async () => {
  const { behaviour, failure, process } = bed();
  behaviour.acknowledge = () => null;
  expect(await failure()).toMatchObject({ kind: "lost" });
  expect(behaviour.count).toBe(0);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("a network that says nothing any more is noticed", async () => {
  const { world, behaviour, connect } = bed();
  const ears = heard();
  await connect(ears);
  behaviour.silence();
  await world.clock.advance(91_000);
  expect(ears.ends).toMatchObject([{ kind: "lost", reason: expect.stringContaining("Keepalive") }]);
});

const SECOND = "mqtts://second.example:8884";

test("a server that moved is followed to one that the configuration names", async () => {
  const { world, behaviour, failure, connect } = bed({ servers: [URL, "mqtts://other.example", SECOND] });
  const second = world.mqtt5.behaviour(SECOND);
  behaviour.refusal = { reasonCode: 0x9d, serverReference: "unknown.example second.example:8884" };
  expect(await failure()).toMatchObject({ kind: "lost" });
  await connect();
  expect(second.count).toBe(1);
});

test("a server that sends an open connection elsewhere is followed, too", async () => {
  const { world, behaviour, connect } = bed({ servers: [URL, SECOND] });
  const second = world.mqtt5.behaviour(SECOND);
  await connect();
  behaviour.disconnect(0x9c, "second.example:8884");
  await settle(world);
  await connect();
  expect(second.count).toBe(1);
});

test("a server that moved to where the configuration does not send passwords is a matter for people", async () => {
  const { behaviour, failure, connect, world } = bed();
  behaviour.refusal = { reasonCode: 0x9d, serverReference: "elsewhere.example" };
  expect(await failure()).toMatchObject({ kind: "refused", reason: expect.stringContaining("elsewhere.example") });
  behaviour.refusal = null;
  const ears = heard();
  await connect(ears);
  behaviour.disconnect(0x9d, "elsewhere.example");
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "refused", reason: expect.stringContaining("elsewhere.example") }]);
});

test("the servers of a cluster are tried in turn", async () => {
  const { world, broker, failure, connect } = bed({ servers: [URL, SECOND] });
  const second = world.mqtt5.behaviour(SECOND);
  broker.stop();
  expect(await failure()).toMatchObject({ kind: "lost" });
  await connect();
  expect(second.count).toBe(1);
});

test("a server that keeps no messages gets a presence that is not kept", async () => {
  const { broker, behaviour, failure, connect } = bed();
  behaviour.refusal = { reasonCode: 0x9a };
  expect(await failure()).toMatchObject({ kind: "lost" });
  behaviour.refusal = null;
  await connect();
  expect(behaviour.connects.map(({ will }) => will?.isRetained)).toEqual([true, false]);
  expect([...broker.retained]).toEqual([]);
});

test("a gateway that dies is offline half a minute later, one that comes back before never was", async () => {
  const { world, process, broker, connect, behaviour } = bed();
  const ears = heard();
  await connect(ears);
  broker.disconnectAll();
  await settle(world);
  await connect();
  await world.clock.advance(60_000);
  expect([...broker.retained.values()]).toEqual(["online"]);
  process.kill();
  await world.clock.advance(29_000);
  expect([...broker.retained.values()]).toEqual(["online"]);
  await world.clock.advance(2_000);
  expect([...broker.retained.values()]).toEqual(["offline"]);
  expect(behaviour.count).toBe(0);
});

test("disposing ends it, once, and nothing is sent afterwards", async () => {
  const { world, process, behaviour, connect, sent } = bed();
  const ears = heard();
  const connection = await connect(ears);
  connection[Symbol.dispose]();
  connection[Symbol.dispose]();
  connection.send(bytes("h"), HELLO);
  await settle(world);
  expect(ears.ends).toMatchObject([{ kind: "lost" }]);
  expect(connection.credits).toBe(0);
  expect(behaviour.count).toBe(0);
  expect(sent()).toEqual([`${BASE}/up/presence online`]);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test.each([0, 1, 2, 4, 5_000])("who gives up %i ms after it began to connect leaves nothing open", async (ms) => {
  const { world, process, uplink, behaviour } = bed();
  behaviour.acknowledge = () => null;
  const giving = new AbortController();
  const connecting = uplink.connect(heard().events, giving.signal).catch((error: unknown) => error);
  await world.clock.advance(ms);
  giving.abort(new Error("given up"));
  expect(await world.clock.resolve(connecting, 60_000)).toMatchObject({ message: "given up" });
  expect(behaviour.count).toBe(0);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});
