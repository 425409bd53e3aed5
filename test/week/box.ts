/** The gateway's box with all adapters: it is killed, stopped and started again on the same disk. */
import { httpJsonAdapter } from "../../adapters/http-json/http-json-adapter.ts";
import { modbusAdapter } from "../../adapters/modbus/modbus-adapter.ts";
import { smartMeterAdapter } from "../../adapters/smart-meter/smart-meter-adapter.ts";
import { speedwireAdapter } from "../../adapters/speedwire/speedwire-adapter.ts";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { SimProcess, World } from "../../src/testing/world.ts";
import type { WeekDevice } from "./week-device.ts";

/** A write that the disk refuses is found out by whoever writes next. */
const REFUSES_MS = 30 * 60_000;
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 6_000;
const ADAPTERS = [modbusAdapter, mqttAdapter, httpJsonAdapter, smartMeterAdapter, speedwireAdapter];

export interface Life {
  readonly gateway: Gateway;
  readonly process: SimProcess;
  readonly startedAtMs: number;
}

export class Box {
  readonly disk = new MemoryDisk();
  readonly #world: World;
  readonly #config: ReturnType<ReturnType<typeof configSchema>["parse"]>;
  #life: Life | null = null;
  #endedAtMs = 0;
  #diskFailedMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(world: World, devices: readonly WeekDevice[], brokerUrl: string) {
    this.#world = world;
    this.#config = configSchema(ADAPTERS).parse({
      site: { timezone: "Europe/Berlin" },
      mqtt: { broker: { url: brokerUrl } },
      devices: devices.map(({ config }) => config),
    });
  }

  get life(): Life | null {
    return this.#life;
  }

  /** Monotonic ms since when no gateway runs; null while one does. */
  get deadSinceMs(): number | null {
    return this.#life === null ? this.#endedAtMs : null;
  }

  /** While an orderly stop writes what it owes the devices. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  async start(): Promise<Life> {
    const { clock } = this.#world;
    const process = this.#world.boot("gateway", this.disk);
    const opening = createGateway({
      platform: process.platform,
      config: this.#config,
      adapters: ADAPTERS,
      listen: false,
    });
    const startedAtMs = clock.monotonicMs();
    const gateway = await clock.resolve(opening, START_WITHIN_MS);
    this.#life = { gateway, process, startedAtMs };
    return this.#life;
  }

  /** Lets the disk refuse the next write. */
  failWrites(random: SeededRandom): void {
    this.#diskFailedMs = this.#world.clock.monotonicMs();
    this.disk.failWrites(random.pick(["lost", "kept"]));
  }

  /** Whether somebody may be told that nothing can be stored. */
  get mayRefuse(): boolean {
    const isFresh = this.#world.clock.monotonicMs() - this.#diskFailedMs < REFUSES_MS;
    return isFresh || this.#life?.gateway.store.isWritable === false;
  }

  kill(): void {
    this.#life?.process.kill();
    this.disk.crash();
    this.#ended();
  }

  /** Answers what the gateway still held of the world afterwards. */
  async stop(): Promise<SimProcess["held"] | null> {
    const life = this.#life;
    if (life === null) return null;
    this.#isStopping = true;
    try {
      await this.#world.clock.resolve(Promise.resolve(life.gateway[Symbol.asyncDispose]()), STOP_WITHIN_MS);
    } finally {
      this.#isStopping = false;
    }
    const { held } = life.process;
    life.process.kill();
    this.#ended();
    return held;
  }

  #ended(): void {
    this.#life = null;
    this.#endedAtMs = this.#world.clock.monotonicMs();
  }
}
