/** Numbers of epochs before that a gateway lost before they arrived, or that were lost here: it tells of both by an event. */
import type { SyncRecord } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import { EVENT, type Place } from "./place.ts";
import { storable } from "./text.ts";

const LOSS_EVENT = "system:outbox:gap";
const Loss = z.object({ epoch: z.string(), stream: z.string(), from: z.int().min(1), through: z.int().min(1) });
const Told = z.looseObject({ gaps: z.array(Loss).max(1_000) });

/**
 * Marks events that are not here of them as a hole, in the order of their epoch. Those of an epoch that is not known here
 * stand before the epoch that tells of them, at numbers below its first, until a hello names their own.
 */
export async function keepLosses(
  client: Queryable,
  { gateway, turn }: Pick<Place, "gateway" | "turn">,
  records: readonly SyncRecord[],
): Promise<void> {
  for (const { event, payload } of records) {
    const told = event === LOSS_EVENT ? Told.safeParse(payload) : null;
    // The last first: each that has no place of its own goes before those that are there.
    for (const { epoch, stream, from, through } of (told?.data?.gaps ?? []).toReversed()) {
      if (stream !== EVENT) continue;
      await client.query(
        `INSERT INTO gap (gateway, stream, epoch, turn, from_seq, through_seq, reason, stands_at)
         SELECT $1, $2, $3, coalesce(p.turn, $6), m.from_seq, m.through_seq, 'lost', CASE WHEN p.turn IS NULL THEN
           (SELECT least(min(g.stands_at), 1) FROM gap g WHERE g.gateway = $1 AND g.stream = $2 AND g.turn = $6)
             - row_number() OVER (ORDER BY m.from_seq DESC) END
         FROM missing_events($1, $3, $4::bigint, $5::bigint) AS m
         LEFT JOIN stream_position p ON p.gateway = $1 AND p.stream = $2 AND p.epoch = $3 ON CONFLICT DO NOTHING`,
        [gateway, stream, storable(epoch), from, through, turn],
      );
    }
  }
}

/** An epoch that losses were told of is known now: they stand in its order. */
export async function placeLosses(client: Queryable, { gateway, stream, epoch, turn }: Place): Promise<void> {
  await client.query(
    "UPDATE gap SET turn = $4, stands_at = NULL WHERE gateway = $1 AND stream = $2 AND epoch = $3 AND stands_at IS NOT NULL",
    [gateway, stream, epoch, turn],
  );
}

/**
 * What a batch tells of stands in the place of a loss that another history told of: the gateway that comes with the epoch has
 * it, or knows better why it is gone. `applied` is where the batch before ended.
 */
export async function replaceLosses(
  client: Queryable,
  { gateway, stream, epoch }: Place,
  { applied, through }: { readonly applied: number; readonly through: number },
): Promise<void> {
  await client.query(
    "DELETE FROM gap WHERE gateway = $1 AND stream = $2 AND epoch = $3 AND from_seq > $4 AND through_seq <= $5",
    [gateway, stream, epoch, applied, through],
  );
  await client.query(
    `UPDATE gap SET from_seq = $5::bigint + 1
     WHERE gateway = $1 AND stream = $2 AND epoch = $3 AND from_seq > $4 AND from_seq <= $5 AND through_seq > $5`,
    [gateway, stream, epoch, applied, through],
  );
}
