/** The known ways to bring an aedes broker down, each with a test of its name. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { generate, type Packet } from "mqtt-packet";
import { expect, onTestFinished, test } from "vitest";
import { Authority } from "../../platform/authority.ts";
import { bytes, gather, next, openBed } from "./broker-bed.ts";

test("a frozen subscriber does not freeze others, and is cut off", async () => {
  await using bed = await openBed();
  const frozen = await bed.raw();
  await frozen.connect("hub", { clientId: "frozen" });
  frozen.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a/#", qos: 0 }] });
  await frozen.next("suback");
  frozen.socket.pause();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync(["a/#", "tele/x"]);
  const load = "x".repeat(50_000);
  for (let sent = 0; sent < 400; sent += 1)
    await bed.broker.publish({ topic: "a/1", payload: bytes(load), isRetained: false });
  await bed.broker.publish({ topic: "tele/x", payload: bytes("end"), isRetained: false });
  await end;
  expect(seen).toHaveLength(400);
  expect(bed.log.lines.some(({ fields }) => String(fields["reason"]).includes("does not read"))).toBe(true);
});

test("a subscriber that reads nothing for the drain time is cut off", async () => {
  await using bed = await openBed({ drainSeconds: 10, packetBytes: 4_194_304 });
  const frozen = await bed.raw();
  await frozen.connect("hub", { clientId: "frozen" });
  frozen.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a/#", qos: 0 }] });
  await frozen.next("suback");
  frozen.socket.pause();
  const gone = () =>
    bed.log.lines.find(({ text }) => text === "MQTT client disconnected by the broker")?.fields["reason"];
  for (let sent = 0; sent < 300 && gone() === undefined; sent += 1) {
    await bed.broker.publish({ topic: "a/1", payload: bytes("x".repeat(20_000)), isRetained: false });
    if (sent % 50 === 49) await bed.clock.advance(10_000);
  }
  expect(gone()).toMatch(/read/);
});

test("a client that is sent away and does not read holds no connection", async () => {
  await using bed = await openBed({ connections: 1, packetBytes: 4_194_304 });
  const frozen = await bed.raw();
  await frozen.connect("hub", { clientId: "frozen" });
  frozen.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a/#", qos: 0 }] });
  await frozen.next("suback");
  frozen.socket.pause();
  for (let sent = 0; sent < 60; sent += 1) {
    await bed.broker.publish({ topic: "a/1", payload: bytes("x".repeat(4_000)), isRetained: false });
  }
  // A packet that only a server sends ends the connection without an error.
  frozen.send({ cmd: "pingresp" });
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
  await bed.clock.advance(6_000);
  for (let tries = 0; ; tries += 1) {
    const heir = await bed.client("hub", { clientId: "heir" }).catch(() => null);
    if (heir !== null) break;
    expect(tries).toBeLessThan(50);
  }
});

test("a topic with too many levels costs its sender, not the broker", async () => {
  await using bed = await openBed({ topicLevels: 10 });
  const packets: readonly Packet[] = [
    { cmd: "publish", topic: "/".repeat(200), payload: "", qos: 0, dup: false, retain: false },
    { cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "/".repeat(200), qos: 0 }] },
    { cmd: "unsubscribe", messageId: 1, unsubscriptions: ["/".repeat(200)] },
  ];
  for (const packet of packets) {
    const raw = await bed.raw();
    await raw.connect();
    raw.send(generate(packet));
    await raw.closed;
  }
  const will = { topic: "/".repeat(200), payload: Buffer.from("x"), qos: 0, retain: true };
  const raw = await bed.raw();
  await raw.connect("hub", { will });
  raw.socket.destroy();
  await expect(bed.broker.publish({ topic: "/".repeat(200), payload: bytes(""), isRetained: false })).rejects.toThrow();
  await bed.client("hub");
});

test("a client that publishes below $SYS is cut off, and throws nobody else out", async () => {
  await using bed = await openBed();
  const victim = await bed.client("hub", { clientId: "victim" });
  const raw = await bed.raw();
  await raw.connect();
  raw.send({ cmd: "publish", topic: "$SYS/other/new/clients", payload: "victim", qos: 0, dup: false, retain: false });
  await raw.closed;
  const heir = await bed.raw();
  await heir.connect("hub", {
    clientId: "heir",
    will: { topic: "$SYS/other/new/clients", payload: Buffer.from("victim"), qos: 0, retain: false },
  });
  heir.socket.destroy();
  await victim.publishAsync("a/1", "still here", { qos: 1 });
  expect(victim.connected).toBe(true);
});

test("a client with too many messages at QoS 2 under way is cut off", async () => {
  await using bed = await openBed({ inflight: 5 });
  const raw = await bed.raw();
  await raw.connect();
  const message = { cmd: "publish", topic: "a/1", payload: "x", qos: 2, dup: false, retain: false } as const;
  raw.send(Buffer.concat(Array.from({ length: 40 }, (_, at) => generate({ ...message, messageId: at + 1 }))));
  await raw.closed;
});

test("a message at QoS 2 that is sent again is handed on once", async () => {
  await using bed = await openBed();
  const heard: string[] = [];
  using _a = bed.broker.subscribe("a/#", ({ payload }) => heard.push(String(Buffer.from(payload))));
  const raw = await bed.raw();
  await raw.connect();
  const message = { cmd: "publish", topic: "a/1", payload: "x", qos: 2, messageId: 7, retain: false } as const;
  raw.send({ ...message, dup: false });
  await raw.next("pubrec");
  raw.send({ ...message, dup: true });
  await raw.next("pubrec");
  raw.send({ cmd: "pubrel", messageId: 7 });
  await raw.next("pubcomp");
  expect(heard).toEqual(["x"]);
});

test("a packet that announces too much is refused before it comes", async () => {
  await using bed = await openBed({ packetBytes: 2_000 });
  const raw = await bed.raw();
  await raw.connect();
  raw.send(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0x7f));
  await raw.closed;
  const early = await bed.raw();
  early.send(Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0x7f));
  await early.closed;
});

test("a client beyond its rate is read more slowly, and loses nothing", async () => {
  await using bed = await openBed({ packetsPerSecond: 10 });
  const heard: string[] = [];
  using _a = bed.broker.subscribe("a/#", ({ payload }) => heard.push(String(Buffer.from(payload))));
  const raw = await bed.raw();
  await raw.connect();
  const message = (at: number) =>
    generate({ cmd: "publish", topic: "a/1", payload: String(at), qos: 0, dup: false, retain: false });
  const ping = generate({ cmd: "pingreq" });
  // Read at once, as they came together; the debt is 22 packets: the connect, 30 messages and the ping, less 10.
  raw.send(Buffer.concat([...Array.from({ length: 30 }, (_, at) => message(at)), ping]));
  await raw.next("pingresp");
  let isOver = false;
  raw.send(Buffer.concat([message(30), ping]));
  const last = raw.next("pingresp").then(() => {
    isOver = true;
  });
  let seconds = 0;
  for (; !isOver; seconds += 1) {
    await bed.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await last;
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(heard).toEqual(Array.from({ length: 31 }, (_, at) => String(at)));
});

test("further subscriptions are refused one by one", async () => {
  await using bed = await openBed({ subscriptionsPerClient: 3 });
  const raw = await bed.raw();
  await raw.connect();
  const subscriptions = Array.from({ length: 5 }, (_, at) => ({ topic: `a/${at}`, qos: 1 as const }));
  raw.send({ cmd: "subscribe", messageId: 1, subscriptions });
  expect((await raw.next("suback"))["granted"]).toEqual([1, 1, 1, 128, 128]);
  raw.send({ cmd: "unsubscribe", messageId: 2, unsubscriptions: ["a/0"] });
  await raw.next("unsuback");
  raw.send({ cmd: "subscribe", messageId: 3, subscriptions: [{ topic: "a/4", qos: 2 }] });
  expect((await raw.next("suback"))["granted"]).toEqual([2]);
});

test("one client too many is turned away", async () => {
  await using bed = await openBed({ connections: 2 });
  await bed.client("hub", { clientId: "one" });
  const second = await bed.client("hub", { clientId: "two" });
  await (await bed.raw()).closed;
  const gone = next(second, "close");
  second.end();
  await gone;
  await bed.client("hub", { clientId: "three" });
});

test("a keepalive that is too long, or none, is refused", async () => {
  await using bed = await openBed({ keepaliveSeconds: 100 });
  for (const keepalive of [0, 101]) {
    const raw = await bed.raw();
    expect(await raw.connect("hub", { keepalive })).toMatchObject({ returnCode: 2 });
  }
  expect(await (await bed.raw()).connect("hub", { keepalive: 100 })).toMatchObject({ returnCode: 0 });
});

test("retained messages have a limit in number and in bytes, and an old one gives way to none", async () => {
  await using bed = await openBed({ retainedMessages: 2, retainedBytes: 100 });
  const hub = await bed.client("hub");
  for (const topic of ["a/1", "a/2", "a/3"]) await hub.publishAsync(topic, "x", { qos: 1, retain: true });
  await hub.publishAsync("a/2", "y".repeat(200), { qos: 1, retain: true });
  expect([...bed.retained.under("#")].map(({ topic }) => topic)).toEqual(["a/1"]);
  await bed.broker.publish({ topic: "hemgate/meter/1", payload: bytes("z".repeat(500)), isRetained: true });
  expect(bed.retained.size).toEqual({ messages: 1, bytes: 4 });
});

test("a CONNECT of MQTT 5 with a broken SUBSCRIBE behind it costs its sender only", async () => {
  await using bed = await openBed();
  const raw = await bed.raw();
  // The packet that once ended the process of every broker on aedes (moscajs/aedes#612).
  raw.send(Buffer.from("101000044d5154540502003c0321001400006202d301e0020020", "hex"));
  await raw.closed;
  await bed.client("hub");
});

test("no bytes bring the broker down", async () => {
  await using bed = await openBed();
  const packet = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(
        fc.constantFrom(0x30, 0x32, 0x34, 0x40, 0x50, 0x62, 0x70, 0x82, 0xa2, 0xc0, 0xe0, 0xf0),
        fc.uint8Array({ maxLength: 40 }),
      )
      .map(([first, body]) => Uint8Array.from([first, body.length, ...body])),
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(packet, { maxLength: 5 }), async (isSignedIn, packets) => {
      const raw = await bed.raw();
      if (isSignedIn) await raw.connect();
      for (const each of packets) raw.send(each);
      raw.socket.end();
      raw.socket.resume();
      await raw.closed;
    }),
    { numRuns: 150 },
  );
  await bed.client("hub", { clientId: "sound" });
});

test("a filter that was refused is not in the session: nothing waits for it", async () => {
  await using bed = await openBed({ subscriptionsPerClient: 1, queuedMessages: 1 });
  const first = await bed.raw();
  await first.connect("hub", { clean: false });
  first.send({
    cmd: "subscribe",
    messageId: 1,
    subscriptions: [
      { topic: "a/1", qos: 1 },
      { topic: "a/2", qos: 1 },
    ],
  });
  expect((await first.next("suback"))["granted"]).toEqual([1, 128]);
  first.send({ cmd: "disconnect" });
  await first.closed;
  const hub = await bed.client("hub", { clientId: "hub" });
  await hub.publishAsync("a/1", "granted", { qos: 1 });
  await hub.publishAsync("a/2", "refused", { qos: 1 });
  const later = await bed.raw();
  await later.connect("hub", { clean: false });
  await bed.broker.publish({ topic: "a/1", payload: bytes("later"), isRetained: false });
  expect(String((await later.next("publish"))["payload"])).toBe("granted");
});

test("a packet of thousands of filters is answered filter by filter, and its sender is read more slowly then", async () => {
  await using bed = await openBed({ subscriptionsPerClient: 2 });
  const raw = await bed.raw();
  await raw.connect("hub", { clean: false });
  const subscriptions = Array.from({ length: 10_000 }, (_, at) => ({ topic: `a/${at}`, qos: 1 as const }));
  raw.send({ cmd: "subscribe", messageId: 1, subscriptions });
  const granted = (await raw.next("suback"))["granted"];
  expect(granted).toEqual([1, 1, ...Array.from({ length: 9_998 }, () => 128)]);
  let isAnswered = false;
  raw.send({ cmd: "pingreq" });
  const answer = raw.next("pingresp").then(() => {
    isAnswered = true;
  });
  let seconds = 0;
  for (; !isAnswered && seconds < 100; seconds += 1) {
    for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
    if (!isAnswered) await bed.clock.advance(1_000);
  }
  await answer;
  expect(seconds).toBeGreaterThan(5);
});

test("sockets that never sign in take no place from those who do, whatever their number", async () => {
  await using bed = await openBed({ connections: 6, connectionsPerAddress: 3 });
  const reader = await bed.client("hub", { clientId: "reader" });
  const silent = [];
  for (let count = 0; count < 20; count += 1) silent.push(await bed.raw());
  for (const each of silent.slice(0, 17)) await each.closed;
  for (const clientId of ["one", "two", "three", "four"]) await bed.client("hub", { clientId });
  expect(reader.connected).toBe(true);
  expect(bed.log.texts("warn")).toEqual(["MQTT: too many connections; some were closed"]);
});

test("a TLS handshake that does not go on takes a place as well, and gives it up to the next", async () => {
  const authority = new Authority();
  const folder = await mkdtemp(join(tmpdir(), "hemgate-tls-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { pem, keyPem } = authority.issue("localhost", ["localhost"]);
  const tls = { port: 0, certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
  await Promise.all([writeFile(tls.certFile, pem), writeFile(tls.keyFile, keyPem)]);
  await using bed = await openBed({ connectionsPerAddress: 2 }, { tls });
  const port = bed.broker.tlsPort ?? 0;
  const handshakes = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => {
    for (const socket of handshakes) socket.destroy();
  });
  await Promise.race(handshakes.map((socket) => once(socket.resume(), "close")));
  const options = { port, protocol: "mqtts", ca: authority.pem, servername: "localhost" } as const;
  for (const clientId of ["a", "b", "c", "d"]) {
    expect((await bed.client("hub", { ...options, clientId })).connected).toBe(true);
  }
});

test("one user takes at most four fifths of the connections, so that others get in", async () => {
  await using bed = await openBed({ connections: 10 });
  for (let count = 0; count < 8; count += 1) await bed.client("plug", { clientId: `plug-${count}` });
  expect(await (await bed.raw()).connect("plug", { clientId: "plug-8" })).toMatchObject({ returnCode: 3 });
  // The device that comes back under its client id is none more.
  await bed.client("plug", { clientId: "plug-0" });
  await bed.client("hub", { clientId: "hub" });
});

test("one user takes at most four fifths of what is retained, so that others' messages are kept", async () => {
  await using bed = await openBed({ retainedMessages: 10, retainedBytes: 1_000 });
  const plug = await bed.client("plug");
  for (let at = 0; at < 10; at += 1) await plug.publishAsync(`tele/${at}`, "x", { qos: 1, retain: true });
  await plug.publishAsync("tele/0", "x".repeat(900), { qos: 1, retain: true });
  const hub = await bed.client("hub");
  await hub.publishAsync("b/1", "y", { qos: 1, retain: true });
  await hub.publishAsync("b/2", "y".repeat(150), { qos: 1, retain: true });
  const kept = [...bed.retained.under("#")].map(({ topic }) => topic);
  expect(kept).toEqual([1, 2, 3, 4, 5, 6, 7].map((at) => `tele/${at}`).concat("b/1", "b/2"));
  // What is taken away counts no longer.
  await plug.publishAsync("tele/1", "", { qos: 1, retain: true });
  await plug.publishAsync("tele/8", "z", { qos: 1, retain: true });
  await plug.publishAsync("tele/9", "z", { qos: 1, retain: true });
  expect([...bed.retained.under("tele/#")].map(({ topic }) => topic)).toContain("tele/9");
});

test("beyond the limit of sessions the oldest of the user who has the most ends", async () => {
  await using bed = await openBed({ sessions: 3 });
  const sleep = async (username: string, clientId: string): Promise<void> => {
    const client = await bed.client(username, { clientId, clean: false });
    await client.subscribeAsync("a/#", { qos: 1 });
    await client.endAsync();
  };
  await sleep("hub", "hub");
  for (let count = 0; count < 6; count += 1) await sleep("plug", `plug-${count}`);
  const raw = await bed.raw();
  expect(await raw.connect("hub", { clientId: "hub", clean: false })).toMatchObject({ sessionPresent: true });
});
