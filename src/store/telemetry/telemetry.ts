/** Commit class "lazy": telemetry in memory, written every five minutes as one synced batch of columnar blocks. */
import assert from "node:assert/strict";
import { DAY_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyRow } from "../../domain/statistics/statistics-row.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Database, Disk, Log, Salvage } from "../../platform/ports/ports.ts";
import { StorageError, storageErrorOf } from "../../platform/ports/storage-error.ts";
import { intact } from "../critical-image.ts";
import { type Operation, scan, writeSynced } from "../database.ts";
import type { DiskSpace } from "../disk-space.ts";
import { sealJson, unsealJson } from "../envelope.ts";
import { LiveDatabase } from "../live-database.ts";
import { salvageText } from "../salvage.ts";
import type { EnergyQuery, Hole, TelemetrySample } from "../store.ts";
import { Backlog, type Block, firstBlocks, type Gap, grownSizes, joinGaps, MAX_WAITING_BYTES } from "./backlog.ts";
import { type HistoryQuery, type HistorySource, readEdge, readHistory } from "./history.ts";
import { readHoles, wholeSince } from "./holes.ts";
import { dropDevice, dropOldestDay, KEPT_DAYS, pruneDays, pruneRows, type TelemetryLimits } from "./retention.ts";
import { RollUp } from "./roll-up.ts";
import { readRows } from "./row-reader.ts";
import {
  DAY_SIZES,
  dayOf,
  daySizeKey,
  EPOCH_KEY,
  gapKey,
  LAYOUT_KEY,
  MAX_BLOCK_MINUTES,
  parseDaySizeKey,
} from "./telemetry-keys.ts";
import { UndatedSamples } from "./undated-samples.ts";

/**
 * Minutes between two writes; it divides a day and is at most `MAX_BLOCK_MINUTES`. A power cut loses at most this much.
 * On ext4 each write costs about 25 kB of file-system metadata.
 */
export const FLUSH_MINUTES = 5;
/** Readings of the last second of a minute may arrive after its end. */
const SETTLE_MS = 2_000;
const DAY_MINUTES = 1_440;
/** Maximum size of one write, small compared with LevelDB's buffers. */
const MAX_BATCH_BYTES = 1024 * 1024;

/** 400 days, within the space that a small SD card has. */
const TELEMETRY_LIMITS: TelemetryLimits = { days: KEPT_DAYS.samples, bytes: 2 * 1024 ** 3 };

export interface TelemetryOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  /** Checked before each write; if space is short, nothing is written. Absent: there is always enough. */
  readonly space?: Pick<DiskSpace, "look" | "isShort">;
  onRecovered(what: string): void;
  readonly maxWaitingBytes?: number;
  readonly flushMinutes?: number;
}

