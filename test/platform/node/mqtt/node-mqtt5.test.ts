/** The connection over MQTT.js on loopback: what servers say, of 3.1.1 too, and what is no MQTT. */
import { createServer, Socket } from "node:net";
import { generate, type IConnackPacket, type IConnectPacket, type Packet, parser } from "mqtt-packet";
import { afterEach, describe, expect, test, vi } from "vitest";
import { nodeMqtt5 } from "../../../../src/platform/node/mqtt/node-mqtt5.ts";
import { nodeClock } from "../../../../src/platform/node/node-clock.ts";
import type {
  Mqtt5Connection,
  Mqtt5Error,
  Mqtt5Message,
  Mqtt5Request,
} from "../../../../src/platform/ports/mqtt5-port.ts";

let open = new DisposableStack();
afterEach(() => {
  open.dispose();
  open = new DisposableStack();
});

const V5 = { protocolVersion: 5 } as const;
const NEVER = new AbortController().signal;

/** A server that answers each packet as it is told. */
async function stranger(answer: (packet: Packet, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    const reader = parser(V5);
    reader.on("packet", (packet) => answer(packet, socket));
    socket.on("data", (bytes) => void reader.parse(bytes));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.defer(() => void server.close());
  const address = server.address();
  return `mqtt://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

function welcome(properties: IConnackPacket["properties"] = {}, reasonCode = 0): Buffer {
  return generate({ cmd: "connack", reasonCode, sessionPresent: false, properties }, V5);
}

/** A server that welcomes, acknowledges what it gets and remembers it. */
async function friendly(seen: Packet[], granted = 1, reasonCode = 0): Promise<string> {
  return await stranger((packet, socket) => {
    seen.push(packet);
    const messageId = packet.messageId ?? 0;
    if (packet.cmd === "connect") socket.write(welcome({ receiveMaximum: 7, maximumPacketSize: 9_000 }));
    if (packet.cmd === "publish") socket.write(generate({ cmd: "puback", messageId, reasonCode }, V5));
    if (packet.cmd === "subscribe") socket.write(generate({ cmd: "suback", messageId, granted: [granted] }, V5));
  });
}

function request(url: string, more: Partial<Mqtt5Request> = {}): Mqtt5Request {
  return {
    url,
    credentials: { username: "gw-1", password: "token" },
    clientId: "gw-1",
    isCleanStart: false,
    sessionExpirySeconds: 60,
    keepaliveSeconds: 30,
    maxPacketBytes: 10_000,
    will: null,
    ...more,
  };
}

async function connected(url: string, more: Partial<Mqtt5Request> = {}) {
  const messages: Mqtt5Message[] = [];
  const ended = Promise.withResolvers<Mqtt5Error | null>();
  const events = { message: (message: Mqtt5Message) => void messages.push(message), closed: ended.resolve };
  const made: Mqtt5Connection = await nodeMqtt5({ clock: nodeClock(() => "synced") }).open(
    request(url, more),
    events,
    NEVER,
  );
  open.use(made);
  return { made, messages, ended: ended.promise };
}

const MESSAGE: Mqtt5Message = {
  topic: "a/b",
  payload: Uint8Array.of(1, 2),
  isRetained: true,
  contentType: "text/plain",
  userProperties: { gateway: "gw-1" },
};

test("what is asked for arrives, and what the server allows is told", async () => {
  const seen: Packet[] = [];
  const { made } = await connected(await friendly(seen), { will: { ...MESSAGE, delaySeconds: 9 } });
  expect(made).toMatchObject({ isSessionPresent: false, receiveMaximum: 7, maxPacketBytes: 9_000 });
  const [connect] = seen as [IConnectPacket];
  expect(connect).toMatchObject({
    clean: false,
    clientId: "gw-1",
    username: "gw-1",
    properties: { sessionExpiryInterval: 60, maximumPacketSize: 10_000 },
    will: { topic: "a/b", qos: 1, retain: true, properties: { willDelayInterval: 9, contentType: "text/plain" } },
  });
});

test("a small packet does not wait for the acknowledgement of the one before (Nagle's algorithm is off)", async () => {
  const spy = vi.spyOn(Socket.prototype, "setNoDelay");
  open.defer(() => spy.mockRestore());
  await connected(await friendly([]));
  expect(spy.mock.calls).toEqual([[true]]);
});

test("a server that names no limits has those of the protocol", async () => {
  const url = await stranger(({ cmd }, socket) => void (cmd === "connect" && socket.write(welcome())));
  expect((await connected(url)).made).toMatchObject({ receiveMaximum: 65_535, maxPacketBytes: 268_435_455 });
});

test.each([0, 0x10, 0x97])("an acknowledgement with %i is told", async (reasonCode) => {
  const seen: Packet[] = [];
  const { made } = await connected(await friendly(seen, 1, reasonCode));
  const told = await new Promise<number>((resolve) => made.publish(MESSAGE, resolve));
  // The library takes 0x10, nobody listens, for none.
  expect(told).toBe(reasonCode === 0x10 ? 0 : reasonCode);
  const { contentType, userProperties } = MESSAGE;
  expect(seen.at(-1)).toMatchObject({ topic: "a/b", qos: 1, retain: true, properties: { contentType } });
  expect((seen.at(-1) as { properties: { userProperties: object } }).properties.userProperties).toMatchObject(
    userProperties ?? {},
  );
});

test("a subscription that is refused is told with its reason", async () => {
  const { made } = await connected(await friendly([], 0x87));
  await expect(made.subscribe(["a/+"])).rejects.toMatchObject({ name: "Mqtt5Error", reasonCode: 0x87 });
});

test("a sign-in that is refused is told with its reason, and where to go", async () => {
  const url = await stranger((_packet, socket) =>
    socket.write(welcome({ serverReference: "other:8883", reasonString: "moved" }, 0x9d)),
  );
  await expect(connected(url)).rejects.toMatchObject({
    reasonCode: 0x9d,
    serverReference: "other:8883",
    message: expect.stringMatching(/it has moved to another server \(0x9D\); the server says "moved"$/),
  });
});

test("a server's own reason is quoted on one line and shortened", async () => {
  const url = await stranger((_packet, socket) =>
    socket.write(welcome({ reasonString: `first\r\n\u001b[31m "second" ${"x".repeat(1_000)}` }, 0x87)),
  );
  const error: unknown = await connected(url).catch((reason: unknown) => reason);
  expect(String(error)).toMatch(/: [^"]+; the server says "first \[31m second x{100,180}…"$/);
});

test("a connection that the server ends is told with its reason", async () => {
  const url = await stranger(({ cmd }, socket) => {
    if (cmd === "connect") socket.write(welcome());
    if (cmd === "publish") socket.write(generate({ cmd: "disconnect", reasonCode: 0x8e }, V5));
  });
  const { made, ended } = await connected(url);
  made.publish(MESSAGE, () => undefined);
  expect(await ended).toMatchObject({ reasonCode: 0x8e, serverReference: null });
});

test("a server of MQTT 3.1.1 is told as such", async () => {
  const url = await stranger((_packet, socket) => socket.write(Uint8Array.of(0x20, 0x02, 0x00, 0x01)));
  await expect(connected(url)).rejects.toMatchObject({ reasonCode: 0x84 });
});

test("a packet that announces more than we take ends the connection before it comes", async () => {
  const url = await stranger(({ cmd }, socket) => {
    if (cmd === "connect") socket.write(welcome());
    if (cmd === "publish") socket.write(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0x7f));
  });
  const { made, ended } = await connected(url);
  made.publish(MESSAGE, () => undefined);
  expect((await ended)?.message).toContain("at most 10000");
});

test("bytes that are no MQTT are no connection", async () => {
  const url = await stranger((_packet, socket) => socket.write(Uint8Array.of(0x00, 0x02, 0x01, 0x02)));
  await expect(connected(url)).rejects.toMatchObject({ name: "Mqtt5Error", reasonCode: null });
});

test("disposing says goodbye with the will, and tells its owner once", async () => {
  const goodbye = Promise.withResolvers<Packet>();
  const url = await stranger((packet, socket) => {
    if (packet.cmd === "connect") socket.write(welcome());
    if (packet.cmd === "disconnect") goodbye.resolve(packet);
  });
  const { made, ended } = await connected(url);
  made[Symbol.dispose]();
  made[Symbol.dispose]();
  expect(await ended).toBeNull();
  expect(await goodbye.promise).toMatchObject({ reasonCode: 4 });
});

test("who gives up leaves no socket", async () => {
  const giving = new AbortController();
  const closed = Promise.withResolvers<void>();
  const url = await stranger((_packet, socket) => {
    socket.once("close", () => closed.resolve());
    giving.abort(new Error("given up"));
  });
  const events = { message: () => undefined, closed: () => undefined };
  const opening = nodeMqtt5({ clock: nodeClock(() => "synced") }).open(request(url), events, giving.signal);
  await expect(opening).rejects.toThrow("given up");
  await closed.promise;
});

describe("a server that speaks 3.1.1 only", () => {
  const V4 = { protocolVersion: 4 } as const;
  const OLD = { version: "3.1.1" } as const;
  const welcomed = (returnCode = 0): Buffer => generate({ cmd: "connack", returnCode, sessionPresent: false }, V4);

  test("gets no properties and keeps no session; it takes a few messages at once", async () => {
    const seen: Packet[] = [];
    const url = await stranger((packet, socket) => {
      seen.push(packet);
      const messageId = packet.messageId ?? 0;
      if (packet.cmd === "connect") socket.write(welcomed());
      if (packet.cmd === "publish") socket.write(generate({ cmd: "puback", messageId }, V4));
      if (packet.cmd === "subscribe") socket.write(generate({ cmd: "suback", messageId, granted: [1] }, V4));
    });
    const { made } = await connected(url, { ...OLD, will: { ...MESSAGE, delaySeconds: 9 } });
    expect(made).toMatchObject({ isSessionPresent: false, receiveMaximum: 8, maxPacketBytes: 268_435_455 });
    await made.subscribe(["a/+"]);
    expect(await new Promise<number>((resolve) => made.publish(MESSAGE, resolve))).toBe(0);
    const [connect, subscribe, publish] = seen as [IConnectPacket, Packet, Packet];
    expect(connect).toMatchObject({ protocolVersion: 4, clean: true, will: { topic: "a/b", qos: 1, retain: true } });
    expect(subscribe).toMatchObject({ subscriptions: [{ topic: "a/+", qos: 1 }] });
    expect(publish).toMatchObject({ topic: "a/b", qos: 1, retain: true, payload: Buffer.of(1, 2) });
    for (const packet of [connect, connect.will, publish]) expect(packet).not.toHaveProperty("properties");
  });

  test.each([
    [1, 0x84],
    [2, 0x85],
    [3, 0x88],
    [4, 0x86],
    [5, 0x87],
  ])("says %i for what is %i in 5.0", async (returnCode, reasonCode) => {
    const url = await stranger((_packet, socket) => socket.write(welcomed(returnCode)));
    await expect(connected(url, OLD)).rejects.toMatchObject({ reasonCode, isWordless: false });
  });

  test("publishes the will when the connection is disposed, as no DISCONNECT comes before its end", async () => {
    const heard: string[] = [];
    const ended = Promise.withResolvers<void>();
    const url = await stranger(({ cmd }, socket) => {
      heard.push(cmd);
      if (cmd === "connect") socket.write(welcomed());
      socket.once("end", ended.resolve);
    });
    const { made } = await connected(url, OLD);
    made[Symbol.dispose]();
    await ended.promise;
    expect(heard).toEqual(["connect"]);
  });

  test("refuses a subscription without a reason", async () => {
    const url = await stranger((packet, socket) => {
      const messageId = packet.messageId ?? 0;
      if (packet.cmd === "connect") socket.write(welcomed());
      if (packet.cmd === "subscribe") socket.write(generate({ cmd: "suback", messageId, granted: [0x80] }, V4));
    });
    const { made } = await connected(url, OLD);
    await expect(made.subscribe(["a/+"])).rejects.toMatchObject({ reasonCode: 0x80 });
  });

  test.each(["end", "resetAndDestroy"] as const)("may close at a CONNECT of 5.0 without a word: %s", async (close) => {
    const url = await stranger((_packet, socket) => void socket[close]());
    await expect(connected(url)).rejects.toMatchObject({ reasonCode: null, isWordless: true });
  });
});

test("a server that nobody answers for is not one without a word", async () => {
  await expect(connected("mqtt://127.0.0.1:1")).rejects.toMatchObject({ reasonCode: null, isWordless: false });
});
