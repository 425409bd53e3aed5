/** Deletes old telemetry. */
import { DAY_MS, HOUR_MS } from "../../domain/duration.ts";
import { QUARTER_MS } from "../../domain/statistics/statistics-row.ts";
import type { Log } from "../../platform/ports/ports.ts";
import { compactAll, firstKeys, type KeyRange, type Operation } from "../database.ts";
import type { LiveDatabase } from "../live-database.ts";
import { readWholeSince, wholeSince } from "./holes.ts";
import {
  blockStart,
  HOUR_BLOCKS,
  LATE_HOURS,
  MINUTE_BLOCKS,
  minuteBlocksOfDay,
  parseLateKey,
  QUARTER_BLOCKS,
  streamOf,
} from "./row-keys.ts";
import { blocksOfDay, blocksOfDevice, dayOf, daySizeKey, gapsBefore, startOfDay } from "./telemetry-keys.ts";

/** Keys that one write removes, a sixth of a day of 20 devices. */
const DROP_BATCH = 5_000;
/** Days of raw samples that are never deleted for space. */
const LEAST_DAYS = 7;
/** Days that history is kept: energy by the minute as long as raw samples, the rest as long as it is useful. */
export const KEPT_DAYS = { samples: 400, minutes: 400, quarterHours: 3 * 366, hours: 10 * 366 } as const;
const DAY_OF_MINUTES = { from: 2, to: 6 } as const;

export interface TelemetryLimits {
  /** Days that raw samples are kept. */
  readonly days: number;
  /** Bytes of all raw blocks and their keys, before LevelDB compresses them. */
  readonly bytes: number;
}

/**
 * Deletes whole days of raw samples: those that are too old (unless `nowMs` is null), and the oldest while all are too
 * large.
 */
export async function pruneDays(
  live: LiveDatabase,
  daySizes: Map<string, number>,
  nowMs: number | null,
  limits: TelemetryLimits,
): Promise<void> {
  const days = [...daySizes.keys()].sort();
  const today = days.at(-1);
  let bytes = [...daySizes.values()].reduce((sum, size) => sum + size, 0);
  for (const day of days) {
    const isOld = nowMs !== null && startOfDay(day) < nowMs - (limits.days + 1) * DAY_MS;
    if (!isOld && (bytes <= limits.bytes || day === today)) break;
    bytes -= daySizes.get(day) ?? 0;
    await dropDay(live, daySizes, day);
  }
}

async function dropDay(live: LiveDatabase, daySizes: Map<string, number>, day: string): Promise<void> {
  for (const range of [blocksOfDay(day), gapsBefore(startOfDay(day) + DAY_MS)]) await dropRange(live, range);
  // A clock that was not set has dated some days before those that are gone already.
  const sinceMs = Math.max(startOfDay(day) + DAY_MS, (await readWholeSince(live.current())) ?? 0);
  await live.write([{ type: "del", key: daySizeKey(day) }, wholeSince(sinceMs)]);
  daySizes.delete(day);
}

/** Deletes the oldest day of raw samples and frees its disk space; the last week stays. */
export async function dropOldestDay(
  live: LiveDatabase,
  daySizes: Map<string, number>,
  log: Pick<Log, "error">,
): Promise<void> {
  const [day] = [...daySizes.keys()].sort();
  if (day === undefined || daySizes.size <= LEAST_DAYS) return;
  await dropDay(live, daySizes, day);
  await compactAll(live.current());
  log.error({ day }, "the disk is almost full; deleted the oldest day of history");
}

/** Deletes energy rows that are too old. */
export async function pruneRows(live: LiveDatabase, nowMs: number): Promise<void> {
  const minutesFrom = dayOf(nowMs - KEPT_DAYS.minutes * DAY_MS);
  for (;;) {
    const [oldest] = await firstKeys(live.current(), MINUTE_BLOCKS, 1);
    const day = oldest?.slice(DAY_OF_MINUTES.from, DAY_OF_MINUTES.to);
    if (day === undefined || day >= minutesFrom) break;
    await dropRange(live, minuteBlocksOfDay(day));
  }
  await dropKeys(live, QUARTER_BLOCKS, (key) => blockStart(key, QUARTER_MS) < nowMs - KEPT_DAYS.quarterHours * DAY_MS);
  await dropKeys(live, HOUR_BLOCKS, (key) => blockStart(key, HOUR_MS) < nowMs - KEPT_DAYS.hours * DAY_MS);
}

/** Deletes all telemetry of a device, raw and rolled up. */
export async function dropDevice(live: LiveDatabase, days: readonly string[], deviceId: string): Promise<void> {
  for (const day of days) await dropRange(live, blocksOfDevice(day, deviceId));
  for (const range of [MINUTE_BLOCKS, QUARTER_BLOCKS, HOUR_BLOCKS]) {
    await dropKeys(live, range, (key) => streamOf(key).deviceId === deviceId);
  }
  await dropKeys(live, LATE_HOURS, (key) => parseLateKey(key).deviceId === deviceId);
}

async function dropKeys(live: LiveDatabase, range: KeyRange, isDue: (key: string) => boolean): Promise<void> {
  const keys = await firstKeys(live.current(), range, Number.MAX_SAFE_INTEGER);
  const due = keys.filter(isDue);
  for (let start = 0; start < due.length; start += DROP_BATCH) await remove(live, due.slice(start, start + DROP_BATCH));
}

async function dropRange(live: LiveDatabase, range: KeyRange): Promise<void> {
  for (;;) {
    const keys = await firstKeys(live.current(), range, DROP_BATCH);
    if (keys.length === 0) return;
    await remove(live, keys);
  }
}

async function remove(live: LiveDatabase, keys: readonly string[]): Promise<void> {
  await live.write(keys.map((key): Operation => ({ type: "del", key })));
}
