/** Gateways of one name over real stores, a cloud service in memory, and all that can go wrong between them. */
import { openStore } from "../../../src/store/open-store.ts";
import type { Write } from "../../../src/store/records.ts";
import type { NewJournalEntry, OpenedStore } from "../../../src/store/store.ts";
import type { ApiAnswer } from "../../../src/sync/cloud/cloud-commands.ts";
import { type Cloud, createCloud } from "../../../src/sync/cloud/create-cloud.ts";
import { routesOf } from "../../../src/sync/cloud/routes.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { ProcessClock } from "../../../src/testing/process-clock.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock, type VirtualClockOptions } from "../../../src/testing/virtual-clock.ts";
import { makeClient } from "../../store/makers.ts";
import { CloudTwin } from "../../twins/cloud/cloud-twin.ts";
import { memoryZstd } from "../../twins/cloud/memory-zstd.ts";
import { SimCloudNet } from "../../twins/cloud/sim-cloud-net.ts";

export const GATEWAY = "gw-1";
const LIMIT_MS = 600_000;
const EVENT = "user:vendor-action:updated";

/** What somebody wanted to tell, and whether the disk took it. */
export interface Told {
  readonly n: number;
  readonly trueMs: number;
  readonly box: Box;
}

const SETTLE_STEP_MS = 5_000;

export class SyncWorld {
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly twin = new CloudTwin();
  readonly net: SimCloudNet;
  readonly told: Told[] = [];
  #count = 0;
  /** What the real time is ahead of the gateways' wall clock. */
  #trueOffsetMs: number;

  constructor(seed: number, options: VirtualClockOptions = {}) {
    this.clock = new VirtualClock(options);
    this.random = new SeededRandom(seed);
    this.net = new SimCloudNet(this.clock, this.random.fork("net"), this.twin);
    this.#trueOffsetMs = this.clock.nowMs() - this.clock.monotonicMs();
    this.twin.nowMs = () => this.trueMs;
  }

  /** The real time, whatever the gateways' clocks say. */
  get trueMs(): number {
    return Math.round(this.clock.monotonicMs() + this.#trueOffsetMs);
  }

  get memory() {
    return this.twin.memory(GATEWAY);
  }

  /** Numbers of what had an effect, in order. */
  get effects(): readonly number[] {
    return this.memory.effects.flatMap(({ payload }) => numberIn(payload) ?? []);
  }

  nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  resolve<T>(work: PromiseLike<T>): Promise<T> {
    return this.clock.resolve(Promise.resolve(work), LIMIT_MS);
  }

  /** Lets time pass until nothing waits any more. */
  async settle(box: Box, limitMs = 6 * 3_600_000): Promise<void> {
    const untilMs = this.clock.monotonicMs() + limitMs;
    while (this.clock.monotonicMs() < untilMs) {
      const { streams } = await this.resolve(box.run.cloud.progress());
      const own = streams.filter(({ stream }) => stream !== "telemetry");
      if (own.length > 0 && own.every(({ waiting }) => waiting === 0)) return;
      await this.clock.advance(SETTLE_STEP_MS);
    }
    throw new Error("something waits for ever");
  }

  /** Lets time pass until every quarter of an hour that is over was told. */
  async settleTelemetry(box: Box, limitMs = 6 * 3_600_000): Promise<void> {
    const untilMs = this.clock.monotonicMs() + limitMs;
    while (this.clock.monotonicMs() < untilMs) {
      const { streams } = await this.resolve(box.run.cloud.progress());
      if (streams.find(({ stream }) => stream === "telemetry")?.waiting === 0) return;
      await this.clock.advance(20_000);
    }
    throw new Error("telemetry waits for ever");
  }
}

export interface Run {
  readonly store: OpenedStore;
  readonly cloud: Cloud;
  readonly clock: ProcessClock;
  readonly log: TestLog;
}

interface Telling {
  readonly entity: string;
  readonly numbers: readonly number[];
  readonly trueMs: number;
}

/** A box with a card in it. */
export class Box {
  readonly world: SyncWorld;
  readonly random: SeededRandom;
  disk: MemoryDisk;
  #run: Run | null = null;
  #interrupted: Telling | null = null;
  #clones = 0;
  readonly maxEventBytes: number;
  readonly maxTelemetryBytes: number;

  constructor(
    world: SyncWorld,
    disk = new MemoryDisk(),
    { name = "box", maxEventBytes = 64 * 1024 * 1024, maxTelemetryBytes = 64 * 1024 * 1024 } = {},
  ) {
    this.world = world;
    this.disk = disk;
    this.random = world.random.fork(name);
    this.maxEventBytes = maxEventBytes;
    this.maxTelemetryBytes = maxTelemetryBytes;
  }

