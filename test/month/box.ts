/** The gateway's box: it is killed, stopped and started again on the same disk. */
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimProcess, World } from "../../src/testing/world.ts";
import type { House } from "./house.ts";

const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 6_000;

export interface Life {
  readonly gateway: Gateway;
  readonly process: SimProcess;
  readonly startedAtMs: number;
  readonly startedAtWallMs: number;
}

export class Box {
  readonly #world: World;
  readonly #house: House;
  readonly #disk = new MemoryDisk();
  #life: Life | null = null;

  constructor(world: World, house: House) {
    this.#world = world;
    this.#house = house;
  }

  get life(): Life | null {
    return this.#life;
  }

  async start(): Promise<Life> {
    const { clock } = this.#world;
    const process = this.#world.boot("gateway", this.#disk);
    const adapters = [fakeAdapter(this.#house.devices)];
    const config = configSchema(adapters).parse({
      site: { timezone: "Europe/Berlin" },
      devices: Object.keys(this.#house.devices).map((id) => ({ id, adapter: "fake" })),
    });
    const opening = createGateway({ platform: process.platform, config, adapters, listen: false });
    const gateway = await clock.resolve(opening, START_WITHIN_MS);
    this.#life = { gateway, process, startedAtMs: clock.monotonicMs(), startedAtWallMs: clock.nowMs() };
    return this.#life;
  }

  kill(): void {
    this.#life?.process.kill();
    this.#disk.crash();
    this.#life = null;
  }

  async stop(): Promise<void> {
    const life = this.#life;
    if (life === null) return;
    this.#life = null;
    await this.#world.clock.resolve(Promise.resolve(life.gateway[Symbol.asyncDispose]()), STOP_WITHIN_MS);
    life.process.kill();
  }
}
