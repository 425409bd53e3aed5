/** The gateway's box with the clouds: it loses power, is stopped, and starts again on the same disk. */
import { cloudAdapter } from "../../adapters/clouds/cloud-adapter.ts";
import { withCloudApps } from "../../src/cli/cloud/cloud-apps.ts";
import { configSchema } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimProcess, World } from "../../src/testing/world.ts";

const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 6_000;
const APP = { clientId: "client-1", clientSecret: "secret-1", apiKey: "key-1" };
const APPS = { ecobee: APP, enphase: APP, myuplink: APP, sma: APP, tesla: APP };

export interface Life {
  readonly gateway: Gateway;
  readonly process: SimProcess;
  readonly startedAtMs: number;
  readonly startedAtWallMs: number;
}

export class Box {
  readonly #world: World;
  readonly #disk = new MemoryDisk();
  #life: Life | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  get life(): Life | null {
    return this.#life;
  }

  async start(): Promise<Life> {
    const { clock } = this.#world;
    const process = this.#world.boot("gateway", this.#disk);
    // The options' type is the adapter's own business.
    const unregistered = cloudAdapter({ apps: {}, connectors: [] }) as unknown as Adapter;
    const config = configSchema([unregistered]).parse({
      site: { timezone: "Europe/Berlin" },
      clouds: { apps: APPS },
      devices: [],
    });
    const adapters = withCloudApps([unregistered], config);
    const gateway = await clock.resolve(
      createGateway({ platform: process.platform, config, adapters, listen: false }),
      START_WITHIN_MS,
    );
    const [startedAtMs, startedAtWallMs] = [clock.monotonicMs(), clock.nowMs()];
    this.#life = { gateway, process, startedAtMs, startedAtWallMs };
    return this.#life;
  }

  /** The power goes: what was not synced is lost. */
  cut(): void {
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
