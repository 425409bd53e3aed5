/** Commit class "lazy": telemetry in memory, written every five minutes as one synced batch of columnar blocks. */
import assert from "node:assert/strict";
import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyRow } from "../../domain/statistics/statistics-row.ts";
import type { Clock, Database, Disk, Log, Salvage } from "../../platform/ports/ports.ts";
import { storageErrorOf } from "../../platform/ports/storage-error.ts";
import { intact } from "../critical-image.ts";
import { type Operation, scan } from "../database.ts";
import type { DiskSpace } from "../disk-space.ts";
import { sealJson, unsealJson } from "../envelope.ts";
import { LiveDatabase } from "../live-database.ts";
import { salvageText } from "../salvage.ts";
import type { EnergyQuery, Hole, TelemetrySample } from "../store.ts";
import { Backlog, type Block, firstBlocks, type Gap, grownSizes, joinGaps, MAX_WAITING_BYTES } from "./backlog.ts";
import { HeldSamples } from "./held-samples.ts";
import { type HistoryQuery, type HistorySource, readEdge, readHistory } from "./history.ts";
import { readHoles } from "./holes.ts";
import { adoptLayout } from "./layout.ts";
import { dropDevice, dropOldestDay, pruneDays, pruneRows, type TelemetryLimits } from "./retention.ts";
import { RollUp } from "./roll-up.ts";
import { readRows } from "./row-reader.ts";
import {
  DAY_SIZES,
  dayOf,
  daySizeKey,
  EPOCH_KEY,
  gapKey,
  MAX_BLOCK_MINUTES,
  parseDaySizeKey,
} from "./telemetry-keys.ts";

/**
 * How often telemetry is written; it divides a day and is at most `MAX_BLOCK_MINUTES`. A power cut takes as much. On
 * ext4 each write costs about 25 kB of file system beside its data.
 */
export const FLUSH_MINUTES = 5;
/** A reading of the last second of a minute may still be on its way when the minute ends. */
const SETTLE_MS = 2_000;
const DAY_MINUTES = 1_440;
/** One write stays small beside LevelDB's buffers. */
const MAX_BATCH_BYTES = 1024 * 1024;

/** A year and a month, in at most what a small card has to spare. */
const TELEMETRY_LIMITS: TelemetryLimits = { days: 400, bytes: 2 * 1024 ** 3 };

export interface TelemetryOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** Looked at before each write; with little room nothing is written. Absent: there always is enough. */
  readonly space?: Pick<DiskSpace, "look" | "isShort">;
  onRecovered(what: string): void;
  readonly maxWaitingBytes?: number;
  readonly flushMinutes?: number;
}

export class Telemetry implements AsyncDisposable {
  readonly #options: TelemetryOptions;
  readonly #live: LiveDatabase;
  readonly #backlog: Backlog;
  readonly #held: HeldSamples;
  readonly #rollUp: RollUp;
  readonly #flushMs: number;
  readonly #daySizes = new Map<string, number>();
  #gaps: Gap[] = [];
  #knownEpoch = 0;
  #epoch = 0;
  #hasWrittenEpoch = false;
  #wasReplaced = false;
  #isRefused = false;
  #timer: Disposable | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** The UTC day whose housekeeping of energy rows is done. */
  #prunedDay = "";

