/** Reads a device's samples: blocks on disk, blocks on their way, and those of the running minute, each sample once. */
import type { Database, Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { scan } from "../database.ts";
import { unseal } from "../envelope.ts";
import type { TelemetrySample } from "../store.ts";
import type { Backlog } from "./backlog.ts";
import { decodeBlock } from "./block.ts";
import { blockRange, dayOf } from "./telemetry-keys.ts";

/** About a month of one device every 5 s; more is asked for in parts. */
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

/** `days` are those that have blocks on disk. */
export async function readHistory(
  source: HistorySource,
  { deviceId, fromMs, toMs }: HistoryQuery,
  days: readonly string[],
): Promise<readonly TelemetrySample[]> {
  const { database, backlog, log } = source;
  // Memory and snapshot are taken in one turn: a block that is being written is in memory, and skipped on disk.
  await using snapshot = database.snapshot();
  const open = backlog.openSamples(deviceId, fromMs, toMs);
  const waiting = backlog.blocks.filter((block) => block.deviceId === deviceId);
  const waitingKeys = new Set(waiting.map((block) => block.key));
  const found: TelemetrySample[] = [];
  const take = (key: string, sealed: Uint8Array): void => {
    for (const sample of decodeOrSkip(log, deviceId, key, sealed)) {
      if (sample.atMs >= fromMs && sample.atMs < toMs) found.push(sample);
    }
    if (found.length > MAX_HISTORY_SAMPLES) {
      throw new StorageError("refused", `more than ${MAX_HISTORY_SAMPLES} samples: ask for a shorter time`);
    }
  };
  const wanted = days.filter((day) => day >= dayOf(fromMs) && day <= dayOf(toMs)).sort();
  for (const day of wanted) {
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
 * The samples of one block, or of memory, that hold the first or the last one of [fromMs, toMs) before any other block
 * does; none when there are none.
 */
export async function readEdge(
  { database, backlog, log }: HistorySource,
  { deviceId, fromMs, toMs }: HistoryQuery,
  days: readonly string[],
  edge: "first" | "last",
): Promise<readonly TelemetrySample[]> {
  const isWanted = ({ atMs }: TelemetrySample): boolean => atMs >= fromMs && atMs < toMs;
  const inMemory = [...backlog.openSamples(deviceId, fromMs, toMs)];
  for (const block of backlog.blocks) {
    if (block.deviceId === deviceId) inMemory.push(...decodeOrSkip(log, deviceId, block.key, block.sealed));
  }
  const recent = inMemory.filter(isWanted).sort((one, other) => one.atMs - other.atMs);
  // What is in memory is later than what is on disk.
  if (edge === "last" && recent.length > 0) return recent;
  const wanted = days.filter((day) => day >= dayOf(fromMs) && day <= dayOf(toMs)).sort();
  for (const day of edge === "last" ? wanted.toReversed() : wanted) {
    let found: readonly TelemetrySample[] = [];
    const range = { ...blockRange(deviceId, day, fromMs, toMs), reverse: edge === "last" };
    await scan(database, range, (key, sealed) => {
      found = decodeOrSkip(log, deviceId, key, sealed).filter(isWanted);
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
    log.warn({ key, err: error }, "telemetry block left out");
    return [];
  }
}
