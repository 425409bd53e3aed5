/** What gateways sent and the contract forbids: kept as it came, for whoever looks for the reason. */
import { createHash } from "node:crypto";
import { fromFrame, MAX_REASON, type Refused } from "hemgate/cloud-protocol";
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";
import { storable } from "./text.ts";
import { zstd } from "./zstd.ts";

/** The newest of each gateway that are kept. */
const MAX_LETTERS = 100;
/** That a list shows. */
const MAX_LISTED = 1_000;

export interface DeadLetter {
  readonly gateway: string;
  readonly frame: Uint8Array;
  /** Why the whole of it was refused; null: parts of it were. */
  readonly reason: string | null;
  readonly stream: string | null;
  readonly epoch: string | null;
  readonly refused: readonly Refused[];
}

interface LetterRow {
  readonly letter_id: number;
  readonly gateway: string;
  readonly first_ms: number;
  readonly last_ms: number;
  readonly times: number;
  readonly reason: string | null;
  readonly stream: string | null;
  readonly epoch: string | null;
  readonly refused: readonly Refused[];
  readonly bytes: number;
}

const LETTERS = `SELECT letter_id, gateway, first_ms, last_ms, times, reason, stream, epoch, refused,
    length(frame) AS bytes FROM dead_letter`;

/** To be run in one transaction. The same frame again is counted. */
export async function keepDeadLetter(client: Queryable, letter: DeadLetter, nowMs: number): Promise<void> {
  const { gateway, frame, reason, stream, epoch, refused } = letter;
  await client.query(
    `INSERT INTO dead_letter (gateway, digest, first_ms, last_ms, times, reason, stream, epoch, refused, frame)
     VALUES ($1, $2, $3, $3, 1, $4, $5, $6, $7, $8)
     ON CONFLICT (gateway, digest) DO UPDATE SET last_ms = excluded.last_ms, times = dead_letter.times + 1`,
    [
      gateway,
      createHash("sha256").update(frame).digest(),
      nowMs,
      reason === null ? null : storable(reason.slice(0, MAX_REASON)),
      stream,
      epoch,
      storable(JSON.stringify(refused)),
      Buffer.from(frame),
    ],
  );
  await client.query(
    `DELETE FROM dead_letter WHERE gateway = $1 AND letter_id <= (
       SELECT letter_id FROM dead_letter WHERE gateway = $1 ORDER BY letter_id DESC OFFSET $2 LIMIT 1)`,
    [gateway, MAX_LETTERS],
  );
}

/** Newest first; of one gateway or, with null, of all. */
export async function deadLetters(client: Queryable, gateway: string | null): Promise<object> {
  const { rows } = await client.query<LetterRow>(
    `${LETTERS} WHERE $1::text IS NULL OR gateway = $1 ORDER BY last_ms DESC, letter_id DESC LIMIT $2`,
    [gateway, MAX_LISTED],
  );
  return { data: rows.map(letterView) };
}

/** With what came, as far as it can be unpacked. Null: there is none. */
export async function deadLetter(client: Queryable, gateway: string, id: string): Promise<object | null> {
  if (!/^\d{1,15}$/.test(id)) return null;
  const { rows } = await client.query<LetterRow & { frame: Buffer }>(
    `SELECT letters.*, frame FROM (${LETTERS}) AS letters JOIN dead_letter USING (letter_id) WHERE letters.gateway = $1 AND letter_id = $2`,
    [gateway, id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const message: unknown = await fromFrame(row.frame, zstd).catch(() => null);
  return { ...letterView(row), frame: row.frame.toString("base64"), message };
}

function letterView({ letter_id: id, gateway, first_ms: firstMs, last_ms: lastMs, ...row }: LetterRow): object {
  const { times, reason, stream, epoch, refused, bytes } = row;
  const seen = { firstAt: instant(firstMs), lastAt: instant(lastMs), times };
  return { id, gateway, ...seen, reason, stream, epoch, refused, bytes };
}
