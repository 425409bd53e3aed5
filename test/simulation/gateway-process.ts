import { type Config, configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import type { Adapter, Driver } from "../../src/sdk/driver.ts";
import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimProcess, World } from "../../src/testing/world.ts";

/** How long a start and a stop may take in virtual time. */
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 5_000;

export interface RunningGateway {
  readonly process: SimProcess;
  readonly gateway: Gateway;
  /** Monotonic and wall-clock ms of its start. */
  readonly startedAtMs: number;
  readonly startedAtWallMs: number;
}

/** The gateway's box in a simulated world: it can be killed, stopped and started again on the same disk. */
export class GatewayBox {
  readonly #world: World;
  readonly #disk: MemoryDisk;
  readonly #config: Config;
  readonly #adapters: readonly Adapter[];
  #running: RunningGateway | null = null;
  #deadSinceMs: number | null = null;
  #isStopping = false;
  #readings = 0;

  constructor(world: World, disk: MemoryDisk, devices: readonly object[], adapters: readonly Adapter[]) {
    this.#world = world;
    this.#disk = disk;
    this.#config = configSchema(adapters).parse({ devices });
    this.#adapters = adapters.map((adapter) => counted(adapter, (count) => (this.#readings += count)));
  }

  get running(): RunningGateway | null {
    return this.#running;
  }

  /** Since when no gateway runs, monotonic ms; null while one does. */
  get deadSinceMs(): number | null {
    return this.#deadSinceMs;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Values that drivers delivered, over all lives. */
  get readings(): number {
    return this.#readings;
  }

  /** Rejects when the gateway does not start; the box is as dead then as it was. */
  async start(): Promise<RunningGateway> {
    const { clock } = this.#world;
    const process = this.#world.boot("gateway", this.#disk);
    const { platform } = process;
    const opening = createGateway({ platform, config: this.#config, adapters: this.#adapters, listen: false });
    const gateway = await clock.resolve(opening, START_WITHIN_MS).catch((error: unknown) => {
      process.kill();
      this.#disk.crash();
      throw error;
    });
    this.#running = { process, gateway, startedAtMs: clock.monotonicMs(), startedAtWallMs: clock.nowMs() };
    this.#deadSinceMs = null;
    return this.#running;
  }

  /** Ends it as a power cut does. */
  kill(): void {
    this.#running?.process.kill();
    this.#disk.crash();
    this.#ended();
  }

  /** Ends it in order. Answers what the process still held of the world when it said it was done. */
  async stop(): Promise<SimProcess["held"]> {
    const { running } = this;
    if (running === null) return { streams: 0, listeners: 0, timers: 0 };
    this.#isStopping = true;
    const closing = Promise.resolve(running.gateway[Symbol.asyncDispose]());
    await this.#world.clock.resolve(closing, STOP_WITHIN_MS);
    const { held } = running.process;
    running.process.kill();
    this.#isStopping = false;
    this.#ended();
    return held;
  }

  #ended(): void {
    this.#running = null;
    this.#deadSinceMs = this.#world.clock.monotonicMs();
    this.#world.events.add("gateway ended", {});
  }
}

/** The same adapter, with what its drivers read counted. */
function counted(adapter: Adapter, add: (count: number) => void): Adapter {
  return {
    ...adapter,
    start(context) {
      const running = adapter.start(context);
      return {
        connect: async (deviceId, options, signal) =>
          countedDriver(await running.connect(deviceId, options, signal), add),
        [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
      };
    },
  };
}

function countedDriver(driver: Driver, add: (count: number) => void): Driver {
  return {
    identity: driver.identity,
    vendors: driver.vendors,
    points: driver.points,
    controls: driver.controls,
    pollMs: driver.pollMs,
    async read(scope, signal) {
      const readings = await driver.read(scope, signal);
      add(readings.length);
      return readings;
    },
    write: (point, value, signal) => driver.write(point, value, signal),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
