/** What MQTT 3.1.1 asks of a server, as the interoperability suites of brokers ask it; numbers are its sections. */
import { expect, test } from "vitest";
import { gather, next, openBed } from "./broker-bed.ts";

test("basic: a message arrives at each QoS, as asked (3.8.4)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync("a/#", { qos: 2 });
  const writer = await bed.client("plug");
  for (const qos of [0, 1, 2] as const) await writer.publishAsync(`a/${qos}`, "x", { qos });
  await writer.publishAsync("a/x", "end", { qos: 2 });
  await end;
  expect(seen).toEqual(["a/0=x q0", "a/1=x q1", "a/2=x q2"]);
});

test("retained: kept at its QoS, replaced, and taken away by an empty one (3.3.1.3)", async () => {
  await using bed = await openBed();
  const writer = await bed.client("plug");
  const keep = (topic: string, text: string, qos: 0 | 1 | 2) => writer.publishAsync(topic, text, { qos, retain: true });
  await keep("a/0", "old", 0);
  await keep("a/0", "zero", 0);
  await keep("a/1", "one", 1);
  await keep("a/2", "two", 2);
  await keep("a/gone", "x", 1);
  await keep("a/gone", "", 1);
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync("a/+", { qos: 1 });
  await keep("a/1", "live", 1);
  await writer.publishAsync("a/x", "end", { qos: 1 });
  await end;
  // Between topics the order is free.
  expect(seen.toSorted()).toEqual(["a/0=zero q0 kept", "a/1=live q1", "a/1=one q1 kept", "a/2=two q1 kept"]);
});

test("will: told when the client is gone, kept when asked, and not after a goodbye (3.1.2.5)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync("will/#", { qos: 1 });
  const will = { topic: "will/a", payload: Buffer.from("gone"), qos: 1 as const, retain: true };
  const lost = await bed.client("plug", { clientId: "lost", will });
  lost.stream.destroy();
  const polite = await bed.client("plug", { clientId: "polite", will: { ...will, topic: "will/b" } });
  await polite.endAsync();
  const writer = await bed.client("plug", { clientId: "writer" });
  for (let tries = 0; seen.length === 0 && tries < 1_000; tries += 1) await new Promise(setImmediate);
  await writer.publishAsync("will/x", "end", { qos: 1 });
  await end;
  expect(seen).toEqual(["will/a=gone q1"]);
  expect([...bed.retained.under("will/#")].map(({ topic }) => topic)).toEqual(["will/a"]);
});

test("keepalive: a client that falls silent is gone after one and a half times, and its will is told (3.1.2.10)", async () => {
  await using bed = await openBed();
  const told: string[] = [];
  using _will = bed.broker.subscribe("will/#", ({ payload }) => told.push(String(Buffer.from(payload))));
  const raw = await bed.raw();
  const will = { topic: "will/a", payload: Buffer.from("silent"), qos: 1, retain: false };
  await raw.connect("plug", { clientId: "silent", keepalive: 1, will });
  await raw.closed;
  for (let turns = 0; told.length === 0 && turns < 1_000; turns += 1) await new Promise(setImmediate);
  expect(told).toEqual(["silent"]);
});

test("a client id that comes again takes over, and the will of the first is told (3.1.4)", async () => {
  await using bed = await openBed();
  const first = await bed.client("plug", { clientId: "same" });
  const gone = next(first, "close");
  const second = await bed.client("plug", { clientId: "same" });
  await gone;
  await second.publishAsync("a/1", "x", { qos: 1 });
});

test("zero-length client id: taken for a clean session, refused for one to keep (3.1.3.1)", async () => {
  await using bed = await openBed();
  expect(await (await bed.raw()).connect("hub", { clientId: "" })).toMatchObject({ returnCode: 0 });
  const raw = await bed.raw();
  // The library does not write this one.
  const credentials = [0, 3, 0x68, 0x75, 0x62, 0, 5, 0x72, 0x69, 0x67, 0x68, 0x74];
  raw.send(Uint8Array.from([0x10, 24, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 0xc0, 0, 60, 0, 0, ...credentials]));
  const answer = await Promise.race([raw.next("connack"), raw.closed.then(() => "closed")]).catch(() => "closed");
  expect(["closed", expect.objectContaining({ returnCode: 2 })]).toContainEqual(answer);
  await raw.closed;
});

test("offline queue: what came meanwhile is there, in order, and a clean session forgets (3.1.2.4)", async () => {
  await using bed = await openBed();
  const session = { clientId: "sleeper", clean: false };
  const sleeper = await bed.client("hub", session);
  await sleeper.subscribeAsync("a/#", { qos: 2 });
  await sleeper.endAsync();
  const writer = await bed.client("plug");
  for (const [text, qos] of [
    ["lost", 0],
    ["one", 1],
    ["two", 2],
  ] as const)
    await writer.publishAsync("a/1", text, { qos });
  const raw = await bed.raw();
  expect(await raw.connect("hub", session)).toMatchObject({ sessionPresent: true });
  const waiting = [await raw.next("publish"), await raw.next("publish")];
  expect(waiting.map(({ payload, qos }) => [String(payload), qos])).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
  raw.socket.destroy();
  await raw.closed;
  expect(await (await bed.raw()).connect("hub", { ...session, clean: true })).toMatchObject({ sessionPresent: false });
});

