/** Reads the samples of a device: from blocks on disk, waiting blocks and open samples, each sample once. */
import type { Database, Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { scan } from "../database.ts";
import { unseal } from "../envelope.ts";
import type { TelemetrySample } from "../store.ts";
import type { Backlog } from "./backlog.ts";
import { decodeBlock } from "./block.ts";
import { blockRange, dayOf } from "./telemetry-keys.ts";

/** Maximum number of samples per read, about a month of one device every 5 s. */
const MAX_HISTORY_SAMPLES = 500_000;

export interface HistorySource {
  readonly database: Database;
  readonly backlog: Backlog;
  readonly log: Log;
}

export interface HistoryQuery {
  readonly deviceId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads samples. `days`: the days that have blocks on disk. */
export async function readHistory(
  source: HistorySource,
  { deviceId, fromMs, toMs }: HistoryQuery,
  days: readonly string[],
): Promise<readonly TelemetrySample[]> {
  const { database, backlog, log } = source;
  // Memory and snapshot are read in the same turn of the event loop: a block that is being written is in memory, and
  // skipped on disk.
  await using snapshot = database.snapshot();
  const open = backlog.openSamples(deviceId, fromMs, toMs);
  const waiting = backlog.blocksOf(deviceId);
  const waitingKeys = new Set(waiting.map((block) => block.key));
  const found: TelemetrySample[] = [];
  const take = (key: string, sealed: Uint8Array): void => {
    for (const sample of decodeOrSkip(log, deviceId, key, sealed)) {
      if (sample.atMs >= fromMs && sample.atMs < toMs) found.push(sample);
    }
    if (found.length > MAX_HISTORY_SAMPLES) {
      throw new StorageError("refused", `more than ${MAX_HISTORY_SAMPLES} samples: request a shorter time`);
    }
  };
  const daysInRange = days.filter((day) => day >= dayOf(fromMs) && day <= dayOf(toMs)).sort();
  for (const day of daysInRange) {
    await scan(database, { ...blockRange(deviceId, day, fromMs, toMs), snapshot }, (key, sealed) => {
      if (!waitingKeys.has(key)) take(key, sealed);
      return true;
    });
  }
  for (const block of waiting) take(block.key, block.sealed);
  found.push(...open);
  return found.sort((one, other) => one.atMs - other.atMs);
}

/**
 * Reads the block, or the samples in memory, with the first or the last sample in [fromMs, toMs); none if there are
 * none.
 */
export async function readEdge(
  { database, backlog, log }: HistorySource,
  { deviceId, fromMs, toMs }: HistoryQuery,
  days: readonly string[],
  edge: "first" | "last",
): Promise<readonly TelemetrySample[]> {
  const isInRange = ({ atMs }: TelemetrySample): boolean => atMs >= fromMs && atMs < toMs;
  const inMemory = [...backlog.openSamples(deviceId, fromMs, toMs)];
  for (const { key, sealed } of backlog.blocksOf(deviceId)) inMemory.push(...decodeOrSkip(log, deviceId, key, sealed));
  const recent = inMemory.filter(isInRange).sort((one, other) => one.atMs - other.atMs);
  // Samples in memory are later than those on disk.
  if (edge === "last" && recent.length > 0) return recent;
  const daysInRange = days.filter((day) => day >= dayOf(fromMs) && day <= dayOf(toMs)).sort();
  for (const day of edge === "last" ? daysInRange.toReversed() : daysInRange) {
    let found: readonly TelemetrySample[] = [];
    const range = { ...blockRange(deviceId, day, fromMs, toMs), reverse: edge === "last" };
    await scan(database, range, (key, sealed) => {
      found = decodeOrSkip(log, deviceId, key, sealed).filter(isInRange);
      return found.length === 0;
    });
    if (found.length > 0) return found;
  }
  return recent;
}

function decodeOrSkip(log: Log, deviceId: string, key: string, sealed: Uint8Array): readonly TelemetrySample[] {
  try {
    return decodeBlock(deviceId, unseal(key, sealed).payload);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    log.warn({ key, err: error }, "telemetry block is damaged; leaving it out");
    return [];
  }
}
