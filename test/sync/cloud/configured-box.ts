/** A gateway that a cloud service configures, with what starts its parts anew, on a card that power may leave. */
import { openStore } from "../../../src/store/open-store.ts";
import type { OpenedStore } from "../../../src/store/store.ts";
import { type Cloud, createCloud } from "../../../src/sync/cloud/create-cloud.ts";
import {
  type ConfigurationLayer,
  fixedLayer,
  RemoteConfiguration,
} from "../../../src/sync/cloud/remote-configuration.ts";
import { routesOf } from "../../../src/sync/cloud/routes.ts";
import { CONFIGURED_EVENT, Configuration, type Configured } from "../../../src/sync/protocol/downlink.ts";
import type { Hello } from "../../../src/sync/protocol/handshake.ts";
import { type Uplink, UplinkError } from "../../../src/sync/uplink/uplink.ts";
import { MemoryDisk, type WriteFault } from "../../../src/testing/memory-disk.ts";
import { ProcessClock } from "../../../src/testing/process-clock.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { memoryZstd } from "../../twins/cloud/memory-zstd.ts";
import { GATEWAY, type SyncWorld } from "./sync-world.ts";

export const MINUTE = 60_000;
const SECRET_KEY = new Uint8Array(32).fill(7);

/** What the box is made from: `left` and `right` always belong together. */
export type HouseConfig = Readonly<Record<string, unknown>>;

interface Run {
  readonly store: OpenedStore;
  readonly configuration: RemoteConfiguration<HouseConfig>;
  readonly cloud: Cloud;
  readonly clock: ProcessClock;
}

export class ConfiguredBox {
  readonly world: SyncWorld;
  readonly disk = new MemoryDisk();
  readonly hellos: Hello[] = [];
  /** How often each command had its effect. */
  readonly obeyed: string[] = [];
  /** What the house's own file says. */
  file: HouseConfig = { left: 0, right: 0 };
  /** What the cloud service wants; sent when a hello knows of none that is as new. */
  published: Configuration | null = null;
  isRemote = true;
  starts = 0;
  #run: Run | null = null;
  #next: { readonly begun: number | null } | null = null;
  #cutAt = Number.POSITIVE_INFINITY;

  constructor(world: SyncWorld) {
    this.world = world;
    const hear = world.twin.hear.bind(world.twin);
    world.twin.hear = (gateway, message) => {
      const answer = hear(gateway, message);
      if (message.kind === "hello") this.#greeted(message);
      return answer;
    };
  }

