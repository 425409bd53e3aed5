import { expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { openStore } from "../../src/store/open-store.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { chargerOptions } from "../engine/home.ts";
import { EnrolmentTwin } from "../twins/cloud/enrolment-twin.ts";
import { memoryZstd } from "../twins/cloud/memory-zstd.ts";

const SECOND = 1_000;
const CLOUD = {
  gateway: "gw-1",
  uplinks: [{ kind: "mqtt", servers: ["mqtts://mqtt.cloud.example"] }],
  credentials: { password: "of-the-fleet" },
};
const ALL = { records: 1_000, bytes: 1_000_000 };

class House {
  readonly world = new World({ seed: 3 });
  readonly disk = new MemoryDisk();
  readonly charger = new FakeDevice({ ...chargerOptions(), clock: this.world.clock });

  /** Lets the house live for a while, with or without a cloud service, and stops it. */
  async live(cloud: typeof CLOUD | undefined, work: () => Promise<void>): Promise<void> {
    const process = this.world.boot("gateway", this.disk);
    const adapters = [fakeAdapter({ charger: this.charger })];
    const devices = [{ id: "charger", adapter: "fake" }];
    const config = configSchema(adapters).parse({ devices, ...(cloud && { cloud }) });
    const { platform } = process;
    const gateway = await this.#resolve(createGateway({ platform, config, adapters, listen: false }));
    await this.world.clock.advance(3 * SECOND);
    await work();
    await this.world.clock.advance(3 * SECOND);
    await this.#resolve(gateway[Symbol.asyncDispose]());
    process.kill();
  }

  /** What is gathered, in short. */
  async gathered(): Promise<{ readonly events: readonly string[]; readonly states: readonly string[] } | null> {
    const { platform } = this.world.boot("reader", this.disk);
    const store = await this.#resolve(openStore(platform));
    const events = await store.outbox.read("event", 0, ALL);
    const states = await store.outbox.read("state", 0, ALL);
    await this.#resolve(store[Symbol.asyncDispose]());
    if (events === null || states === null) return null;
    return {
      events: events.records.map(({ event }) => event),
      states: states.records.map(({ entity, event }) => `${String(entity).split("/")[0]} ${event}`),
    };
  }

  #resolve<T>(work: PromiseLike<T>): Promise<T> {
    return this.world.clock.resolve(Promise.resolve(work), 60 * SECOND);
  }
}

test("a gateway with a cloud service gathers the newest states, and what was there before it had one", async () => {
  const house = new House();
  await house.live(undefined, async () => undefined);
  expect(await house.gathered()).toBeNull();
  await house.live(CLOUD, async () => {
    house.charger.show("charger.state", "UNPLUGGED");
    await house.world.clock.advance(3 * SECOND);
    house.charger.show("charger.state", "CHARGING");
  });
  const { events, states } = (await house.gathered())!;
  expect(states).toEqual(["charger user:charger:updated"]);
  expect(events).not.toContain("user:charger:updated");
});

test("a gateway without one forgets what it gathered: what is missing since would be a hole", async () => {
  const house = new House();
  await house.live(CLOUD, async () => undefined);
  expect(await house.gathered()).toMatchObject({ states: ["charger user:charger:updated"] });
  await house.live(undefined, async () => undefined);
  expect(await house.gathered()).toBeNull();
});

test("an enrolled gateway tells the cloud service by MQTT until its owner cuts the link", async () => {
  const { world, disk, charger } = new House();
  const twin = new EnrolmentTwin({
    clock: world.clock,
    random: world.random.fork("twin"),
    url: "https://cloud.example/",
  });
  world.web.serve("cloud.example", "93.184.216.34", (request) => twin.answer(request));
  const broker = world.mqtt.broker("mqtts://mqtt.cloud.example");
  const topics = (): readonly string[] => broker.published.map(({ topic }) => topic);
  const adapters = [fakeAdapter({ charger })];
  const config = configSchema(adapters).parse({ devices: [{ id: "charger", adapter: "fake" }] });
  const { platform } = world.boot("gateway", disk);
  const resolve = <T>(work: PromiseLike<T>): Promise<T> => world.clock.resolve(Promise.resolve(work), 60 * SECOND);
  const gateway = await resolve(createGateway({ platform, config, adapters, zstd: memoryZstd, listen: false }));
  await world.clock.advance(5 * SECOND);
  expect(topics()).toEqual([]);
  await resolve(gateway.cloud.enroll(twin.issueToken(), new AbortController().signal));
  await world.clock.advance(10 * SECOND);
  expect(topics()).toEqual(["hemgate/gw-1/up/presence", "hemgate/gw-1/up/hello"]);
  const hello = JSON.parse(Buffer.from(broker.published.at(-1)!.payload).toString("utf8"));
  const welcome = {
    meeting: hello.meeting,
    ...{ v: 1, kind: "welcome", gateway: "gw-1", version: 1, isFork: false, knownBoot: null, window: 4, atMs: 0 },
    streams: Object.fromEntries(["event", "state"].map((name) => [name, { ...hello.streams[name], applied: 0 }])),
  };
  const payload = new TextEncoder().encode(JSON.stringify(welcome));
  await broker.publish({ topic: "hemgate/gw-1/down/welcome", payload, isRetained: false });
  await world.clock.advance(5 * SECOND);
  expect(await resolve(gateway.cloud.view())).toMatchObject({ state: "CONNECTED", uplink: "mqtt", reason: null });
  expect(topics()).toContain("hemgate/gw-1/up/batch/state");
  await resolve(gateway.cloud.cut());
  await world.clock.advance(5 * SECOND);
  expect(await resolve(gateway.cloud.view())).toMatchObject({ state: "NOT_ENROLLED", uplink: null, streams: [] });
  expect(twin.gateways).toEqual([]);
  await resolve(gateway[Symbol.asyncDispose]());
});
