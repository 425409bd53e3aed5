/**
 * Rolls up raw samples: minutes of an hour when the hour and its neighbours are complete, quarter hours when the UTC
 * day is, hours when the UTC month is. Each step is one synced batch that also stores its progress. A step replaces its
 * earlier result, so one that a crash interrupted is repeated without counting twice.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { EnergyKind } from "../../domain/statistics/statistics-hour.ts";
import { MAX_GAP_MS } from "../../domain/statistics/statistics-reading.ts";
import { coarserRows, type EnergyRow, QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import type { Database, Log } from "../../platform/ports/ports.ts";
import { intact } from "../critical-image.ts";
import { firstKeys, type Operation } from "../database.ts";
import { type Place, seal, sealJson, unsealJson } from "../envelope.ts";
import type { LiveDatabase } from "../live-database.ts";
import type { Block } from "./backlog.ts";
import { deviceHour, type RawHistory } from "./device-hour.ts";
import { encodeRows } from "./row-block.ts";
import {
  type BlockTime,
  blockTime,
  LATE_HOURS,
  lateKey,
  minuteBlocksOfDay,
  parseLateKey,
  QUARTER_BLOCKS,
  ROLLED_KEY,
  rowsKey,
  type Stream,
  streamOf,
} from "./row-keys.ts";
import { type RowSource, readBlocks } from "./row-reader.ts";
import { blocksOfDay, dayOf, parseBlockKey, startOfDay } from "./telemetry-keys.ts";

/** Samples with an earlier date are from an unset clock and are not used for statistics. */
const TRUSTED_FROM_MS = Date.UTC(2024, 0);
/** Time after which the readings that follow an hour are on disk. */
const SETTLED_MS = MAX_GAP_MS + MINUTE_MS;
/** Maximum number of hours per pass; older history is rolled up in several passes. */
const MAX_HOURS_A_PASS = 36;
const NOWHERE: Place = { epoch: 0, seq: 0 };

interface RowBlock {
  readonly stream: Stream;
  readonly time: BlockTime;
  readonly rows: readonly EnergyRow[];
}
/** Blocks of one batch, by key. */
type Made = Map<string, RowBlock>;

export interface RollUpOptions {
  readonly live: LiveDatabase;
  readonly raw: RawHistory;
  readonly log: Log;
  /** Returns the UTC days with raw blocks on disk. */
  rawDays(): ReadonlySet<string>;
}

export class RollUp {
  readonly #options: RollUpOptions;
  #rolledMs = TRUSTED_FROM_MS;
  #late = new Set<string>();

  constructor(options: RollUpOptions) {
    this.#options = options;
  }

  /** Hours before this instant are rolled up, wall-clock ms. */
  get rolledMs(): number {
    return this.#rolledMs;
  }

  async adopt(database: Database): Promise<void> {
    const sealed = await database.get(ROLLED_KEY);
    const rolled = sealed === undefined ? null : intact(() => unsealJson(ROLLED_KEY, sealed));
    this.#rolledMs = typeof rolled === "number" ? rolled : TRUSTED_FROM_MS;
    this.#late = new Set(await firstKeys(database, LATE_HOURS, Number.MAX_SAFE_INTEGER));
  }

