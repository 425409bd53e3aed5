import { expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { getToken } from "../api/support/api-house.ts";
import { chargerOptions, followSwitch } from "../engine/home.ts";
import { Receiver } from "../sync/webhook-world.ts";

const SECOND = 1_000;
const LIMIT_MS = 60 * SECOND;

function makeHouse() {
  const world = new World({ seed: 3 });
  const disk = new MemoryDisk();
  const charger = new FakeDevice({ ...chargerOptions(), clock: world.clock });
  followSwitch(charger);
  const adapters = [fakeAdapter({ charger })];
  const config = configSchema(adapters).parse({ devices: [{ id: "charger", adapter: "fake" }] });
  const receiver = new Receiver();
  world.web.serve("hooks.example", "93.184.216.34", receiver.serve);
  const resolve = <T>(work: PromiseLike<T>): Promise<T> => world.clock.resolve(Promise.resolve(work), LIMIT_MS);
  return {
    world,
    disk,
    charger,
    receiver,
    resolve,
    async start() {
      const process = world.boot("gateway", disk);
      const { platform } = process;
      return { process, gateway: await resolve(createGateway({ platform, config, adapters, listen: false })) };
    },
    async createWebhook(gateway: Gateway): Promise<string> {
      const client = await resolve(gateway.createClient("test"));
      const token = await resolve(getToken(gateway.api, client));
      const answer = await resolve(
        gateway.api.inject({
          method: "POST",
          url: "/webhooks",
          headers: { authorization: `Bearer ${token}` },
          payload: { url: "https://hooks.example/in", secret: "example-secret" },
        }),
      );
      expect(answer.statusCode).toBe(200);
      return token;
    },
  };
}

test("a device's change reaches a webhook, over a power cut too", async () => {
  const house = makeHouse();
  const first = await house.start();
  await house.world.clock.advance(3 * SECOND);
  await house.createWebhook(first.gateway);
  house.charger.show("charger.state", "UNPLUGGED");
  await house.world.clock.advance(3 * SECOND);
  expect(house.receiver.events).toMatchObject([
    {
      event: "user:charger:updated",
      user: { id: "home" },
      charger: { chargeState: { isPluggedIn: false } },
      updatedFields: ["chargeState.isPluggedIn", "chargeState.powerDeliveryState"],
    },
  ]);
  first.process.kill();
  house.disk.crash();
  const second = await house.start();
  house.charger.show("charger.state", "PLUGGED_IN:STOPPED");
  await house.world.clock.advance(10 * SECOND);
  expect(house.receiver.events.at(-1)).toMatchObject({ charger: { chargeState: { isPluggedIn: true } } });
  await house.resolve(second.gateway[Symbol.asyncDispose]());
});

test("a stop waits neither for a receiver that hangs nor for a reader of the live stream", async () => {
  const house = makeHouse();
  house.receiver.answer = () => ({ fault: "hang" });
  const { gateway, process } = await house.start();
  await house.world.clock.advance(3 * SECOND);
  const token = await house.createWebhook(gateway);
  const headers = { authorization: `Bearer ${token}` };
  const live = await house.resolve(gateway.api.inject({ url: "/local/events", headers, payloadAsStream: true }));
  live.stream().resume();
  house.charger.show("charger.state", "UNPLUGGED");
  await house.world.clock.advance(2 * SECOND);
  expect(house.receiver.requests).toHaveLength(1);
  const beforeMs = house.world.clock.monotonicMs();
  await house.resolve(gateway[Symbol.asyncDispose]());
  expect(house.world.clock.monotonicMs() - beforeMs).toBeLessThan(SECOND);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
  expect(process.log.texts("warn")).not.toContain("part of the gateway did not close in time");
});
