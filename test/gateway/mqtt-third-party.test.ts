/** What docs/security.md says of a program that speaks Homie under an MQTT user of its own, tried on a whole gateway. */
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { expect, test } from "vitest";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import { openAedesBroker } from "../../src/broker/embedded/open-broker.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import type { Broker } from "../../src/platform/ports/ports.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { batteryOptions, chargerOptions } from "../engine/home.ts";

const LIMIT_MS = 60_000;
const PASSWORD = "long enough";
/** As docs/security.md has it. */
const READER = {
  username: "solar-reader",
  password: PASSWORD,
  publish: ["homie/5/solar/#"],
  subscribe: ["homie/5/solar/#"],
};
const HUB = { username: "hub", password: PASSWORD, publish: ["homie/5/other/#"], subscribe: ["#"] };
const DESCRIPTION = {
  homie: "5.0",
  version: 1,
  name: "Solar",
  nodes: { main: { properties: { power: { datatype: "float", unit: "W" } } } },
  children: ["other"],
};

async function start(world: World) {
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  const battery = new FakeDevice({ ...batteryOptions(), clock: world.clock });
  const adapters = [fakeAdapter({ charger, battery }), mqttAdapter];
  const config = configSchema(adapters).parse({
    mqtt: { port: 0, users: [READER, HUB] },
    devices: [
      { id: "charger", adapter: "fake" },
      { id: "battery", adapter: "fake" },
      { id: "solar", adapter: "mqtt", bridge: "homie", topic: "solar", role: "inverter" },
    ],
  });
  const { platform } = world.boot("gateway", new MemoryDisk());
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
  const port = brokers[0]?.address.port ?? 0;
  const connect = (username: string, more: IClientOptions = {}): Promise<MqttClient> =>
    mqtt.connectAsync({
      host: "127.0.0.1",
      port,
      username,
      password: PASSWORD,
      protocolVersion: 4,
      reconnectPeriod: 0,
      ...more,
    });
  const stop = async (): Promise<void> => {
    await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
  };
  return { charger, battery, connect, stop };
}

/** Lets virtual time pass until a message that fits has come. */
async function until(world: World, messages: readonly string[], part: string): Promise<string> {
  for (let rounds = 0; rounds < 2_000; rounds += 1) {
    const found = messages.find((message) => message.includes(part));
    if (found !== undefined) return found;
    await world.clock.advance(100);
    await new Promise(setImmediate);
  }
  throw new Error(`${part} did not come: ${messages.join("\n")}`);
}

function gathered(client: MqttClient): string[] {
  const messages: string[] = [];
  client.on("message", (topic, payload) => messages.push(`${topic} ${payload}`));
  return messages;
}

test("an MQTT user with the topics of one device reports that device, and reaches nothing else", async () => {
  const world = new World({ seed: 21 });
  const { charger, battery, connect, stop } = await start(world);
  const hub = await connect("hub", { clientId: "hub" });
  const seen = gathered(hub);
  await hub.subscribeAsync("#", { qos: 1 });
  const [chargerTopic = ""] = (await until(world, seen, "hemgate/charger/")).split(" ");
  const [batteryTopic = ""] = (await until(world, seen, "hemgate/battery/")).split(" ");

  const reader = await connect("solar-reader", {
    will: { topic: "homie/5/other/$state", payload: Buffer.from("lost by will"), qos: 1, retain: true },
  });
  await reader.publishAsync("homie/5/solar/$description", JSON.stringify(DESCRIPTION), { qos: 1, retain: true });
  await reader.publishAsync("homie/5/solar/$state", "ready", { qos: 1, retain: true });
  await until(world, seen, "homie/5/solar/$state ready");
  for (let watts = 1_500; watts < 1_510; watts += 1) {
    await reader.publishAsync("homie/5/solar/main/power", String(watts), { qos: 1 });
    await world.clock.advance(1_000);
  }
  await until(world, seen, '"productionRate":1.5');

  const before = { charger: { ...charger.values }, battery: { ...battery.values } };
  const foreign = [
    "homie/5/other/$state",
    "homie/5/other/main/power",
    `${chargerTopic}/charging/set`,
    `${chargerTopic}/maxCurrent/set`,
    `${batteryTopic}/operationMode/set`,
    batteryTopic,
    "hemgate/status",
    "homeassistant/status",
    "homeassistant/device/solar/config",
    "homie/5/solarium/$state",
  ];
  for (const topic of foreign) {
    for (const retain of [false, true]) await reader.publishAsync(topic, "forged 6", { qos: 1, retain });
  }
  const wide = ["homie/5/other/#", "homie/5/+/main/power", "hemgate/#", "+/#", "homeassistant/#", "$SYS/#", "homie/#"];
  for (const filter of wide) await expect(reader.subscribeAsync(filter), filter).rejects.toThrow();
  const heard = gathered(reader);
  await reader.subscribeAsync("#", { qos: 1 });
  await hub.publishAsync("homie/5/other/main/power", "from the hub", { qos: 1, retain: true });
  await reader.publishAsync("homie/5/solar/main/power", "1600", { qos: 1 });
  await until(world, heard, "main/power 1600");
  await expect(connect("solar-reader", { clientId: "hub", connectTimeout: 1_000 })).rejects.toThrow();
  reader.stream.destroy();
  await until(world, seen, "from the hub");
  await world.clock.advance(60_000);
  await new Promise(setImmediate);

  expect(seen.filter((line) => line.includes("forged") || line.includes("by will"))).toEqual([]);
  expect(heard.filter((line) => !line.startsWith("homie/5/solar/"))).toEqual([]);
  expect({ charger: charger.values, battery: battery.values }).toEqual(before);
  expect(hub.connected).toBe(true);
  hub.end(true);
  await stop();
});