export class Telemetry implements AsyncDisposable {
  readonly #options: TelemetryOptions;
  readonly #live: LiveDatabase;
  readonly #backlog: Backlog;
  readonly #undated: UndatedSamples;
  readonly #rollUp: RollUp;
  readonly #flushMs: number;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  readonly #daySizes = new Map<string, number>();
  #gaps: Gap[] = [];
  #knownEpoch = 0;
  #epoch = 0;
  #hasWrittenEpoch = false;
  #wasReplaced = false;
  #isRefused = false;
  #timer: Disposable | null = null;
  #isClosed = false;

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
        options.log.error({ ...gap }, "the disk refused writes for too long; dropped the oldest telemetry");
        this.#gaps = joinGaps(this.#gaps, gap);
      },
    });
    this.#undated = new UndatedSamples(options.clock);
    const raw = {
      read: (deviceId: string, fromMs: number, toMs: number) => this.#read({ deviceId, fromMs, toMs }),
      readEdge: (deviceId: string, fromMs: number, toMs: number, edge: "first" | "last") =>
        readEdge(this.#source(), { deviceId, fromMs, toMs }, [...this.#daySizes.keys()], edge),
    };
    this.#rollUp = new RollUp({ live: this.#live, raw, log: options.log, rawDays: () => this.#rawDays() });
  }

  /** The epoch that this database remembers; 0 if none. */
  get knownEpoch(): number {
    return this.#knownEpoch;
  }

  /**
   * Opens the database. Rejects if it is `newer` or `locked`; after any other failure it is tried again in the
   * background.
   */
  async open(signal: AbortSignal): Promise<void> {
    try {
      await this.#live.start(signal, 1);
    } catch (error) {
      const failure = storageErrorOf(error, "the telemetry database cannot be opened");
      if (failure.kind === "newer" || failure.kind === "locked") throw failure;
      this.#options.log.error(
        { err: failure },
        "cannot open the telemetry database; keeping telemetry in memory and trying again",
      );
      this.#live.retryLater();
    }
  }

  /** The open database. Throws a `StorageError("refused")` while there is none. */
  get database(): Database {
    return this.#live.current();
  }

  /** Starts writing, with this epoch in the keys. */
  start(epoch: number): void {
    this.#epoch = epoch;
    this.#backlog.startEpoch(epoch);
    this.#schedule();
  }

  record(sample: TelemetrySample): void {
    if (this.#isClosed) return;
    for (const dated of this.#undated.take(sample)) this.#backlog.add(dated);
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
      throw storageErrorOf(error, "the gaps of the history cannot be read");
    }
  }

  async energy(query: EnergyQuery): Promise<readonly EnergyRow[]> {
    try {
      return await readRows(this.#rollUp.source(), query);
    } catch (error) {
      throw storageErrorOf(error, `the energy of ${query.stream.deviceId} cannot be read`);
    }
  }

  /** Deletes all telemetry of a device, including what is not written yet. */
  async forget(deviceId: string): Promise<void> {
    this.#undated.forget(deviceId);
    this.#backlog.forget(deviceId);
    await this.#mutex.settled();
    await dropDevice(this.#live, [...this.#daySizes.keys()], deviceId);
  }

  /** Deletes what is too old (unless `nowMs` is null), and the oldest days of raw samples while they are too large. */
  async prune(nowMs: number | null, limits: TelemetryLimits = TELEMETRY_LIMITS): Promise<void> {
    await pruneDays(this.#live, this.#daySizes, nowMs, limits);
    if (nowMs !== null) await pruneRows(this.#live, nowMs);
  }

  /** Deletes the oldest day of raw samples, except the last week, and frees its disk space. */
  async makeRoom(): Promise<void> {
    if (this.#live.isOpen) await dropOldestDay(this.#live, this.#daySizes, this.#options.log);
  }

  /** Writes all blocks that are complete at `nowMs`. */
  async flush(nowMs = this.#options.clock.nowMs()): Promise<void> {
    for (const sample of this.#undated.releaseDue()) this.#backlog.add(sample);
    for (const _ of this.#backlog.seal(Math.floor(nowMs / this.#flushMs) * this.#flushMs, nowMs)) await this.#pause();
    await this.#mutex.run("writes", () => this.#writeBacklog());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
    for (const sample of this.#undated.release()) this.#backlog.add(sample);
    await this.flush(Number.POSITIVE_INFINITY);
    const { length: blocks } = this.#backlog.blocks;
    if (blocks > 0) this.#options.log.error({ blocks }, "the disk refused the last telemetry; it is lost");
    await this.#live[Symbol.asyncDispose]();
  }

  /** Schedules the next write, aligned to the wall clock, so that blocks are whole. */
  #schedule(): void {
    const periodMs = this.#flushMs;
    const sinceLastMs = (((this.#options.clock.nowMs() - SETTLE_MS) % periodMs) + periodMs) % periodMs;
    this.#timer = this.#options.clock.timer(periodMs - sinceLastMs, () => {
      void this.flush().then(() => this.#mutex.run("writes", () => this.#rollUpComplete()));
      this.#schedule();
    });
  }

  /** Lets others run, unless this is the end. */
  async #pause(): Promise<void> {
    if (this.#isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#options.clock.timer(0, resolve);
    await promise;
  }

  #source(): HistorySource {
    return { database: this.#live.current(), backlog: this.#backlog, log: this.#options.log };
  }

  async #read(query: HistoryQuery): Promise<readonly TelemetrySample[]> {
    const undated = this.#undated.waiting(query.deviceId, query.fromMs, query.toMs);
    const found = await readHistory(this.#source(), query, [...this.#daySizes.keys()]);
    return undated.length === 0 ? found : [...found, ...undated].sort((one, other) => one.atMs - other.atMs);
  }

  /** Returns the UTC days with samples on disk or in memory. */
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
      log.warn({ err }, "cannot roll up energy; trying again");
    }
  }

  async #writeBacklog(): Promise<void> {
    // The last write is small, and would be lost otherwise.
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
    this.#options.log.warn(
      { err: error, blocks: this.#backlog.blocks.length },
      "cannot write telemetry; keeping it in memory",
    );
  }

  #noteAcceptance(): void {
    if (!this.#isRefused) return;
    this.#isRefused = false;
    this.#options.log.info({}, "telemetry is written again");
  }
}

/** Version of the keys; each block has its format version. */
const LAYOUT = 1;

/**
 * Checks the layout and returns the epoch that the database remembers; 0 if none. An empty database gets the layout. If
 * it replaces a lost database, or `isSalvaged` from one, `lostAtMs` (wall-clock ms) is stored as the time of the loss.
 * Rejects with a `StorageError("newer")`.
 */
async function adoptLayout(database: Database, lostAtMs: number | null, isSalvaged = false): Promise<number> {
  const layout = await readCounter(database, LAYOUT_KEY);
  if (layout !== null && layout > LAYOUT) {
    throw new StorageError("newer", `the telemetry database has layout ${layout}, this version of hemgate supports 1`);
  }
  if (layout === null || isSalvaged) {
    const value = sealJson(LAYOUT_KEY, { epoch: 0, seq: 0 }, LAYOUT);
    const lost = lostAtMs === null ? [] : [wholeSince(lostAtMs)];
    await writeSynced(database, [{ type: "put", key: LAYOUT_KEY, value }, ...lost]);
  }
  return (await readCounter(database, EPOCH_KEY)) ?? 0;
}

/** Returns a counter; `null` if there is none or it is damaged. */
async function readCounter(database: Database, key: string): Promise<number | null> {
  const sealed = await database.get(key);
  const value = sealed === undefined ? undefined : intact(() => unsealJson(key, sealed));
  return typeof value === "number" ? value : null;
}