  constructor(options: TelemetryOptions) {
    this.#options = options;
    this.#live = new LiveDatabase({
      ...options,
      name: "telemetry",
      adopt: (database, salvage) => this.#adopt(database, salvage),
      onDamage: (what) => {
        this.#wasReplaced = true;
        options.onRecovered(what);
      },
    });
    const { maxWaitingBytes = MAX_WAITING_BYTES, flushMinutes = FLUSH_MINUTES } = options;
    assert(DAY_MINUTES % flushMinutes === 0 && flushMinutes <= MAX_BLOCK_MINUTES);
    this.#flushMs = flushMinutes * MINUTE_MS;
    this.#backlog = new Backlog({
      blockMinutes: flushMinutes,
      maxWaitingBytes,
      dropped: (gap) => {
        options.log.error({ ...gap }, "telemetry dropped, the disk refused for too long");
        this.#gaps = joinGaps(this.#gaps, gap);
      },
    });
    this.#held = new HeldSamples(options.clock);
    const raw = {
      read: (deviceId: string, fromMs: number, toMs: number) => this.#read({ deviceId, fromMs, toMs }),
      readEdge: (deviceId: string, fromMs: number, toMs: number, edge: "first" | "last") =>
        readEdge(this.#source(), { deviceId, fromMs, toMs }, [...this.#daySizes.keys()], edge),
    };
    this.#rollUp = new RollUp({ live: this.#live, raw, log: options.log, rawDays: () => this.#rawDays() });
  }

  /** The epoch that this database remembers; 0 when none. */
  get knownEpoch(): number {
    return this.#knownEpoch;
  }
  /** Opens the database. Rejects when it is `newer` or `locked`; any other failure is tried again as the gateway works. */
  async open(signal: AbortSignal): Promise<void> {
    try {
      await this.#live.start(signal, 1);
    } catch (error) {
      const failure = storageErrorOf(error, "the telemetry database cannot be opened");
      if (failure.kind === "newer" || failure.kind === "locked") throw failure;
      this.#options.log.error({ err: failure }, "telemetry is kept in memory only");
      this.#live.retryLater();
    }
  }

  /** Starts writing, with the epoch of this start in the keys. */
  start(epoch: number): void {
    this.#epoch = epoch;
    this.#backlog.startEpoch(epoch);
    this.#schedule();
  }

  record(sample: TelemetrySample): void {
    if (this.#isClosed) return;
    for (const dated of this.#held.take(sample)) this.#backlog.add(dated);
  }

  async history(deviceId: string, fromMs: number, toMs: number): Promise<readonly TelemetrySample[]> {
    try {
      return await this.#read({ deviceId, fromMs, toMs });
    } catch (error) {
      throw storageErrorOf(error, `the history of ${deviceId} cannot be read`);
    }
  }

  async holes(fromMs: number, toMs: number): Promise<readonly Hole[]> {
    try {
      return await readHoles(this.#live.current(), this.#gaps, fromMs, toMs);
    } catch (error) {
      throw storageErrorOf(error, "what the history lacks cannot be read");
    }
  }

  async energy({ stream, slotMs, fromMs, toMs }: EnergyQuery): Promise<readonly EnergyRow[]> {
    try {
      return await readRows(this.#rollUp.source(), stream, slotMs, fromMs, toMs);
    } catch (error) {
      throw storageErrorOf(error, `the energy of ${stream.deviceId} cannot be read`);
    }
  }

  /** Drops all that is known of a device; what was read of it since the last write too. */
  async forget(deviceId: string): Promise<void> {
    this.#held.forget(deviceId);
    this.#backlog.forget(deviceId);
    await this.#flushing;
    await dropDevice(this.#live, [...this.#daySizes.keys()], deviceId);
  }

  /** Drops what is too old (unless `nowMs` is null), and the oldest days of raw samples while they are too large. */
  async prune(nowMs: number | null, limits: TelemetryLimits = TELEMETRY_LIMITS): Promise<void> {
    await pruneDays(this.#live, this.#daySizes, nowMs, limits);
    if (nowMs === null || dayOf(nowMs) === this.#prunedDay) return;
    await pruneRows(this.#live, nowMs);
    this.#prunedDay = dayOf(nowMs);
  }

  /** Drops the oldest day of raw samples, unless it is one of the last week, and gives its room back to the disk. */
  async makeRoom(): Promise<void> {
    if (this.#live.isOpen) await dropOldestDay(this.#live, this.#daySizes, this.#options.log);
  }

  /** Writes all blocks that are complete at `nowMs`. */
  flush(nowMs = this.#options.clock.nowMs()): Promise<void> {
    for (const sample of this.#held.releaseDue()) this.#backlog.add(sample);
    this.#backlog.seal(Math.floor(nowMs / this.#flushMs) * this.#flushMs, nowMs);
    this.#flushing = this.#flushing.then(() => this.#writeBacklog());
    return this.#flushing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    for (const sample of this.#held.release()) this.#backlog.add(sample);
    await this.flush(Number.POSITIVE_INFINITY);
    const { length: blocks } = this.#backlog.blocks;
    if (blocks > 0) this.#options.log.error({ blocks }, "telemetry lost, the disk refused it until the end");
    await this.#live[Symbol.asyncDispose]();
  }

  /** Aligned to the wall clock's minutes, so that blocks are whole. */
  #schedule(): void {
    const periodMs = this.#flushMs;
    const sinceLastMs = (((this.#options.clock.nowMs() - SETTLE_MS) % periodMs) + periodMs) % periodMs;
    this.#timer = this.#options.clock.timer(periodMs - sinceLastMs, () => {
      void this.flush();
      this.#flushing = this.#flushing.then(() => this.#rollUpComplete());
      this.#schedule();
    });
  }

  #source(): HistorySource {
    return { database: this.#live.current(), backlog: this.#backlog, log: this.#options.log };
  }

  async #read(query: HistoryQuery): Promise<readonly TelemetrySample[]> {
    const held = this.#held.waiting(query.deviceId, query.fromMs, query.toMs);
    const found = await readHistory(this.#source(), query, [...this.#daySizes.keys()]);
    return held.length === 0 ? found : [...found, ...held].sort((one, other) => one.atMs - other.atMs);
  }

  /** The UTC days of samples on disk, and of those on their way there. */
  #rawDays(): ReadonlySet<string> {
    const nowMs = this.#options.clock.nowMs();
    return new Set([...this.#daySizes.keys(), dayOf(nowMs), dayOf(nowMs - DAY_MS)]);
  }

  async #rollUpComplete(): Promise<void> {
    const { clock, log } = this.#options;
    if (clock.quality() === "unset" || !this.#live.isOpen || this.#isClosed || this.#options.space?.isShort === true)
      return;
    try {
      await this.#rollUp.pass(clock.nowMs(), () => this.#isClosed);
    } catch (err) {
      log.warn({ err }, "energy not rolled up yet");
    }
  }

  async #writeBacklog(): Promise<void> {
    // What is written at the end is little, and would be lost.
    if (!this.#isClosed && (await this.#options.space?.look()) === true) return this.#noteRefusal(null);
    while (this.#backlog.blocks.length > 0 && this.#live.isOpen) {
      const blocks = firstBlocks(this.#backlog.blocks, MAX_BATCH_BYTES);
      const sizes = grownSizes(blocks, this.#daySizes);
      const gaps = this.#gaps;
      const late = this.#rollUp.marksFor(blocks);
      try {
        await this.#live.write([...this.#operations(blocks, sizes, gaps), ...late]);
      } catch (error) {
        this.#noteRefusal(error);
        return;
      }
      this.#backlog.written(blocks);
      this.#rollUp.marked(late);
      this.#gaps = this.#gaps.filter((gap) => !gaps.includes(gap));
      for (const [day, bytes] of sizes) this.#daySizes.set(day, bytes);
      this.#hasWrittenEpoch = true;
      this.#noteAcceptance();
    }
    if (this.#backlog.blocks.length > 0) this.#noteRefusal(null);
  }

  #operations(blocks: readonly Block[], sizes: ReadonlyMap<string, number>, gaps: readonly Gap[]): Operation[] {
    const operations: Operation[] = blocks.map(({ key, sealed }) => ({ type: "put", key, value: sealed }));
    const put = (key: string, value: unknown): void => {
      operations.push({ type: "put", key, value: sealJson(key, { epoch: this.#epoch, seq: 0 }, value) });
    };
    for (const [day, bytes] of sizes) put(daySizeKey(day), bytes);
    for (const gap of gaps) put(gapKey(gap.fromMs, this.#backlog.nextPlace()), gap);
    if (!this.#hasWrittenEpoch) put(EPOCH_KEY, this.#epoch);
    return operations;
  }

  async #adopt(database: Database, salvage: Salvage | null): Promise<void> {
    const { clock, onRecovered } = this.#options;
    if (salvage !== null) onRecovered(salvageText("telemetry", salvage));
    const isLost = this.#wasReplaced || salvage !== null;
    const lostAtMs = isLost && clock.quality() !== "unset" ? clock.nowMs() : null;
    this.#knownEpoch = Math.max(this.#knownEpoch, await adoptLayout(database, lostAtMs, salvage !== null));
    this.#hasWrittenEpoch = false;
    this.#daySizes.clear();
    await scan(database, DAY_SIZES, (key, sealed) => {
      const bytes = intact(() => unsealJson(key, sealed));
      this.#daySizes.set(parseDaySizeKey(key), typeof bytes === "number" ? bytes : 0);
      return true;
    });
    await this.#rollUp.adopt(database);
  }

  #noteRefusal(error: unknown): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    this.#options.log.warn({ err: error, blocks: this.#backlog.blocks.length }, "telemetry waits in memory");
  }

  #noteAcceptance(): void {
    if (!this.#isRefused) return;
    this.#isRefused = false;
    this.#options.log.info({}, "telemetry is written again");
  }
}
