import { generate, type Packet } from "mqtt-packet";
import { expect, test } from "vitest";
import { clientFaultText } from "../../../src/broker/embedded/client-fault.ts";
import { openBed, type Raw } from "./broker-bed.ts";

const PUBLISH = { cmd: "publish", payload: "x", qos: 0, dup: false, retain: false } as const;
const CONNECT: Packet = { cmd: "connect", clientId: "raw", protocolId: "MQTT", protocolVersion: 4, keepalive: 60 };

function subscription(topic: string): Packet {
  return { cmd: "subscribe", messageId: 1, subscriptions: [{ topic, qos: 0 }] };
}

test.each<readonly [string, (raw: Raw) => unknown, string]>([
  ["signs in twice", (raw) => raw.send(CONNECT), "it sent a packet that a client must not send at this point"],
  [
    "publishes to a wildcard",
    // The library's own writer refuses it.
    (raw) => raw.send(Uint8Array.of(0x30, 0x05, 0x00, 0x03, 0x61, 0x2f, 0x23)),
    "it used a topic or topic filter that MQTT does not allow",
  ],
  [
    "subscribes to a filter with a wildcard in the middle",
    (raw) => raw.send(subscription("a/#/b")),
    "it used a topic or topic filter that MQTT does not allow",
  ],
  [
    "publishes to a topic with too many levels",
    (raw) => raw.send({ ...PUBLISH, topic: "a/".repeat(20) }),
    "it used a topic with more levels than mqtt.limits.topicLevels allows",
  ],
  [
    "has too many messages under way",
    (raw) =>
      raw.send(
        Buffer.concat(
          Array.from({ length: 40 }, (_none, at) => generate({ ...PUBLISH, topic: "a/1", qos: 2, messageId: at + 1 })),
        ),
      ),
    "it has more messages of QoS 2 under way than mqtt.limits.inflight allows",
  ],
  [
    "sends a packet with flags that are not allowed",
    (raw) => raw.send(Uint8Array.of(0x80, 0x05, 0x00, 0x01, 0x00, 0x00, 0x00)),
    "it sent something that is not valid MQTT 3.1.1",
  ],
  [
    "announces a packet that is too large",
    (raw) => raw.send(Uint8Array.of(0x30, 0xff, 0xff, 0xff, 0x7f)),
    "a packet of 2097151 bytes or more; at most 262144 are taken",
  ],
])("the log says in words why a client that %s is disconnected", async (_what, send, reason) => {
  await using bed = await openBed({ inflight: 5 });
  const raw = await bed.raw();
  await raw.connect();
  send(raw);
  await raw.closed;
  expect(bed.log.lines.map(({ text, fields }) => [text, fields["reason"]])).toContainEqual([
    "MQTT client disconnected by the broker",
    reason,
  ]);
});

test.each([
  ["keep alive timeout", "it sent nothing for one and a half times the keep-alive time that it announced"],
  ["connect did not arrive in time", "it did not sign in in time"],
  ["Client queue limit reached", "it sent too many packets before its sign-in was answered"],
  ["unacceptable protocol version", "it does not speak MQTT 3.1.1"],
  ["Invalid protocolId", "it does not speak MQTT 3.1.1"],
  ["identifier rejected", "its client id is longer than MQTT 3.1 allows (23 characters)"],
  ["drain timeout", "it did not read in time"],
  ["words of a later version of the library", "it sent something that is not valid MQTT 3.1.1"],
])("the library's %j is logged as a sentence", (message, text) => {
  expect(clientFaultText(new Error(message))).toBe(text);
});

test("an error of the operating system is logged as a sentence", () => {
  const error = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  expect(clientFaultText(error)).toBe("the other side ended the connection");
});
