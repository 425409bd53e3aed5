/** The link over MQTT.js on loopback; how it comes back and what it keeps is tested in the world. */
import { createServer, Socket } from "node:net";
import { generate, type Packet, parser } from "mqtt-packet";
import { afterEach, expect, test, vi } from "vitest";
import { nodeMqtt } from "../../../../src/platform/node/mqtt/node-mqtt.ts";
import { nodeClock } from "../../../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../../../src/platform/node/node-random.ts";
import type { MqttServer } from "../../../../src/platform/ports/ports.ts";
import { TestLog } from "../../../../src/testing/test-log.ts";
import { openBed } from "../../../broker/embedded/broker-bed.ts";

let open = new DisposableStack();
afterEach(() => {
  open.dispose();
  open = new DisposableStack();
});

function link(server: MqttServer) {
  const parts = { clock: nodeClock(() => "synced"), random: nodeRandom, log: new TestLog() };
  const made = nodeMqtt(parts).connect(server);
  open.use(made);
  return made;
}

/** Resolves when it holds; looks at each turn of the event loop. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

/** A server that answers each packet as it is told. */
async function stranger(answer: (packet: Packet, socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    const reader = parser({ protocolVersion: 4 });
    reader.on("packet", (packet) => answer(packet, socket));
    socket.on("data", (bytes) => void reader.parse(bytes));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.defer(() => void server.close());
  const address = server.address();
  return `mqtt://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

const WELCOME = generate({ cmd: "connack", returnCode: 0, sessionPresent: false });

test("the MQTT client signs in, publishes and receives", async () => {
  await using bed = await openBed();
  const url = `mqtt://127.0.0.1:${bed.broker.address.port}`;
  const made = link({ url, username: "plug", password: "right" });
  const heard: string[] = [];
  made.subscribe("a/+", ({ topic, payload, isRetained }) =>
    heard.push(`${topic} ${Buffer.from(payload)} ${isRetained}`),
  );
  await until(() => made.isConnected);
  await made.publish({ topic: "a/1", payload: new TextEncoder().encode("x"), isRetained: true });
  await until(() => heard.length > 0);
  expect(heard).toEqual(["a/1 x false"]);
});

test("a small packet does not wait for the acknowledgement of the one before (Nagle's algorithm is off)", async () => {
  const spy = vi.spyOn(Socket.prototype, "setNoDelay");
  open.defer(() => spy.mockRestore());
  const url = await stranger(({ cmd }, socket) => void (cmd === "connect" && socket.write(WELCOME)));
  const made = link({ url });
  await until(() => made.isConnected);
  expect(spy.mock.calls).toEqual([[true]]);
});

test("a refused sign-in is told as such", async () => {
  await using bed = await openBed();
  const made = link({ url: `mqtt://127.0.0.1:${bed.broker.address.port}`, username: "plug", password: "wrong" });
  await until(() => made.failure !== null);
  expect(made.failure).toMatchObject({ kind: "unauthorized" });
});

test("a server that is not there is told as such", async () => {
  const made = link({ url: "mqtt://127.0.0.1:1" });
  await until(() => made.failure !== null);
  expect(made.failure).toMatchObject({ kind: "unreachable" });
  await expect(made.publish({ topic: "a", payload: new Uint8Array(), isRetained: false })).rejects.toThrow(
    "nothing accepts connections at this port",
  );
});

test("authorities that cannot be read are named", async () => {
  const made = link({ url: "mqtts://127.0.0.1:1", caFile: "/nowhere/ca.pem" });
  await until(() => made.failure !== null);
  expect(made.failure?.message).toContain("/nowhere/ca.pem");
});

test("a packet that announces more than 4 MiB ends the connection before it comes", async () => {
  const url = await stranger(({ cmd }, socket) => {
    if (cmd === "connect") socket.write(WELCOME);
    if (cmd === "subscribe") socket.write(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0x7f));
  });
  const made = link({ url });
  made.subscribe("a", () => undefined);
  await until(() => made.failure !== null);
  expect(made.failure?.message).toContain("at most 4194304");
});

test("bytes that are no MQTT end the connection, not the process", async () => {
  const url = await stranger((_packet, socket) => socket.write(Uint8Array.of(0x00, 0x02, 0x01, 0x02)));
  const made = link({ url });
  await until(() => made.failure !== null);
  expect(made.isConnected).toBe(false);
});

test("the MQTT client says goodbye when it is closed", async () => {
  const seen: string[] = [];
  const url = await stranger(({ cmd }, socket) => {
    seen.push(String(cmd));
    if (cmd === "connect") socket.write(WELCOME);
  });
  const made = link({ url });
  await until(() => made.isConnected);
  made[Symbol.dispose]();
  await until(() => seen.length > 1);
  expect(seen).toEqual(["connect", "disconnect"]);
});
