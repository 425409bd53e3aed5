/** Numbers that will never come, so that a reader sees a hole and no flat line. */
import type { Gap, Range } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { EVENT, type Place } from "./place.ts";

/** Above `applied` a gap is kept as it is; up to there only events that are neither here nor known to be missing. */
export async function keepGaps(client: Queryable, place: Place, gaps: readonly Gap[], applied: number): Promise<void> {
  for (const gap of gaps) {
    if (gap.through > applied) await insert(client, place, gap, [{ ...gap, from: Math.max(gap.from, applied + 1) }]);
    if (gap.from > applied || place.stream !== EVENT) continue;
    const below = { from: gap.from, through: Math.min(gap.through, applied) };
    await insert(client, place, gap, await missingEvents(client, place, below));
  }
}

/** Events' numbers of a range that are neither kept nor in a gap. */
export async function missingEvents(
  client: Queryable,
  { gateway, epoch }: Pick<Place, "gateway" | "epoch">,
  { from, through }: Range,
): Promise<readonly Range[]> {
  const { rows } = await client.query<{ from: number; through: number }>(
    `SELECT from_seq AS "from", through_seq AS through FROM missing_events($1, $2, $3, $4)`,
    [gateway, epoch, from, through],
  );
  return rows;
}

async function insert(client: Queryable, place: Place, gap: Gap, ranges: readonly Range[]): Promise<void> {
  const { gateway, stream, epoch, turn } = place;
  for (const { from, through } of ranges) {
    await client.query(
      `INSERT INTO gap (gateway, stream, epoch, turn, from_seq, through_seq, reason, from_ms, through_ms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
      [gateway, stream, epoch, turn, from, through, gap.reason, gap.fromMs ?? null, gap.throughMs ?? null],
    );
  }
}
