/** The newest state of each thing in a house. */
import type { SyncRecord } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import type { Place } from "./place.ts";
import { storable } from "./text.ts";

/** The records are of one batch, ascending. What is older than what is here has no effect. */
export async function keepEntities(client: Queryable, place: Place, records: readonly SyncRecord[]): Promise<void> {
  const newest = new Map(records.map((record) => [storable(record.entity ?? ""), record]));
  if (newest.size === 0) return;
  const oldest = new Map(records.toReversed().map((record) => [storable(record.entity ?? ""), record.atMs]));
  const entities = [...newest.keys()];
  const states = [...newest.values()];
  await client.query(
    `INSERT INTO entity (gateway, epoch, turn, entity, kind, id, seq, first_ms, at_ms, quality, is_deleted, payload)
     SELECT $1, $2, $3, * FROM unnest(
       $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::text[], $11::boolean[], $12::json[])
     ON CONFLICT (gateway, entity) DO UPDATE SET
       epoch = excluded.epoch, turn = excluded.turn, seq = excluded.seq, at_ms = excluded.at_ms,
       quality = excluded.quality, is_deleted = excluded.is_deleted, payload = excluded.payload
     WHERE (excluded.turn, excluded.seq) > (entity.turn, entity.seq)`,
    [
      place.gateway,
      place.epoch,
      place.turn,
      entities,
      entities.map((entity) => entity.slice(0, Math.max(0, entity.indexOf("/")))),
      entities.map((entity) => entity.slice(entity.indexOf("/") + 1)),
      states.map(({ seq }) => seq),
      entities.map((entity) => oldest.get(entity)),
      states.map(({ atMs }) => atMs),
      states.map(({ quality }) => quality),
      states.map(({ event }) => event.endsWith(":deleted")),
      states.map(({ payload }) => JSON.stringify(payload ?? null)),
    ],
  );
}
