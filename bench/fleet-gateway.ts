/** A gateway of a fleet: a real store in memory, outbox, session and MQTT uplink; what happens in its house is a recording. */

import { nodeMqtt5 } from "../src/platform/node/mqtt/node-mqtt5.ts";
import { nodeClock } from "../src/platform/node/node-clock.ts";
import { nodeRandom } from "../src/platform/node/node-random.ts";
import { zstd } from "../src/platform/node/zstd.ts";
import type { Clock } from "../src/platform/ports/ports.ts";
import { openStore } from "../src/store/open-store.ts";
import type { NewJournalEntry, OpenedStore, TelemetrySample } from "../src/store/store.ts";
import { type Cloud, createCloud } from "../src/sync/cloud/create-cloud.ts";
import { routesOf } from "../src/sync/cloud/routes.ts";
import { MqttUplink } from "../src/sync/uplink/mqtt-uplink.ts";
import { MemoryDisk } from "../src/testing/memory-disk.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { DAY_MS, type HomeDay } from "./home-day.ts";

const QUARTER_MS = 15 * 60_000;
const QUARTERS_A_DAY = 96;
/** As in `TelemetryStream`: a quarter is told so long after its end. */
const SETTLE_MS = 6 * 60_000;

export interface FleetGatewayOptions {
  readonly name: string;
  readonly brokerUrl: string;
  readonly day: HomeDay;
  readonly telemetry: "full" | "quarter-hour" | "off";
  /** When the first quarter of its history began, wall-clock ms; whole quarters. */
  readonly historyFromMs: number;
  /** False: the pauses before it comes back are the shortest, so all come at once. */
  readonly isSpread: boolean;
  /** The wall clock, which may run faster than timers do. */
  nowMs(): number;
}

export class FleetGateway implements AsyncDisposable {
  readonly #options: FleetGatewayOptions;
  readonly #clock: Clock;
  readonly #store: OpenedStore;
  #cloud: Cloud | null = null;

  private constructor(options: FleetGatewayOptions, clock: Clock, store: OpenedStore) {
    this.#options = options;
    this.#clock = clock;
    this.#store = store;
  }

  static async open(options: FleetGatewayOptions): Promise<FleetGateway> {
    const clock: Clock = { ...nodeClock(() => "synced"), nowMs: () => options.nowMs() };
    const parts = { disk: new MemoryDisk(), clock, random: nodeRandom, log: new TestLog(), routes: routesOf };
    const store = await openStore(parts);
    await store.outbox.open(() => []);
    const epoch = Buffer.from(nodeRandom.secretBytes(8)).toString("hex");
    const put = { epoch, startMs: options.historyFromMs, acked: 0 };
    await store.commit([{ table: "cloud-telemetry", key: "current", put }], []);
    return new FleetGateway(options, clock, store);
  }

  async tell(entries: readonly NewJournalEntry[]): Promise<void> {
    await this.#store.commit([], entries);
  }

  /** Begins to talk; from here on it comes back by itself. */
  connect(): void {
    const { name, brokerUrl, day, telemetry, isSpread } = this.#options;
    const clock = this.#clock;
    const uplink = new MqttUplink({
      mqtt5: nodeMqtt5({ clock }),
      clock,
      gateway: name,
      servers: [brokerUrl],
      topicPrefix: "hemgate",
      sessionExpirySeconds: DAY_MS / 1_000,
      credentials: async () => ({}),
    });
    this.#cloud = createCloud({
      store: this.#withHistory(),
      clock,
      random: isSpread ? nodeRandom : { ...nodeRandom, next: () => 0 },
      log: new TestLog(),
      uplink,
      zstd,
      gateway: name,
      software: "hemgate/bench",
      maxEventBytes: 64 * 1024 * 1024,
      snapshot: () => [],
      devices: () => day.devices,
      api: { ask: () => Promise.reject(new Error("nobody asks here")), isRepeatable: () => false },
      configuration: {
        settings: { telemetry },
        status: { revision: null, seen: 0, isOnTrial: false, digest: "" },
        receive: async () => undefined,
        agreed: () => undefined,
      },
    });
  }

  /** How many numbers both streams of its outbox gave. */
  get numbers(): number {
    const streams = Object.values(this.#store.outbox.meta?.streams ?? {});
    return streams.reduce((sum, { next }) => sum + next - 1, 0);
  }

  /** Numbers of all streams that the cloud service has not acknowledged. */
  async waiting(): Promise<number> {
    const progress = await this.#cloud?.progress();
    if (progress === undefined || !progress.isConnected) return Number.POSITIVE_INFINITY;
    return progress.streams.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** For a look into what went wrong. */
  async standing(): Promise<{ readonly waiting: number; readonly reason: string | null }> {
    return { waiting: await this.waiting(), reason: (await this.#cloud?.progress())?.reason ?? null };
  }

  /** Times at which batches were sent again. */
  async replays(): Promise<number> {
    return (await this.#cloud?.progress())?.replays ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cloud?.[Symbol.asyncDispose]();
    await this.#store[Symbol.asyncDispose]();
  }

  /** The recording stands for what this store would have kept of its own house: a thousand copies would fill the memory. */
  #withHistory(): OpenedStore {
    const { day, historyFromMs } = this.#options;
    const history = async (deviceId: string, fromMs: number): Promise<readonly TelemetrySample[]> => {
      const quarters = day.quarters.get(deviceId) ?? [];
      const index = Math.round((fromMs - historyFromMs) / QUARTER_MS) % Math.min(quarters.length, QUARTERS_A_DAY);
      return (quarters[index] ?? []).map((sample) => ({ ...sample, atMs: sample.atMs + fromMs }));
    };
    return new Proxy(this.#store, {
      get: (store, key) => {
        if (key === "history") return history;
        const value: unknown = Reflect.get(store, key, store);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
  }
}

/** The instant by which so many quarters of a history can be told, wall-clock ms. */
export function toldBy(historyFromMs: number, quarters: number): number {
  return historyFromMs + quarters * QUARTER_MS + SETTLE_MS + 1;
}