test("redelivery: what was not acknowledged comes again, what was does not (4.4)", async () => {
  await using bed = await openBed();
  const session = { clientId: "sleeper", clean: false };
  const first = await bed.raw();
  await first.connect("hub", session);
  first.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a/#", qos: 1 }] });
  await first.next("suback");
  const writer = await bed.client("plug");
  await writer.publishAsync("a/1", "seen", { qos: 1 });
  await writer.publishAsync("a/1", "unseen", { qos: 1 });
  const seen = await first.next("publish");
  first.send({ cmd: "puback", messageId: Number(seen["messageId"]) });
  first.send({ cmd: "pingreq" });
  await first.next("pingresp");
  first.socket.destroy();
  await first.closed;
  const second = await bed.raw();
  await second.connect("hub", session);
  expect(String((await second.next("publish"))["payload"])).toBe("unseen");
});

test("a queue that is full keeps the newest", async () => {
  await using bed = await openBed({ queuedMessages: 2 });
  const session = { clientId: "sleeper", clean: false };
  const sleeper = await bed.client("hub", session);
  await sleeper.subscribeAsync("a/#", { qos: 1 });
  await sleeper.endAsync();
  const writer = await bed.client("plug");
  for (const text of ["1", "2", "3"]) await writer.publishAsync("a/1", text, { qos: 1 });
  const raw = await bed.raw();
  await raw.connect("hub", session);
  expect([String((await raw.next("publish"))["payload"]), String((await raw.next("publish"))["payload"])]).toEqual([
    "2",
    "3",
  ]);
});

test("a session ends after its hours", async () => {
  await using bed = await openBed({ sessionHours: 1 });
  const session = { clientId: "sleeper", clean: false };
  const sleeper = await bed.client("hub", session);
  await sleeper.subscribeAsync("a/#", { qos: 1 });
  await sleeper.endAsync();
  await bed.clock.advance(3_700_000);
  expect(await (await bed.raw()).connect("hub", session)).toMatchObject({ sessionPresent: false });
});

test("overlapping subscriptions: one message, at the most that any of them takes (3.3.5)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync({ "a/#": { qos: 0 }, "a/+": { qos: 2 }, "a/1": { qos: 1 } });
  const writer = await bed.client("plug");
  await writer.publishAsync("a/1", "x", { qos: 2 });
  await writer.publishAsync("a/x", "end", { qos: 2 });
  await end;
  expect(seen).toEqual(["a/1=x q2"]);
});

test("a subscription below a wildcard lowers the QoS, too (3.8.4)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync({ "a/+": { qos: 1 }, "tele/#": { qos: 0 } });
  const writer = await bed.client("plug");
  await writer.publishAsync("tele/1", "x", { qos: 2 });
  await writer.publishAsync("a/1", "x", { qos: 2 });
  await writer.publishAsync("a/x", "end", { qos: 2 });
  await end;
  expect(seen).toEqual(["tele/1=x q0", "a/1=x q1"]);
});

test("subscribe failure: one refused filter does not refuse the others (3.9.3)", async () => {
  await using bed = await openBed();
  const raw = await bed.raw();
  await raw.connect("plug");
  const subscriptions = [
    { topic: "a/#", qos: 1 as const },
    { topic: "secret/#", qos: 1 as const },
    { topic: "$SYS/#", qos: 0 as const },
    { topic: "cmnd/+", qos: 2 as const },
  ];
  raw.send({ cmd: "subscribe", messageId: 5, subscriptions });
  expect(await raw.next("suback")).toMatchObject({ messageId: 5, granted: [1, 128, 128, 2] });
});

test("dollar topics: no wildcard reaches them (4.7.2)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync(["#", "+/x"]);
  await bed.broker.publish({ topic: "$own/x", payload: Buffer.from("x"), isRetained: true });
  const writer = await bed.client("plug");
  await writer.publishAsync("a/x", "end", { qos: 1 });
  await end;
  expect(seen).toEqual([]);
});

test("wildcards: empty levels are levels (4.7.1)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync(["+/x", "/+", "a//#"]);
  const writer = await bed.client("hub", { clientId: "writer" });
  for (const topic of ["/x", "/", "a//", "a/x/x", "b//"]) await writer.publishAsync(topic, "1", { qos: 1 });
  await writer.publishAsync("b/x", "end", { qos: 1 });
  await end;
  expect(seen.map((line) => line.split("=")[0])).toEqual(["/x", "/", "a//"]);
});

test("unsubscribe: nothing more comes (3.10.4)", async () => {
  await using bed = await openBed();
  const reader = await bed.client("hub");
  const { seen, end } = gather(reader);
  await reader.subscribeAsync(["a/#", "tele/#"]);
  await reader.unsubscribeAsync("a/#");
  const writer = await bed.client("plug");
  await writer.publishAsync("a/1", "x", { qos: 1 });
  await writer.publishAsync("tele/1", "end", { qos: 1 });
  await end;
  expect(seen).toEqual([]);
});

test.each([
  ["a packet before CONNECT", [0xc0, 0]],
  ["a second CONNECT", null],
  ["a reserved packet type", [0xf0, 0]],
  ["a SUBSCRIBE without filters", [0x82, 2, 0, 1]],
  ["a PUBLISH at QoS 3", [0x36, 6, 0, 1, 0x61, 0, 1, 0]],
])("%s ends the connection (3.1, 4.8)", async (name, bytes) => {
  await using bed = await openBed();
  const raw = await bed.raw();
  if (name !== "a packet before CONNECT") await raw.connect();
  if (bytes === null) raw.connect().catch(() => undefined);
  else raw.send(Uint8Array.from(bytes));
  await raw.closed;
});
