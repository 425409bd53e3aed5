import { expect, test } from "vitest";
import { type ConfiguredBroker, createMqttLinks } from "../../src/broker/mqtt-links.ts";
import type { BrokerMessage, MqttLink } from "../../src/platform/ports/ports.ts";
import { MemoryBroker } from "../../src/testing/memory-broker.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { World } from "../../src/testing/world.ts";

const SERVER = { url: "mqtt://10.0.0.9" };
const message = (topic: string, text: string, isRetained = false): BrokerMessage => ({
  topic,
  payload: new TextEncoder().encode(text),
  isRetained,
});

function open(configured: ConfiguredBroker = { kind: "none" }) {
  const world = new World({ seed: 1 });
  const server = world.mqtt.broker(SERVER.url);
  const log = new TestLog();
  const { mqtt } = world.boot("gateway", new MemoryDisk()).platform;
  return { world, server, log, links: createMqttLinks({ mqtt, configured, log }) };
}

function hear(link: MqttLink, filter: string): string[] {
  const heard: string[] = [];
  link.subscribe(filter, ({ payload, isRetained }) => heard.push(`${Buffer.from(payload)} ${isRetained}`));
  return heard;
}

test("links to one server share a connection, which ends with the last of them", async () => {
  const { world, server, links } = open();
  const one = links.link(SERVER);
  const two = links.link({ url: "mqtt://10.0.0.9:1883" });
  const other = links.link({ ...SERVER, username: "other" });
  await world.clock.advance(100);
  expect(server.clients).toBe(2);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  await world.clock.advance(100);
  expect([two.isConnected, one.isConnected, server.clients]).toEqual([true, false, 2]);
  two[Symbol.dispose]();
  other[Symbol.dispose]();
  await world.clock.advance(100);
  expect(server.clients).toBe(0);
});

test("one user's listeners end with its link, and not another's", async () => {
  const { world, server, links } = open();
  const [one, two] = [links.link(SERVER), links.link(SERVER)];
  const heard = [hear(one, "a"), hear(two, "a")];
  await world.clock.advance(100);
  one[Symbol.dispose]();
  await server.publish(message("a", "1"));
  await world.clock.advance(100);
  expect(heard).toEqual([[], ["1 false"]]);
  expect(() => one.subscribe("a", () => undefined)).toThrow("closed");
  await expect(one.publish(message("a", "2"))).rejects.toMatchObject({ kind: "unreachable" });
});

test("who comes later hears what is kept, too", async () => {
  const { world, server, links } = open();
  await server.publish(message("a", "kept", true));
  hear(links.link(SERVER), "a");
  await world.clock.advance(100);
  const later = hear(links.link(SERVER), "a");
  await world.clock.advance(100);
  expect(later).toEqual(["kept true"]);
});

test("the embedded broker is reached without a connection", async () => {
  const broker = new MemoryBroker({ host: "127.0.0.1", port: 1883 });
  const { links, server, log, world } = open({ kind: "embedded", broker });
  await broker.publish(message("a", "kept", true));
  const link = links.link(null);
  link.subscribe("a", () => {
    throw new Error("a listener's bug");
  });
  const heard = hear(link, "a");
  await link.publish(message("a", "live"));
  await world.clock.advance(100);
  expect(heard.toSorted()).toEqual(["kept true", "live false"]);
  expect([link.isConnected, broker.clients, server.clients]).toEqual([true, 0, 0]);
  expect(log.lines.map(({ text }) => text)).toContain("MQTT listener failed");
});

test("the configured broker elsewhere is shared like any other", async () => {
  const { world, server, links } = open({ kind: "elsewhere", server: SERVER });
  using _own = links.link(null);
  using _same = links.link(SERVER);
  await world.clock.advance(100);
  expect(server.clients).toBe(1);
});

test("without a broker in the configuration the reason is told", () => {
  const { links } = open();
  expect(() => links.link(null)).toThrow("no MQTT broker is configured");
});
