import { expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import type { BrokerAccess } from "../../src/platform/ports/ports.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { memoryBroker } from "../../src/testing/memory-broker.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { batteryOptions } from "../engine/home.ts";

const LIMIT_MS = 60_000;

async function start() {
  const world = new World({ seed: 7 });
  const battery = new FakeDevice({ ...batteryOptions(), clock: world.clock });
  const adapters = [fakeAdapter({ battery })];
  const config = configSchema(adapters).parse({ mqtt: {}, devices: [{ id: "battery", adapter: "fake" }] });
  const broker = memoryBroker({ host: "world", port: 1883 });
  const asked: BrokerAccess[] = [];
  const { platform } = world.boot("gateway", new MemoryDisk());
  const openBroker = async (_settings: unknown, access: BrokerAccess) => {
    asked.push(access);
    return broker;
  };
  const opening = createGateway({ platform: { ...platform, openBroker }, config, adapters, listen: false });
  const gateway = await world.clock.resolve(opening, LIMIT_MS);
  await world.clock.advance(5_000);
  return { world, gateway, broker, access: asked[0]! };
}

test("MQTT shows each asset as the API does", async () => {
  const { gateway, broker } = await start();
  const asset = gateway.engine.assets.list("battery")[0]!.asset;
  expect(JSON.parse(broker.retained.get(`hemgate/battery/${asset.id}`) ?? "null")).toEqual(asset);
});

test("MQTT takes the clients of the API, and nobody else", async () => {
  const { world, gateway, access } = await start();
  const { id, secret } = await world.clock.resolve(gateway.createClient("app"), LIMIT_MS);
  const signIn = (username: string, password: string) => access.signIn({ username, password, address: "10.0.0.7" });
  expect(await signIn(id, secret)).toEqual({ username: id, publish: [], subscribe: ["hemgate/#"] });
  expect(await signIn(id, `${secret}x`)).toBeNull();
  expect(await signIn("nobody", secret)).toBeNull();
});

test("MQTT says offline when the gateway has stopped", async () => {
  const { world, gateway, broker } = await start();
  expect(broker.retained.get("hemgate/status")).toBe("online");
  await world.clock.resolve(Promise.resolve(gateway[Symbol.asyncDispose]()), LIMIT_MS);
  expect(broker.retained.get("hemgate/status")).toBe("offline");
});
