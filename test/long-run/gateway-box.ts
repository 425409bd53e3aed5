import type { Config } from "../../src/config/config.ts";
import { createGateway, type Gateway } from "../../src/gateway.ts";
import { loadAll } from "../../src/platform/lazy.ts";
import { InProcessOptimizer } from "../../src/platform/optimizer/in-process-optimizer.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SimProcess, World } from "../../src/testing/world.ts";

/** How long a start and a stop may take in virtual time. */
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 6_000;

export interface RunningGateway {
  readonly process: SimProcess;
  readonly gateway: Gateway;
  /** Monotonic and wall-clock ms of its start. */
  readonly startedAtMs: number;
  readonly startedAtWallMs: number;
}

export interface GatewayBoxOptions {
  readonly config: Config;
  /** Makes the adapters of the process that starts. */
  adapters(): readonly Adapter[];
  readonly disk?: MemoryDisk;
}

/** The gateway's box in a simulated world: the gateway is killed, stopped and started again on the same disk. */
export class GatewayBox {
  readonly disk: MemoryDisk;
  readonly #world: World;
  readonly #options: GatewayBoxOptions;
  #running: RunningGateway | null = null;
  #stopping: RunningGateway | null = null;
  #deadSinceMs: number | null = null;

  constructor(world: World, options: GatewayBoxOptions) {
    this.#world = world;
    this.#options = options;
    this.disk = options.disk ?? new MemoryDisk();
  }

  /** The gateway that serves; `null` if none runs, or while it stops. */
  get running(): RunningGateway | null {
    return this.#running;
  }

  /** The gateway while it stops in order; `null` otherwise. */
  get stopping(): RunningGateway | null {
    return this.#stopping;
  }

  /** Since when no gateway runs, monotonic ms; `null` while one does, or stops. */
  get deadSinceMs(): number | null {
    return this.#deadSinceMs;
  }

  /** Starts a process. Rejects if the gateway does not start; the box is as dead then as before. */
  async start(): Promise<RunningGateway> {
    const { clock } = this.#world;
    await loadAll();
    const process = this.#world.boot("gateway", this.disk);
    const { optimizer } = process.platform;
    // Otherwise the machine's speed would decide when the first plan is there.
    if (this.#options.config.pricing !== undefined && optimizer instanceof InProcessOptimizer) await optimizer.ready();
    const { config, adapters } = this.#options;
    const opening = createGateway({ platform: process.platform, config, adapters: adapters(), listen: false });
    const gateway = await clock.resolve(opening, START_WITHIN_MS).catch((error: unknown) => {
      process.kill();
      this.disk.crash();
      throw error;
    });
    this.#running = { process, gateway, startedAtMs: clock.monotonicMs(), startedAtWallMs: clock.nowMs() };
    this.#deadSinceMs = null;
    return this.#running;
  }

  /** Cuts the power: what is not synced is lost. A stop that is under way goes on with the disk as it is then. */
  kill(): void {
    this.#running?.process.kill();
    this.disk.crash();
    if (this.#stopping === null) this.#end();
  }

  /** Stops the gateway in order. Resolves with what its process still held of the world; `null` if none ran. */
  async stop(): Promise<SimProcess["resources"] | null> {
    const running = this.#running;
    if (running === null) return null;
    [this.#running, this.#stopping] = [null, running];
    try {
      await this.#world.clock.resolve(Promise.resolve(running.gateway[Symbol.asyncDispose]()), STOP_WITHIN_MS);
    } finally {
      this.#stopping = null;
    }
    const { resources } = running.process;
    running.process.kill();
    this.#end();
    return resources;
  }

  #end(): void {
    this.#running = null;
    this.#deadSinceMs = this.#world.clock.monotonicMs();
  }
}