  get run(): Run {
    if (this.#run === null) throw new Error("no gateway runs");
    return this.#run;
  }

  get isRunning(): boolean {
    return this.#run !== null;
  }

  async start(): Promise<Run> {
    const { world } = this;
    const clock = new ProcessClock(world.clock);
    const log = new TestLog();
    const store = await world.resolve(
      openStore({ disk: this.disk, clock, random: this.random, log, routes: routesOf }),
    );
    const snapshot = (): readonly NewJournalEntry[] =>
      store.all("client").map(({ id, name }) => stateEntry(id, Number(name)));
    await world.resolve(store.outbox.open(snapshot));
    const cloud = createCloud({
      store,
      clock,
      random: this.random,
      log,
      uplink: world.net.uplink(GATEWAY, clock),
      zstd: memoryZstd,
      gateway: GATEWAY,
      software: "hemgate/test",
      maxEventBytes: this.maxEventBytes,
      maxTelemetryBytes: this.maxTelemetryBytes,
      devices: () => ["meter"],
      snapshot,
      api: { ask: ({ path }, key) => this.#obey(store, path, key), isRepeatable: () => true },
    });
    const run: Run = { store, cloud, clock, log };
    this.#run = run;
    this.#lookForInterrupted(run);
    return run;
  }

  async stop(): Promise<void> {
    const { store, cloud, clock } = this.run;
    await this.world.resolve(cloud[Symbol.asyncDispose]());
    await this.world.resolve(store[Symbol.asyncDispose]());
    this.#end(clock);
  }

  /** A power cut. */
  kill(): void {
    this.#end(this.run.clock);
    this.disk.crash();
  }

  /** What a command does, once under its key: an event, in one batch with the key. */
  async #obey(store: OpenedStore, path: string, key: string): Promise<ApiAnswer> {
    const answer = { status: 200, contentType: "text/plain", body: "" };
    if (store.get("note", key) !== null) return answer;
    const done: Write = {
      table: "note",
      key,
      put: { adapter: "test", deviceId: "test", name: key, text: "" },
    };
    await store.commit([done], [{ event: "user:command:done", payload: { path } }]);
    return answer;
  }

  #end(clock: ProcessClock): void {
    clock.kill();
    this.world.net.forget(clock);
    this.#run = null;
  }

  /** Commits an event, and a state of an entity. True: it is on disk; false: it is not, or the power went first. */
  async tell(entity: string, count = 1): Promise<boolean> {
    const { world } = this;
    const { store } = this.run;
    const numbers = Array.from({ length: count }, () => world.nextNumber());
    const last = numbers.at(-1) ?? 0;
    const telling: Telling = { entity, numbers, trueMs: world.trueMs };
    const write: Write = { table: "client", key: entity, put: { ...makeClient(entity), name: String(last) } };
    const events = numbers.map((n): NewJournalEntry => ({ event: EVENT, payload: { n } }));
    const answers: boolean[] = [];
    store.commit([write], [...events, stateEntry(entity, last)]).then(
      () => answers.push(true),
      () => answers.push(false),
    );
    const isOver = (): boolean => answers.length > 0 || this.#run?.store !== store;
    if (!(await world.clock.runUntil(isOver, LIMIT_MS))) throw new Error("a commit is never answered");
    const [isTaken] = answers;
    if (isTaken === undefined) this.#interrupted = telling;
    else if (isTaken) this.#tookIn(telling);
    return isTaken ?? false;
  }

  #tookIn({ numbers, trueMs }: Telling): void {
    for (const n of numbers) this.world.told.push({ n, trueMs, box: this });
  }

  /** What the power went in the middle of is on disk as a whole, or not at all. */
  #lookForInterrupted({ store }: Run): void {
    const telling = this.#interrupted;
    this.#interrupted = null;
    if (telling === null) return;
    const kept = Number(store.get("client", telling.entity)?.name);
    if (kept === telling.numbers.at(-1)) this.#tookIn(telling);
  }

  /** How its entities are. */
  get states(): ReadonlyMap<string, number> {
    return new Map(this.run.store.all("client").map(({ id, name }) => [id, Number(name)]));
  }

  /** What a power cut now would leave on the card. */
  image(): MemoryDisk {
    const image = new MemoryDisk();
    for (const name of ["critical", "telemetry"] as const) {
      for (const [key, value] of this.disk.contents(name)) image.contents(name).set(key, value);
    }
    return image;
  }

  /** A box with a copy of this one's card. */
  clone(): Box {
    this.#clones += 1;
    return new Box(this.world, this.image(), { name: `clone ${this.#clones}` });
  }
}

function stateEntry(entity: string, n: number): NewJournalEntry {
  return { event: "user:meter:updated", payload: { meter: { id: entity }, n } };
}

export function numberIn(payload: unknown): number | null {
  const n: unknown = Reflect.get(Object(payload), "n");
  return typeof n === "number" ? n : null;
}