  get run(): Run {
    if (this.#run === null) throw new Error("no gateway runs");
    return this.#run;
  }

  get config(): HouseConfig {
    return this.run.configuration.config;
  }

  /** What the cloud service was told of its documents. */
  get told(): readonly Configured[] {
    return this.world.memory.effects
      .filter(({ event }) => event === CONFIGURED_EVENT)
      .map(({ payload }) => payload as Configured);
  }

  get record() {
    return this.run.store.get("cloud-configuration", "current");
  }

  /** Cuts the power at a batch from now on; `fault` says whether that batch was written. */
  cutPowerAt(batch: number, fault: WriteFault): void {
    this.#cutAt = this.disk.batches + batch;
    this.disk.failWrites(...Array.from({ length: batch - 1 }, () => null), fault);
  }

  get isCutStillDue(): boolean {
    return Number.isFinite(this.#cutAt);
  }

  /** Lives, and is started anew as it asks, or after the power came back. */
  async live(durationMs: number): Promise<void> {
    const { clock } = this.world;
    for (const endMs = clock.monotonicMs() + durationMs; clock.monotonicMs() < endMs; ) {
      if (this.#run === null) await this.#startAgain();
      const isDue = (): boolean => this.disk.batches >= this.#cutAt || this.#next !== null;
      await clock.runUntil(isDue, endMs - clock.monotonicMs());
      if (this.disk.batches >= this.#cutAt) this.kill();
      else if (this.#next !== null) await this.#stop();
    }
    while (this.#run === null) await this.#startAgain();
  }

  /** A power cut, or whatever else ends a process at once. */
  kill(): void {
    this.#cutAt = Number.POSITIVE_INFINITY;
    this.#next = null;
    const clock = this.#run?.clock;
    this.#run = null;
    clock?.kill();
    if (clock !== undefined) this.world.net.forget(clock);
    this.disk.crash();
  }

  async #startAgain(): Promise<void> {
    const begun = this.#next?.begun ?? null;
    this.#next = null;
    try {
      await this.#start(begun);
    } catch (error) {
      if (this.disk.batches < this.#cutAt) throw error;
      this.kill();
    }
  }

  async #start(begun: number | null): Promise<void> {
    const { world, disk } = this;
    const clock = new ProcessClock(world.clock);
    const random = world.random.fork(`start ${this.starts}`);
    this.starts += 1;
    const log = new TestLog();
    const store = await world.resolve(
      openStore({ disk, clock, random, log, routes: routesOf, secretKeys: [SECRET_KEY] }),
    );
    await world.resolve(store.outbox.open(() => []));
    const restart = (next: number | null): void => {
      this.#next = { begun: next };
    };
    const layer = this.isRemote ? layerOf(this.file) : fixedLayer(this.file);
    const trialMs = 5 * MINUTE;
    const parts = { store, clock, random, log, layer, trialMs, begun, restart };
    const configuration = await world.resolve(RemoteConfiguration.open(parts));
    if (configuration.config["isBroken"] === true) {
      await world.resolve(configuration.failed(new Error("no parts can be made of it")));
    }
    const cloud = createCloud({
      ...{ store, clock, random, log, configuration, gateway: GATEWAY, zstd: memoryZstd, software: "hemgate/test" },
      uplink: this.#uplink(configuration.config, clock),
      maxEventBytes: 64 * 1024 * 1024,
      devices: () => [],
      snapshot: () => [],
      api: {
        ask: async ({ path }) => {
          await clock.sleep(2_000, new AbortController().signal);
          this.obeyed.push(path);
          return { status: 204, contentType: "", body: "" };
        },
        isRepeatable: () => false,
      },
    });
    this.#run = { store, configuration, cloud, clock };
  }

  async #stop(): Promise<void> {
    const { cloud, configuration, store, clock } = this.run;
    try {
      await this.world.resolve(cloud[Symbol.asyncDispose]());
      await this.world.resolve(configuration[Symbol.asyncDispose]());
      await this.world.resolve(store[Symbol.asyncDispose]());
    } catch (error) {
      if (this.disk.batches < this.#cutAt) throw error;
      return this.kill();
    }
    clock.kill();
    this.world.net.forget(clock);
    this.#run = null;
  }

  #uplink(config: HouseConfig, clock: ProcessClock): Uplink {
    const end = { kind: "lost", reason: "no way out of this house", retryAfterMs: null } as const;
    if (config["isDeaf"] === true) return { connect: () => Promise.reject(new UplinkError(end)) };
    return this.world.net.uplink(GATEWAY, clock);
  }

  #greeted(hello: Hello): void {
    this.hellos.push(hello);
    const { published } = this;
    if (published === null || published.revision <= (hello.configuration?.seen ?? 0)) return;
    void this.world.net.tell(GATEWAY, published);
  }
}

/** A document of a cloud service. */
export function makeDocument(revision: number, sections: HouseConfig, settings: object = {}): Configuration {
  return Configuration.parse({ v: 1, kind: "configuration", revision, settings, configuration: sections });
}

function layerOf(file: HouseConfig): ConfigurationLayer<HouseConfig> {
  return {
    own: file,
    fileSays: (names) => names.map((name) => file[name] ?? null),
    with(sections) {
      const config = { ...file, ...sections };
      if (config["left"] === config["right"]) return { ok: true, config };
      return { ok: false, mistakes: [{ path: "right", problem: "not as left", expected: "as left" }] };
    },
  };
}
