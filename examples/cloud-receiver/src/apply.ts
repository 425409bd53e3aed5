/** Takes a batch into the database: all of it, once, or nothing. */
import type { Ack, Batch, Range } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { keepEntities } from "./entities.ts";
import { keepGaps } from "./gaps.ts";
import { replaceLosses } from "./losses.ts";
import { EVENT, type Place, STATE, TELEMETRY } from "./place.ts";
import { keepRecords } from "./records.ts";
import { keepTelemetry, quarterOf } from "./telemetry.ts";
import { storable } from "./text.ts";

/** A batch that breaks the contract, although each of its parts has the right form. */
export class BatchError extends Error {
  override readonly name = "BatchError";
}

/**
 * To be run in one transaction; the answer is true after its commit only. Null: the latest hello did not name the epoch, or
 * was of another start, and nothing is answered. With `missing`, nothing of the batch was kept, as those numbers have to come first. Throws a `BatchError`.
 */
export async function applyBatch(
  client: Queryable,
  gateway: string,
  batch: Batch,
): Promise<Pick<Ack, "through" | "missing"> | null> {
  const { stream, epoch, from, through, bootId } = batch;
  if (!(await lockGateway(client, gateway))) return null;
  const { rows } = await client.query<{ turn: number; applied: number; has_losses: boolean }>(
    `SELECT turn, applied, EXISTS (SELECT FROM gap g
       WHERE g.gateway = $1 AND g.stream = $2 AND g.epoch = $3 AND g.from_seq > p.applied) AS has_losses
     FROM stream_position p JOIN gateway USING (gateway)
     WHERE gateway = $1 AND stream = $2 AND epoch = $3 AND is_current AND boot_id = $4`,
    [gateway, stream, epoch, storable(bootId)],
  );
  const [position] = rows;
  if (position === undefined) return null;
  const { turn, applied, has_losses: hasLosses } = position;
  if (from > applied + 1) return { through: applied, missing: [{ from: applied + 1, through: from - 1 }] };
  checkBatch(batch);
  const place: Place = { gateway, stream, epoch, turn };
  if (hasLosses) await replaceLosses(client, place, { applied, through });
  const unknown = batch.records.filter(({ seq }) => seq > applied);
  if (stream === EVENT) await keepRecords(client, place, batch);
  else if (stream === STATE) await keepEntities(client, place, unknown);
  else await keepTelemetry(client, place, unknown);
  await keepGaps(client, place, batch.gaps, applied);
  const reached = Math.max(applied, through);
  await client.query(
    "UPDATE stream_position SET applied = $4 WHERE gateway = $1 AND stream = $2 AND epoch = $3 AND applied < $4",
    [gateway, stream, epoch, reached],
  );
  return { through: reached, missing: [] };
}

/**
 * What one gateway sends is taken one after the other, whichever copy of this service has it. A statement of its own: what
 * is read in the statement that waits for a lock is older than the lock. False: there is no such gateway.
 */
export async function lockGateway(client: Queryable, gateway: string): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM gateway WHERE gateway = $1 FOR UPDATE", [gateway]);
  return rowCount === 1;
}

/** Throws a `BatchError` unless records and gaps are in order, and leave no number out that has to be there. */
function checkBatch({ stream, from, through, records, gaps }: Batch): void {
  const parts: readonly Range[] = [...gaps, ...records.map(({ seq }) => ({ from: seq, through: seq }))];
  let next = from;
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    const isPlaced = stream === EVENT ? part.from === next : part.from >= next;
    if (!isPlaced || part.through < part.from || part.through > through) {
      throw new BatchError(`${stream}: ${part.from} to ${part.through} is out of place in ${from} to ${through}`);
    }
    next = part.through + 1;
  }
  if (stream === EVENT && next !== through + 1)
    throw new BatchError(`${stream}: ${next} to ${through} are not told of`);
  if (stream === STATE && records.some(({ entity }) => entity === null)) throw new BatchError("a state of nothing");
  if (stream === TELEMETRY && records.some((record) => quarterOf(record) === null))
    throw new BatchError("telemetry of no time");
}
