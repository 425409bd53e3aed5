/** What devices measured: each quarter of an hour once, as it was told last. */
import { type SyncRecord, TelemetryPayload } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import type { Place } from "./place.ts";

const Quarter = TelemetryPayload.pick({ fromMs: true });

/** When the quarter began that a record is of, ms since 1970; null: it does not say. */
export function quarterOf({ payload }: SyncRecord): number | null {
  return Quarter.safeParse(payload).data?.fromMs ?? null;
}

/** The records are of one batch, ascending. One of a quarter that is known replaces it. */
export async function keepTelemetry(client: Queryable, place: Place, records: readonly SyncRecord[]): Promise<void> {
  const newest = new Map(records.map((record) => [quarterOf(record), record]));
  if (newest.size === 0) return;
  const told = [...newest.values()];
  await client.query(
    `INSERT INTO telemetry (gateway, epoch, turn, from_ms, seq, record)
     SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::bigint[], $6::json[])
     ON CONFLICT (gateway, from_ms) DO UPDATE SET
       epoch = excluded.epoch, turn = excluded.turn, seq = excluded.seq, record = excluded.record`,
    [
      place.gateway,
      place.epoch,
      place.turn,
      [...newest.keys()],
      told.map(({ seq }) => seq),
      told.map((record) => JSON.stringify(record)),
    ],
  );
}
