import mqtt from "mqtt";
import { generate } from "mqtt-packet";
import { expect, test } from "vitest";
import { openBed } from "./broker-bed.ts";

/** A CONNECT as Home Assistant and other clients of today send it first. */
const FIVE = {
  cmd: "connect",
  protocolId: "MQTT",
  protocolVersion: 5,
  clientId: "five",
  clean: true,
  keepalive: 60,
  username: "hub",
  password: Buffer.from("right"),
  properties: { sessionExpiryInterval: 60, receiveMaximum: 20 },
} as const;

test("MQTT 5 is refused by its code, the connection is closed, and the log says what helps", async () => {
  await using bed = await openBed();
  const raw = await bed.raw();
  raw.send(generate(FIVE, { protocolVersion: 5 }));
  // 3.1.1 section 3.1.2.2 asks a server of that version for this one; clients take it for a reason to go back.
  expect(await raw.next("connack")).toMatchObject({ returnCode: 1, sessionPresent: false });
  await raw.closed;
  const [line] = bed.log.lines.filter(({ text }) => text === "MQTT connection refused");
  expect(line?.fields).toMatchObject({
    address: "127.0.0.1",
    remedy: expect.stringContaining("set the client to version 3.1.1"),
  });
});

test("a client of MQTT 5 is told why, and gets in once it speaks 3.1.1", async () => {
  await using bed = await openBed();
  const failed = mqtt.connect({
    host: "127.0.0.1",
    port: bed.broker.address.port,
    username: "hub",
    password: "right",
    protocolVersion: 5,
    reconnectPeriod: 0,
  });
  const error = await new Promise<Error>((resolve) => failed.once("error", resolve));
  failed.end(true);
  expect(error.message).toMatch(/protocol version/i);
  await bed.client("hub");
});

test("clients that insist on MQTT 5 take no place from others, and fill no log", async () => {
  await using bed = await openBed({ connections: 2 });
  for (let time = 0; time < 60; time += 1) {
    const raw = await bed.raw();
    raw.send(generate({ ...FIVE, clientId: `five-${time}` }, { protocolVersion: 5 }));
    await raw.closed;
  }
  await bed.client("hub");
  expect(bed.log.lines.filter(({ text }) => text === "MQTT connection refused")).toHaveLength(20);
});
