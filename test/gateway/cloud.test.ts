import { expect, test } from "vitest";
import { configSchema } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { openStore } from "../../src/store/open-store.ts";
import { FakeDevice, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { chargerOptions } from "../engine/home.ts";

const SECOND = 1_000;
const CLOUD = { gateway: "gw-1" };
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
