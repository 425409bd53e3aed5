/** Records of the event and telemetry streams: each is kept once, however often and under how many numbers it comes. */
import { isDeepStrictEqual } from "node:util";
import { type Batch, SyncRecord } from "hemgate/cloud-protocol";
import { keepActions } from "./actions.ts";
import { keepAnswers } from "./answers.ts";
import type { Queryable } from "./database.ts";
import { keepLosses } from "./losses.ts";
import type { Place } from "./place.ts";
import { storable } from "./text.ts";

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(SyncRecord.shape));

interface KeptRecord {
  /** The place that was looked for. */
  readonly was_epoch: string;
  readonly was_seq: number;
  readonly epoch: string;
  readonly seq: number;
  readonly boot: number;
  readonly monotonic_ms: number;
  readonly event: string;
  readonly payload: unknown;
}

/** Keeps what is not there already. */
export async function keepRecords(client: Queryable, place: Place, { records }: Batch): Promise<void> {
  const kept = await keptBefore(client, place, records);
  const here: SyncRecord[] = [];
  const elsewhere: Elsewhere[] = [];
  for (const record of records) {
    const same = kept.find((other) => isAt(other, record) && isSame(other, record));
    if (same === undefined) here.push(record);
    else elsewhere.push({ seq: record.seq, keptEpoch: same.epoch, keptSeq: same.seq });
  }
  await keepAliases(client, place, elsewhere);
  const added = await insert(client, place, here);
  if (place.stream !== "event") return;
  const first = here.filter(({ seq }) => added.has(seq));
  await keepActions(client, place, first);
  await keepAnswers(client, place.gateway, first);
  await keepLosses(client, place.gateway, first);
}

/** What stands at the places that the records had in epochs before, or is known to be the same. */
async function keptBefore(
  client: Queryable,
  { gateway, stream }: Place,
  records: readonly SyncRecord[],
): Promise<readonly KeptRecord[]> {
  const was = records.flatMap((record) => record.was ?? []);
  if (was.length === 0) return [];
  const { rows } = await client.query<KeptRecord>(
    `SELECT w.epoch AS was_epoch, w.seq AS was_seq, r.epoch, r.seq, r.boot, r.monotonic_ms, r.event, r.payload
     FROM unnest($3::text[], $4::bigint[]) AS w(epoch, seq)
     LEFT JOIN alias a ON a.gateway = $1 AND a.stream = $2 AND a.epoch = w.epoch AND a.seq = w.seq
     JOIN record r ON r.gateway = $1 AND r.stream = $2
       AND r.epoch = coalesce(a.kept_epoch, w.epoch) AND r.seq = coalesce(a.kept_seq, w.seq)`,
    [gateway, stream, was.map(({ epoch }) => epoch), was.map(({ seq }) => seq)],
  );
  return rows;
}

function isAt({ was_epoch, was_seq }: KeptRecord, { was = [] }: SyncRecord): boolean {
  return was.some(({ epoch, seq }) => epoch === was_epoch && seq === was_seq);
}

function isSame(kept: KeptRecord, { boot, monotonicMs, event, payload }: SyncRecord): boolean {
  const isOfOneMoment = kept.boot === boot && kept.monotonic_ms === monotonicMs && kept.event === storable(event);
  return isOfOneMoment && isDeepStrictEqual(kept.payload, asKept(payload));
}

/** Answers the numbers that were not there. */
async function insert(
  client: Queryable,
  { gateway, stream, epoch, turn }: Place,
  records: readonly SyncRecord[],
): Promise<ReadonlySet<number>> {
  if (records.length === 0) return new Set();
  const { rows } = await client.query<{ seq: number }>(
    `INSERT INTO record (gateway, stream, epoch, turn, seq, boot, monotonic_ms, at_ms, quality, event, payload, more)
     SELECT $1, $2, $3, $4, * FROM unnest(
       $5::bigint[], $6::bigint[], $7::double precision[], $8::bigint[], $9::text[], $10::text[], $11::json[], $12::json[])
     ON CONFLICT DO NOTHING RETURNING seq`,
    [
      gateway,
      stream,
      epoch,
      turn,
      records.map(({ seq }) => seq),
      records.map(({ boot }) => boot),
      records.map(({ monotonicMs }) => monotonicMs),
      records.map(({ atMs }) => atMs),
      records.map(({ quality }) => quality),
      records.map(({ event }) => storable(event)),
      records.map(({ payload }) => JSON.stringify(payload ?? null)),
      records.map(unknownKeys),
    ],
  );
  return new Set(rows.map(({ seq }) => seq));
}

function unknownKeys(record: SyncRecord): string | null {
  const unknown = Object.entries(record).filter(([key]) => !KNOWN_KEYS.has(key));
  return unknown.length === 0 ? null : JSON.stringify(Object.fromEntries(unknown));
}

/** As it comes back from the database: `-0` is 0 there, and a value that JSON has not is null. */
function asKept(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload ?? null));
}

/** A number whose record is kept at another place. */
interface Elsewhere {
  readonly seq: number;
  readonly keptEpoch: string;
  readonly keptSeq: number;
}

async function keepAliases(
  client: Queryable,
  { gateway, stream, epoch }: Place,
  aliases: readonly Elsewhere[],
): Promise<void> {
  if (aliases.length === 0) return;
  await client.query(
    `INSERT INTO alias (gateway, stream, epoch, seq, kept_epoch, kept_seq)
     SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::text[], $6::bigint[]) ON CONFLICT DO NOTHING`,
    [
      gateway,
      stream,
      epoch,
      aliases.map(({ seq }) => seq),
      aliases.map(({ keptEpoch }) => keptEpoch),
      aliases.map(({ keptSeq }) => keptSeq),
    ],
  );
}
