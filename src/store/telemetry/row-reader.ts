/** Reads energy rows: rolled-up ones from their blocks, the rest from finer rows, and the latest from raw samples. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/duration.ts";
import type { Span } from "../../domain/statistics/statistics-reading.ts";
import { coarserRows, type EnergyRow, QUARTER_MS, type SlotMs } from "../../domain/statistics/statistics-row.ts";
import type { Database, Log } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { type KeyRange, scan } from "../database.ts";
import { unseal } from "../envelope.ts";
import type { EnergyQuery } from "../store.ts";
import { deviceHour, type RawHistory } from "./device-hour.ts";
import { decodeRows } from "./row-block.ts";
import { blockStart, blockTime, rowsKey, rowsRange, type Stream } from "./row-keys.ts";
import { dayOf } from "./telemetry-keys.ts";

export interface RowSource {
  readonly database: Database;
  readonly raw: RawHistory;
  readonly log: Log;
  /** Hours before this instant are rolled up, wall-clock ms. */
  readonly rolledMs: number;
  /** The UTC days with raw samples. */
  readonly rawDays: ReadonlySet<string>;
}

/** Blocks that are fetched at once. */
const PAGE = 256;

/** Reads the rows of a stream whose slots begin in [fromMs, toMs), ascending; slots without data are absent. */
export async function readRows(source: RowSource, query: EnergyQuery): Promise<EnergyRow[]> {
  const { stream, slotMs, fromMs, toMs, hours } = query;
  if (fromMs >= toMs) return [];
  // Longer slots are rolled up when their whole day or month is complete.
  const doneMs = blockTime(slotMs, source.rolledMs).fromMs;
  const splitMs = Math.min(Math.max(fromMs, doneMs), toMs);
  const rows =
    hours === undefined
      ? await readBlocks(source, stream, slotMs, fromMs, splitMs)
      : await readHours(source, stream, slotMs, hoursWithin(hours, fromMs, splitMs));
  for (const span of hours === undefined ? [{ fromMs: splitMs, toMs }] : spansOf(hours, splitMs, toMs)) {
    rows.push(...(await readUnrolled(source, stream, slotMs, span.fromMs, span.toMs)));
  }
  return rows.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
}

async function readUnrolled(
  source: RowSource,
  stream: Stream,
  slotMs: SlotMs,
  fromMs: number,
  toMs: number,
): Promise<EnergyRow[]> {
  if (fromMs >= toMs) return [];
  if (slotMs === MINUTE_MS) return await readRaw(source, stream, fromMs, toMs);
  // Whole slots are summed, so that a coarse row is never partial.
  const startMs = Math.floor(fromMs / slotMs) * slotMs;
  const endMs = Math.ceil(toMs / slotMs) * slotMs;
  const finerMs = slotMs === HOUR_MS ? QUARTER_MS : MINUTE_MS;
  const finer = await readRows(source, { stream, slotMs: finerMs, fromMs: startMs, toMs: endMs });
  return coarserRows(finer, slotMs);
}

/** The hours that overlap [fromMs, toMs). */
function hoursWithin(hours: readonly number[], fromMs: number, toMs: number): readonly number[] {
  return hours.filter((hourMs) => hourMs + HOUR_MS > fromMs && hourMs < toMs);
}

/** Runs of hours as spans, within [fromMs, toMs). */
function spansOf(hours: readonly number[], fromMs: number, toMs: number): Span[] {
  const spans: Span[] = [];
  for (const hourMs of hoursWithin(hours, fromMs, toMs)) {
    const last = spans.at(-1);
    const part = { fromMs: Math.max(hourMs, fromMs), toMs: Math.min(hourMs + HOUR_MS, toMs) };
    if (last?.toMs === part.fromMs) spans[spans.length - 1] = { fromMs: last.fromMs, toMs: part.toMs };
    else spans.push(part);
  }
  return spans;
}

async function readRaw(
  { raw, rawDays }: RowSource,
  stream: Stream,
  fromMs: number,
  toMs: number,
): Promise<EnergyRow[]> {
  const rows: EnergyRow[] = [];
  for (let hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS; hourMs < toMs; hourMs += HOUR_MS) {
    if (!rawDays.has(dayOf(hourMs))) continue;
    const hour = await deviceHour(raw, stream.deviceId, hourMs, [stream.kind]);
    rows.push(...(hour.rows.get(stream.kind) ?? []));
  }
  return rows;
}

/** Reads the rows of the blocks that overlap [fromMs, toMs). */
export async function readBlocks(
  source: Pick<RowSource, "database" | "log">,
  stream: Stream,
  slotMs: SlotMs,
  fromMs: number,
  toMs: number,
): Promise<EnergyRow[]> {
  const rows: EnergyRow[] = [];
  if (fromMs >= toMs) return rows;
  const startMs = blockTime(slotMs, fromMs).fromMs;
  for (const range of rangesOf(stream, slotMs, startMs, toMs)) {
    await scan(source.database, range, (key, sealed) => {
      rows.push(...decodeOrSkip(source.log, key, sealed, slotMs));
      return true;
    });
  }
  return rows;
}

/** Reads the rows within these hours, from the blocks that have them and no others. */
async function readHours(
  { database, log }: RowSource,
  stream: Stream,
  slotMs: SlotMs,
  hours: readonly number[],
): Promise<EnergyRow[]> {
  const rows: EnergyRow[] = [];
  const requested = new Set(hours);
  const isRequested = (atMs: number): boolean => requested.has(atMs - (atMs % HOUR_MS));
  const keys = [...new Set(hours.map((hourMs) => rowsKey(stream, blockTime(slotMs, hourMs))))];
  for (let start = 0; start < keys.length; start += PAGE) {
    const page = keys.slice(start, start + PAGE);
    const found = await database.getMany<string, Uint8Array>(page, { keyEncoding: "utf8", valueEncoding: "view" });
    for (const [index, sealed] of found.entries()) {
      if (sealed !== undefined) rows.push(...decodeOrSkip(log, page[index] ?? "", sealed, slotMs, isRequested));
    }
  }
  return rows;
}

function rangesOf(stream: Stream, slotMs: SlotMs, fromMs: number, toMs: number): KeyRange[] {
  if (slotMs !== MINUTE_MS) return [rowsRange(stream, slotMs, fromMs, toMs)];
  const ranges: KeyRange[] = [];
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < toMs; dayMs += DAY_MS) {
    ranges.push(rowsRange(stream, slotMs, Math.max(fromMs, dayMs), Math.min(toMs, dayMs + DAY_MS)));
  }
  return ranges;
}

function decodeOrSkip(
  log: Log,
  key: string,
  sealed: Uint8Array,
  slotMs: SlotMs,
  isRequested?: (atMs: number) => boolean,
): readonly EnergyRow[] {
  try {
    return decodeRows(unseal(key, sealed).payload, blockStart(key, slotMs), slotMs, isRequested);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    log.warn({ key, err: error }, "energy rows are damaged; leaving them out");
    return [];
  }
}
