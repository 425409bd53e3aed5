/** A gateway whose broker is elsewhere. */
import { expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { batteryOptions } from "../engine/home.ts";

const LIMIT_MS = 60_000;
const URL = "mqtt://192.168.1.3";
const KEEPER = { username: "hemgate", publish: ["#"], subscribe: ["#"] };

async function start() {
  const world = new World({ seed: 21 });
  const broker = world.mqtt.broker(URL, {
    signIn: async ({ username, password }) => (username === "hemgate" && password === "secret" ? KEEPER : null),
    rightsOf: () => KEEPER,
  });
  const battery = new FakeDevice({ ...batteryOptions(), clock: world.clock });
  const adapters = [fakeAdapter({ battery })];
  const config = configSchema(adapters).parse({
    mqtt: { broker: { url: URL, username: "hemgate", password: "secret" } },
    devices: [{ id: "battery", adapter: "fake" }],
  });
  const process = world.boot("gateway", new MemoryDisk());
  const opening = createGateway({ platform: process.platform, config, adapters, listen: false });
  const gateway = await world.clock.resolve(opening, LIMIT_MS);
  await world.clock.advance(10_000);
  const id = gateway.engine.assets.list("battery")[0]?.asset.id ?? "";
  return { world, broker, battery, gateway, process, id };
}

test("the gateway's states are on a broker elsewhere over one connection, and no broker of its own is open", async () => {
  const { broker, world, gateway, id } = await start();
  expect(JSON.parse(broker.retained.get(`hemgate/battery/${id}`) ?? "null")).toEqual(
    gateway.engine.assets.get("battery", id),
  );
  expect(broker.retained.get("hemgate/status")).toBe("online");
  expect(broker.clients).toBe(1);
  expect(world.mqtt.at({ host: "127.0.0.1", port: 1883 })).toBeUndefined();
});

test("commands come from a broker elsewhere", async () => {
  const { broker, battery, world, id } = await start();
  const topic = `hemgate/battery/${id}/operationMode/set`;
  await broker.publish({ topic, payload: new TextEncoder().encode("IDLE"), isRetained: false });
  await world.clock.advance(30_000);
  expect(battery.values["battery.mode"]).toBe("IDLE");
});

test("a gateway that stops says so, one that dies is said so of", async () => {
  const stopped = await start();
  await stopped.world.clock.resolve(Promise.resolve(stopped.gateway[Symbol.asyncDispose]()), LIMIT_MS);
  expect(stopped.broker.retained.get("hemgate/status")).toBe("offline");
  expect(stopped.process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
  const killed = await start();
  killed.process.kill();
  expect(killed.broker.retained.get("hemgate/status")).toBe("offline");
});

test("a broker that is away keeps the gateway from nothing", async () => {
  const { broker, battery, world, gateway, id } = await start();
  broker.stop();
  await world.clock.advance(60_000);
  const started = Date.parse(gateway.engine.assets.get("battery", id)?.lastSeen ?? "");
  battery.values["battery.soc"] = 42;
  await world.clock.advance(60_000);
  const asset = gateway.engine.assets.get("battery", id);
  expect(asset?.chargeState.batteryLevel).toBe(42);
  expect(Date.parse(asset?.lastSeen ?? "")).toBeGreaterThan(started);
  broker.start();
  await world.clock.advance(70_000);
  expect(JSON.parse(broker.retained.get(`hemgate/battery/${id}`) ?? "null")).toMatchObject({
    chargeState: { batteryLevel: 42 },
  });
});