  /**
   * Returns marks for hours that are rolled up already but get these late blocks; the marks must be in the blocks'
   * batch.
   */
  marksFor(blocks: readonly Block[]): Operation[] {
    const marks = new Map<string, Operation>();
    for (const { deviceId, minute } of blocks) {
      const hourMs = Math.floor((minute * MINUTE_MS) / HOUR_MS) * HOUR_MS;
      if (hourMs < TRUSTED_FROM_MS || hourMs >= this.#rolledMs) continue;
      const key = lateKey(hourMs, deviceId);
      marks.set(key, { type: "put", key, value: sealJson(key, NOWHERE, true) });
    }
    return [...marks.values()];
  }

  /** Notes that marks are on disk. */
  marked(marks: readonly Operation[]): void {
    for (const { key } of marks) this.#late.add(key);
  }

  /**
   * Rolls up what is complete at `nowMs`, hour by hour, until `isStopped`. Rejects if the disk refuses; a later pass
   * does the rest.
   */
  async pass(nowMs: number, isStopped: () => boolean): Promise<void> {
    const completeMs = Math.floor((nowMs - SETTLED_MS) / HOUR_MS) * HOUR_MS;
    // After the clock was set back, the repeated hours are not rolled up.
    if (this.#rolledMs > completeMs + DAY_MS) this.#rolledMs = completeMs;
    for (const key of [...this.#late].sort()) {
      if (isStopped()) return;
      const { hourMs, deviceId } = parseLateKey(key);
      if (hourMs < completeMs) await this.#makeAgain(hourMs, deviceId, [{ type: "del", key }]);
      if (hourMs < completeMs) this.#late.delete(key);
    }
    for (let hours = 0; hours < MAX_HOURS_A_PASS && this.#rolledMs < completeMs && !isStopped(); hours++) {
      const nextMs = this.#nextWithRaw(this.#rolledMs, completeMs);
      if (nextMs > this.#rolledMs) await this.#advance(nextMs, new Map());
      else await this.#rollHour(this.#rolledMs);
    }
  }

  source(): RowSource {
    const { live, raw, log, rawDays } = this.#options;
    return { database: live.current(), raw, log, rolledMs: this.#rolledMs, rawDays: rawDays() };
  }

  /** Returns the first hour from `fromMs` on in a day with raw samples; `limitMs` if there is none before it. */
  #nextWithRaw(fromMs: number, limitMs: number): number {
    const days = this.#options.rawDays();
    if (days.has(dayOf(fromMs))) return fromMs;
    const next = [...days].filter((day) => day > dayOf(fromMs)).sort()[0];
    return next === undefined ? limitMs : Math.min(limitMs, startOfDay(next));
  }

  async #rollHour(hourMs: number): Promise<void> {
    const made: Made = new Map();
    for (const deviceId of await this.#devicesIn(hourMs)) {
      const { rows, silentSinceMs } = await deviceHour(this.#options.raw, deviceId, hourMs);
      if (silentSinceMs !== null) await this.#fillSilence(deviceId, silentSinceMs, hourMs);
      addBlocks(made, deviceId, blockTime(MINUTE_MS, hourMs), rows);
    }
    await this.#advance(hourMs + HOUR_MS, made);
  }

  /** Recomputes hours without samples, because a counter shows their energy now. */
  async #fillSilence(deviceId: string, sinceMs: number, untilMs: number): Promise<void> {
    for (let hourMs = Math.floor(sinceMs / HOUR_MS) * HOUR_MS; hourMs < untilMs; hourMs += HOUR_MS) {
      await this.#makeAgain(hourMs, deviceId, []);
    }
  }

  /** Recomputes a past hour, and its day and month if they are rolled up. */
  async #makeAgain(hourMs: number, deviceId: string, more: readonly Operation[]): Promise<void> {
    const { rows } = await deviceHour(this.#options.raw, deviceId, hourMs);
    const made: Made = new Map();
    addBlocks(made, deviceId, blockTime(MINUTE_MS, hourMs), rows);
    const streams = [...rows.keys()].map((kind): Stream => ({ deviceId, kind }));
    for (const slotMs of [QUARTER_MS, HOUR_MS] as const) {
      const time = blockTime(slotMs, hourMs);
      if (time.toMs <= this.#rolledMs) await this.#sumUp(made, streams, time);
    }
    await this.#options.live.write([...operations(made), ...more]);
  }

  /** Writes the new blocks, including completed days and months, and the progress. */
  async #advance(nextMs: number, made: Made): Promise<void> {
    const database = this.#options.live.current();
    const day = blockTime(QUARTER_MS, this.#rolledMs);
    if (day.toMs <= nextMs) {
      const stored = await firstKeys(database, minuteBlocksOfDay(dayOf(day.fromMs)), Number.MAX_SAFE_INTEGER);
      await this.#sumUp(made, distinctStreams([...stored, ...made.keys()]), day);
    }
    const month = blockTime(HOUR_MS, this.#rolledMs);
    if (month.toMs <= nextMs) {
      const stored = await firstKeys(database, QUARTER_BLOCKS, Number.MAX_SAFE_INTEGER);
      await this.#sumUp(made, distinctStreams([...stored, ...made.keys()]), month);
    }
    const value = sealJson(ROLLED_KEY, NOWHERE, nextMs);
    // Progress over hours without samples is not worth a separate write.
    if (made.size > 0) {
      await this.#options.live.write([...operations(made), { type: "put", key: ROLLED_KEY, value }]);
    }
    this.#rolledMs = nextMs;
  }

  /** Adds the block of a day or a month, computed from the next finer blocks, on disk and in this batch. */
  async #sumUp(made: Made, streams: readonly Stream[], time: BlockTime): Promise<void> {
    const finerMs: SlotMs = time.slotMs === HOUR_MS ? QUARTER_MS : MINUTE_MS;
    const source = { database: this.#options.live.current(), log: this.#options.log };
    for (const stream of streams) {
      const stored = await readBlocks(source, stream, finerMs, time.fromMs, time.toMs);
      const isReplaced = ({ atMs }: EnergyRow): boolean => made.has(rowsKey(stream, blockTime(finerMs, atMs)));
      const rows = stored.filter((row) => !isReplaced(row));
      for (const block of made.values()) {
        const isWithin =
          block.time.slotMs === finerMs && block.time.fromMs >= time.fromMs && block.time.toMs <= time.toMs;
        if (isWithin && isSameStream(block.stream, stream)) rows.push(...block.rows);
      }
      if (rows.length === 0) continue;
      rows.sort((one, other) => one.atMs - other.atMs);
      made.set(rowsKey(stream, time), { stream, time, rows: coarserRows(rows, time.slotMs) });
    }
  }

  /** Returns the devices with samples in an hour. */
  async #devicesIn(hourMs: number): Promise<readonly string[]> {
    const devices = new Set<string>();
    const database = this.#options.live.current();
    for (const key of await firstKeys(database, blocksOfDay(dayOf(hourMs)), Number.MAX_SAFE_INTEGER)) {
      const { deviceId, minute } = parseBlockKey(key);
      if (minute * MINUTE_MS >= hourMs && minute * MINUTE_MS < hourMs + HOUR_MS) devices.add(deviceId);
    }
    return [...devices];
  }
}

function addBlocks(
  made: Made,
  deviceId: string,
  time: BlockTime,
  rows: ReadonlyMap<EnergyKind, readonly EnergyRow[]>,
): void {
  for (const [kind, ofKind] of rows) {
    const stream: Stream = { deviceId, kind };
    made.set(rowsKey(stream, time), { stream, time, rows: ofKind });
  }
}

function operations(made: Made): Operation[] {
  return [...made].map(([key, { time, rows }]): Operation => {
    return { type: "put", key, value: seal(key, NOWHERE, encodeRows(rows, time.fromMs, time.slotMs)) };
  });
}

function distinctStreams(keys: readonly string[]): Stream[] {
  const streams = new Map<string, Stream>();
  for (const key of keys) {
    const stream = streamOf(key);
    streams.set(`${stream.deviceId}!${stream.kind}`, stream);
  }
  return [...streams.values()];
}

function isSameStream(one: Stream, other: Stream): boolean {
  return one.deviceId === other.deviceId && one.kind === other.kind;
}
