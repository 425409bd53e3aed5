/** A whole gateway for a stretch of virtual time: what its polls, journal and history write to the disk it is given. */
import { configSchema } from "../src/config/config.ts";
import { createGateway } from "../src/gateway.ts";
import type { Disk, Net } from "../src/platform/ports.ts";
import type { TelemetrySample } from "../src/store/store.ts";
import { FakeDevice, fakeAdapter } from "../src/testing/fake-adapter.ts";
import { memoryBroker } from "../src/testing/memory-broker.ts";
import { SeededRandom } from "../src/testing/seeded-random.ts";
import { SimWeb } from "../src/testing/sim-web.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { VirtualClock } from "../src/testing/virtual-clock.ts";

/** The fake devices need no network. */
const NO_NET: Net = {
  connect: () => Promise.reject(new Error("there is no network here")),
  listen: () => Promise.reject(new Error("there is no network here")),
};

interface GatewayDay {
  readonly disk: Disk;
  /** Resolves when the disk has written all it was given. */
  settled(): Promise<void>;
  /** What each device reads at an instant. */
  readonly walks: readonly ((atMs: number) => TelemetrySample)[];
  readonly tickMs: number;
  readonly ticks: number;
}

export async function runGatewayDay({ disk, settled, walks, tickMs, ticks }: GatewayDay): Promise<void> {
  const clock = new VirtualClock();
  const random = new SeededRandom(1);
  const devices = walks.map((walk) => new FakeDevice({ clock, values: valuesOf(walk(0)), pollMs: tickMs }));
  const named = Object.fromEntries(devices.map((device, index) => [`device-${index}`, device]));
  const adapters = [fakeAdapter(named)];
  const config = configSchema(adapters).parse({ devices: Object.keys(named).map((id) => ({ id, adapter: "fake" })) });
  const platform = {
    clock,
    random,
    net: NO_NET,
    http: new SimWeb(clock, random.fork("web")).host(),
    disk,
    log: new TestLog(),
    openBroker: async (address: { host: string; port: number }) => memoryBroker(address),
  };
  const gateway = await whilePassing(clock, createGateway({ platform, config, adapters, listen: false }));
  for (let tick = 0; tick < ticks; tick++) {
    for (const [index, walk] of walks.entries()) Object.assign(devices[index]!.values, valuesOf(walk(clock.nowMs())));
    await clock.advance(tickMs);
    await settled();
  }
  await whilePassing(clock, gateway[Symbol.asyncDispose]());
}

/** Starting and closing may take seconds of virtual time; the real disk needs real ones. */
async function whilePassing<Made>(clock: VirtualClock, work: PromiseLike<Made>): Promise<Made> {
  let isDone = false;
  const watched = Promise.resolve(work).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.advance(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return await watched;
}

function valuesOf({ values }: TelemetrySample): FakeDevice["values"] {
  return Object.fromEntries(values.map(({ point, value }) => [point, value]));
}
