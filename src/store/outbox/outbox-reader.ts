/** Reads the rows of the outbox, as stored or as records to send. */
import type { ClockQuality, Database } from "../../platform/ports/ports.ts";
import { intact } from "../critical-image.ts";
import { scan } from "../database.ts";
import { OUTBOX_ROWS, outboxRange, parseOutboxKey } from "../keys.ts";
import type { OutboxMeta } from "./outbox-ledger.ts";
import { type OutboxRow, openRow, type StreamName } from "./outbox-row.ts";

/** A record to send. */
export interface OutgoingRecord {
  readonly seq: number;
  /** Number of the gateway's start in which it was written. */
  readonly boot: number;
  /** Time on the monotonic clock; comparable only within one boot. */
  readonly monotonicMs: number;
  /** Wall-clock ms. */
  readonly atMs: number;
  /** Quality of the clock at that time. `redated`: the clock was unreliable, and `atMs` was corrected later. */
  readonly quality: ClockQuality | "redated";
  readonly event: string;
  readonly entity: string | null;
  readonly payload: unknown;
  readonly was?: OutboxRow["was"];
}

/** Records and gaps that cover all numbers after the requested one, up to `through`. */
export interface OutgoingRecords {
  readonly epoch: string;
  readonly records: readonly OutgoingRecord[];
  readonly through: number;
  /** Numbers of events with damaged rows. */
  readonly lost: readonly number[];
  /** Keys of damaged rows. */
  readonly damaged: readonly string[];
}

export interface OutgoingLimits {
  readonly records: number;
  /** Size of the stored rows; one row is returned even if it is larger. */
  readonly bytes: number;
}

/** Reads records after a number, oldest first. */
export async function readRecords(
  database: Database,
  { epoch, streams, clocks }: OutboxMeta,
  query: {
    readonly stream: StreamName;
    readonly after: number;
    readonly limits: OutgoingLimits;
    /** Returns true if a row is to be sent. */
    readonly isCurrent: (row: OutboxRow) => boolean;
  },
): Promise<OutgoingRecords> {
  const { stream, after, limits, isCurrent } = query;
  const last = streams[stream].next - 1;
  const records: OutgoingRecord[] = [];
  const damaged: string[] = [];
  let bytes = 0;
  let isWhole = true;
  // Also of rows that are not sent: a page of damaged ones would be read again and again.
  let reached = after;
  await scan(database, outboxRange({ stream, epoch }, after, last), (key, sealed) => {
    isWhole = records.length < limits.records && (bytes === 0 || bytes + sealed.length <= limits.bytes);
    if (!isWhole) return false;
    bytes += sealed.length;
    reached = intact(() => parseOutboxKey(key).seq) ?? reached;
    const row = intact(() => openRow(key, sealed));
    if (row === undefined) damaged.push(key);
    else if (isCurrent(row)) records.push(outgoing(row, clocks));
    return true;
  });
  const through = isWhole ? Math.max(after, last) : reached;
  const lost = stream === "event" ? missing(records, after, through) : [];
  return { epoch, records, through, lost, damaged };
}

/** Reads all intact rows of all epochs. */
export async function allRows(database: Database): Promise<readonly OutboxRow[]> {
  const rows: OutboxRow[] = [];
  await scan(database, OUTBOX_ROWS, (key, sealed) => {
    const row = intact(() => openRow(key, sealed));
    if (row !== undefined) rows.push(row);
    return true;
  });
  return rows;
}

/** Returns the keys in a range and the bytes of keys and values. */
export async function measureRows(
  database: Database,
  range: { readonly gte: string; readonly lt: string } = OUTBOX_ROWS,
): Promise<{ readonly keys: readonly string[]; readonly bytes: number }> {
  const keys: string[] = [];
  let bytes = 0;
  await scan(database, range, (key, sealed) => {
    keys.push(key);
    bytes += key.length + sealed.length;
    return true;
  });
  return { keys, bytes };
}

function outgoing(row: OutboxRow, clocks: OutboxMeta["clocks"]): OutgoingRecord {
  const { seq, boot, monotonicMs, atMs, quality, event, entity, payload, was } = row;
  const offsetMs = quality === "synced" ? undefined : clocks[row.boot];
  const dated = offsetMs === undefined ? { atMs, quality } : redated(row.monotonicMs + offsetMs);
  return { seq, boot, monotonicMs, ...dated, event, entity, payload, ...(was !== undefined && { was }) };
}

function redated(atMs: number): Pick<OutgoingRecord, "atMs" | "quality"> {
  return { atMs: Math.round(atMs), quality: "redated" };
}

function missing(records: readonly OutgoingRecord[], after: number, through: number): readonly number[] {
  const found = new Set(records.map(({ seq }) => seq));
  return Array.from({ length: through - after }, (_, index) => after + 1 + index).filter((seq) => !found.has(seq));
}
