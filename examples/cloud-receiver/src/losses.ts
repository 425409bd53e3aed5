/** Numbers of epochs before that a gateway lost before they arrived, or that were lost here: it tells of both by an event. */
import { LOSS_EVENT, Losses, type Range, type SyncRecord } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { EVENT, type Place } from "./place.ts";

/**
 * Marks events that are not here of them as a hole, in the order of their epoch. Those of an epoch that is not known here
 * stand before the epoch that tells of them, at numbers below its first, until a hello names their own.
 */
export async function keepLosses(
  client: Queryable,
  { gateway, turn }: Pick<Place, "gateway" | "turn">,
  records: readonly SyncRecord[],
): Promise<void> {
  const told = records.flatMap(({ event, payload }) => (event === LOSS_EVENT ? Losses.parse(payload).gaps : []));
  const lost = merged(told.filter(({ stream }) => stream === EVENT));
  if (lost.length === 0) return;
  // The last first: each that has no place of its own goes before those that are there.
  await client.query(
    `INSERT INTO gap (gateway, stream, epoch, turn, from_seq, through_seq, reason, stands_at)
     SELECT $1, $2, l.epoch, coalesce(p.turn, $3), m.from_seq, m.through_seq, 'lost', CASE WHEN p.turn IS NULL THEN
       (SELECT least(min(g.stands_at), 1) FROM gap g WHERE g.gateway = $1 AND g.stream = $2 AND g.turn = $3)
         - row_number() OVER (PARTITION BY p.turn IS NULL ORDER BY l.place DESC, m.from_seq DESC) END
     FROM unnest($4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY AS l (epoch, from_seq, through_seq, place)
     CROSS JOIN LATERAL missing_events($1, l.epoch, l.from_seq, l.through_seq) AS m
     LEFT JOIN stream_position p ON p.gateway = $1 AND p.stream = $2 AND p.epoch = l.epoch ON CONFLICT DO NOTHING`,
    [
      gateway,
      EVENT,
      turn,
      lost.map(({ epoch }) => epoch),
      lost.map(({ from }) => from),
      lost.map(({ through }) => through),
    ],
  );
}

type Loss = Range & { readonly epoch: string };

/** Each number once, epochs in the order in which they were told of: all that is lost is told again with what is new. */
function merged(losses: readonly Loss[]): readonly Loss[] {
  const epochs = Map.groupBy(losses, ({ epoch }) => epoch);
  return [...epochs].flatMap(([epoch, ranges]) => {
    const whole: { from: number; through: number }[] = [];
    for (const { from, through } of ranges.toSorted((one, other) => one.from - other.from)) {
      const last = whole.at(-1);
      if (last !== undefined && from <= last.through + 1) last.through = Math.max(last.through, through);
      else if (through >= from) whole.push({ from, through });
    }
    return whole.map((range) => ({ epoch, ...range }));
  });
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
