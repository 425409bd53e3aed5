/** The whole way: a gateway with its embedded broker on loopback, and MQTT.js as a home automation. */
import mqtt, { type MqttClient } from "mqtt";
import { expect, test } from "vitest";
import { openAedesBroker } from "../../src/broker/embedded/open-broker.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import type { Broker } from "../../src/platform/ports/ports.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { chargerOptions } from "../engine/home.ts";

const LIMIT_MS = 60_000;
const HUB = {
  username: "hub",
  password: "long enough",
  publish: ["hemgate/charger/+/maxCurrent/set", "tele/#"],
  subscribe: ["hemgate/#", "homeassistant/#", "tele/#"],
};

async function start(world: World, disk: MemoryDisk, charger: FakeDevice) {
  const adapters = [fakeAdapter({ charger })];
  const config = configSchema(adapters).parse({
    mqtt: { port: 0, users: [HUB] },
    devices: [{ id: "charger", adapter: "fake" }],
  });
  const { platform } = world.boot("gateway", disk);
  const { clock, log } = platform;
  const brokers: Broker[] = [];
  const openBroker: typeof platform.openBroker = async (settings, access, retained) => {
    const broker = await openAedesBroker(settings, { clock, log, access, retained });
    brokers.push(broker);
    return broker;
  };
  const opening = createGateway({ platform: { ...platform, openBroker }, config, adapters, listen: false });
  const gateway = await world.clock.resolve(opening, LIMIT_MS);
  await world.clock.advance(5_000);
  return { gateway, port: brokers[0]?.address.port ?? 0 };
}

async function connect(port: number): Promise<MqttClient> {
  const { username, password } = HUB;
  return await mqtt.connectAsync({
    host: "127.0.0.1",
    port,
    username,
    password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
}

/** Lets virtual time pass until a message that fits has come. */
async function until(world: World, messages: readonly string[], part: string, topic = ""): Promise<string> {
  for (let rounds = 0; rounds < 2_000; rounds += 1) {
    const found = messages.find((message) => message.startsWith(topic) && message.includes(part));
    if (found !== undefined) return found;
    await world.clock.advance(100);
    await new Promise(setImmediate);
  }
  throw new Error(`${part} did not come: ${messages.join("\n")}`);
}

test("a home automation finds a charger, sets it, and is refused what it has no right to", async () => {
  const world = new World({ seed: 11 });
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  const { gateway, port } = await start(world, new MemoryDisk(), charger);
  const client = await connect(port);
  const messages: string[] = [];
  client.on("message", (topic, payload) => messages.push(`${topic} ${payload}`));
  await client.subscribeAsync(["hemgate/#", "homeassistant/#"], { qos: 1 });
  const announced = await until(world, messages, '"maxCurrent"', "homeassistant/device/");
  const { cmps } = JSON.parse(announced.slice(announced.indexOf(" ")));
  await client.publishAsync(cmps.maxCurrent.command_topic, "10", { qos: 1 });
  await until(world, messages, '"state":"CONFIRMED"');
  expect(charger.values["charger.maxCurrent"]).toBe(10);
  await client.publishAsync(cmps.charge.command_topic, "START", { qos: 1 });
  await client.publishAsync(cmps.maxCurrent.command_topic, "12", { qos: 1, retain: true });
  await until(world, messages, '"state":"REFUSED"');
  expect(messages.filter((message) => message.includes("/charging/set/result"))).toEqual([]);
  expect(charger.values["charger.maxCurrent"]).toBe(10);
  client.end(true);
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
});

test("what clients retain survives a restart of the gateway", async () => {
  const world = new World({ seed: 12 });
  const disk = new MemoryDisk();
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  const first = await start(world, disk, charger);
  const writer = await connect(first.port);
  await writer.publishAsync("tele/plug/LWT", "online", { qos: 1, retain: true });
  writer.end(true);
  await world.clock.resolve(Promise.resolve(first.gateway[Symbol.asyncDispose]()), LIMIT_MS);
  const second = await start(world, disk, charger);
  const reader = await connect(second.port);
  const messages: string[] = [];
  reader.on("message", (topic, payload, { retain }) => messages.push(`${topic} ${payload} ${retain}`));
  await reader.subscribeAsync("tele/#", { qos: 1 });
  expect(await until(world, messages, "tele/plug/LWT")).toBe("tele/plug/LWT online true");
  reader.end(true);
  await world.clock.resolve(Promise.resolve(second.gateway[Symbol.asyncDispose]()), LIMIT_MS);
});
