/** Records of the event stream: each is kept once, however often and under how many numbers it comes. */
import { type Batch, SyncRecord } from "hemgate/cloud-protocol";
import { keepActions } from "./actions.ts";
import { keepAnswers } from "./answers.ts";
import type { Queryable } from "./database.ts";
import { digestOf } from "./digest.ts";
import { keepOutcomes } from "./gateway-configuration.ts";
import { keepLosses } from "./losses.ts";
import type { Place } from "./place.ts";
import { storable } from "./text.ts";

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(SyncRecord.shape));

type EarlierPlace = NonNullable<SyncRecord["was"]>[number];

/** A record and what tells it from all others. */
interface Told {
  readonly record: SyncRecord;
  readonly digest: Buffer;
}

/** Keeps what is not there already. */
export async function keepRecords(client: Queryable, place: Place, { records }: Batch): Promise<void> {
  const told = records.map((record) => ({ record, digest: digestOf(record) }));
  const doubtful = await mayBeKept(client, place, told);
  const kept = await keptBefore(client, place, doubtful);
  const here: Told[] = [];
  const elsewhere: EarlierPlace[] = [];
  for (const each of told) {
    const { seq, was = [] } = each.record;
    const key = keyOf(each.digest);
    const own = `${place.epoch}/${seq}`;
    const first = kept.get(key) ?? own;
    kept.set(key, first);
    if (!doubtful.includes(each) || first === own) here.push(each);
    else elsewhere.push({ epoch: place.epoch, seq });
    elsewhere.push(...was);
  }
  await keepAliases(client, place, elsewhere);
  const added = await insert(client, place, here);
  const first = here.flatMap(({ record }) => (added.has(record.seq) ? [record] : []));
  await keepActions(client, place, first);
  await keepAnswers(client, place.gateway, first);
  await keepOutcomes(client, place.gateway, first);
  await keepLosses(client, place, first);
}

/** Those that were under another number before, or are where another one says that it was, in this batch or before. */
async function mayBeKept(client: Queryable, place: Place, told: readonly Told[]): Promise<readonly Told[]> {
  const { rows } = await client.query<{ seq: number }>(
    "SELECT seq FROM alias WHERE gateway = $1 AND epoch = $2 AND seq = ANY($3::bigint[])",
    [place.gateway, place.epoch, told.map(({ record }) => record.seq)],
  );
  const here = told.flatMap(({ record }) => record.was?.filter(({ epoch }) => epoch === place.epoch) ?? []);
  const named = new Set([...rows, ...here].map(({ seq }) => seq));
  return told.filter(({ record }) => record.was !== undefined || named.has(record.seq));
}

/** Of records that may have come under another number: where each was kept first, as `epoch/seq`. */
async function keptBefore(client: Queryable, { gateway }: Place, told: readonly Told[]): Promise<Map<string, string>> {
  if (told.length === 0) return new Map();
  const { rows } = await client.query<{ digest: Buffer; epoch: string; seq: number }>(
    `SELECT DISTINCT ON (digest) digest, epoch, seq FROM record
     WHERE gateway = $1 AND digest = ANY($2::bytea[]) ORDER BY digest, turn, seq`,
    [gateway, told.map(({ digest }) => digest)],
  );
  return new Map(rows.map(({ digest, epoch, seq }) => [keyOf(digest), `${epoch}/${seq}`]));
}

function keyOf(digest: Buffer): string {
  return digest.toString("base64");
}

/** Answers the numbers that were not there. */
async function insert(
  client: Queryable,
  { gateway, epoch, turn }: Place,
  told: readonly Told[],
): Promise<ReadonlySet<number>> {
  if (told.length === 0) return new Set();
  const records = told.map(({ record }) => record);
  const { rows } = await client.query<{ seq: number }>(
    `INSERT INTO record (gateway, epoch, turn, seq, boot, monotonic_ms, at_ms, quality, event, payload, more, digest)
     SELECT $1, $2, $3, * FROM unnest(
       $4::bigint[], $5::bigint[], $6::double precision[], $7::bigint[], $8::text[], $9::text[], $10::json[], $11::json[],
       $12::bytea[])
     ON CONFLICT DO NOTHING RETURNING seq`,
    [
      gateway,
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
      told.map(({ digest }) => digest),
    ],
  );
  return new Set(rows.map(({ seq }) => seq));
}

function unknownKeys(record: SyncRecord): string | null {
  const unknown = Object.entries(record).filter(([key]) => !KNOWN_KEYS.has(key));
  return unknown.length === 0 ? null : JSON.stringify(Object.fromEntries(unknown));
}

/** Numbers whose records are kept under other ones. */
async function keepAliases(client: Queryable, { gateway }: Place, places: readonly EarlierPlace[]): Promise<void> {
  if (places.length === 0) return;
  await client.query(
    `INSERT INTO alias (gateway, epoch, seq) SELECT $1, * FROM unnest($2::text[], $3::bigint[])
     ON CONFLICT DO NOTHING`,
    [gateway, places.map(({ epoch }) => epoch), places.map(({ seq }) => seq)],
  );
}
