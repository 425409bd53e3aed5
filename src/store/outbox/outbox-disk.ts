/** Reads the state of the outbox from disk. */
import type { Database } from "../../platform/ports/ports.ts";
import { intact } from "../critical-image.ts";
import { scan } from "../database.ts";
import { unsealJson } from "../envelope.ts";
import { OUTBOX_KEY, outboxKey, outboxRange, parseOutboxKey } from "../keys.ts";
import type { OutboxChange, OutboxMeta, StoredStates, StreamMeta } from "./outbox-ledger.ts";
import { allRows, measureRows } from "./outbox-reader.ts";
import { openRow, STREAMS, type StreamName } from "./outbox-row.ts";

/**
 * Returns acknowledgements that are on disk although their batch was rejected: those rows exist only at the cloud
 * service.
 */
export async function acknowledgedOnDisk(database: Database, meta: OutboxMeta): Promise<readonly OutboxChange[]> {
  const { epoch } = meta;
  const kept = await metaOf(database);
  if (kept?.epoch !== epoch) return [];
  const changes: OutboxChange[] = [];
  for (const stream of STREAMS) {
    const through = kept.streams[stream].acked;
    const { next, acked, bytes } = meta.streams[stream];
    if (through <= acked) continue;
    const left = await measureRows(database, outboxRange({ stream, epoch }, through, next - 1));
    changes.push({ type: "acknowledged", epoch, stream, through, removed: { keys: [], bytes: bytes - left.bytes } });
  }
  return changes;
}

/** Returns the keys of rows that are on disk although their batch was rejected. */
export async function strayRows(database: Database, meta: OutboxMeta | null): Promise<readonly string[]> {
  const { keys } = await measureRows(database);
  return keys.filter((key) => {
    const place = intact(() => parseOutboxKey(key));
    const stream = STREAMS.find((each) => each === place?.stream);
    if (meta === null || place === undefined || stream === undefined) return true;
    return place.epoch !== meta.epoch || place.seq >= meta.streams[stream].next;
  });
}

/** Reads the bookkeeping; `null` if there is none, undefined if it is damaged. */
export async function metaOf(database: Database): Promise<OutboxMeta | null | undefined> {
  const sealed = await database.get(OUTBOX_KEY);
  return sealed === undefined ? null : intact(() => unsealJson(OUTBOX_KEY, sealed) as OutboxMeta);
}

/** Reads the unacknowledged states, and the rows that they replaced. */
export async function storedStates(database: Database, { epoch, streams }: OutboxMeta): Promise<StoredStates> {
  const newest = new Map<string, { seq: number; bytes: number }>();
  const superseded: string[] = [];
  const { acked, next } = streams.state;
  await scan(database, outboxRange({ stream: "state", epoch }, acked, next - 1), (key, sealed) => {
    const row = intact(() => openRow(key, sealed));
    if (row?.entity == null) return true;
    const before = newest.get(row.entity);
    if (before !== undefined) superseded.push(outboxKey({ stream: "state", epoch, seq: before.seq }));
    newest.set(row.entity, { seq: row.seq, bytes: key.length + sealed.length });
    return true;
  });
  return { newest, superseded };
}

/** Rebuilds damaged bookkeeping from the rows; `null` if there are none. */
export async function salvaged(database: Database): Promise<OutboxMeta | null> {
  const rows = await allRows(database);
  const [first] = rows;
  if (first === undefined) return null;
  const { bytes } = await measureRows(database);
  const streamOf = (name: StreamName): StreamMeta => {
    const numbers = rows.filter(({ stream }) => stream === name).map(({ seq }) => seq);
    const [least = 1] = numbers;
    return { next: (numbers.at(-1) ?? 0) + 1, acked: least - 1, bytes };
  };
  const boot = rows.reduce((latest, row) => Math.max(latest, row.boot), 0);
  const streams = Object.fromEntries(STREAMS.map((name) => [name, streamOf(name)])) as OutboxMeta["streams"];
  return { epoch: first.epoch, streams, boots: [{ number: boot, id: "" }], clocks: {} };
}
