/** Requests of a gateway's own API, sent through the cloud, and what became of them. */
import { type Command, isShallow, PROTOCOL_VERSION } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";

/** The gateway refuses what is meant to run later than this. */
const MAX_VALID_SECONDS = 86_400;
/** Between the first two tries; each pause is twice the one before. */
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** Commands of one round. */
const MAX_DUE = 200;
/** How long an answer may take after the command expired. */
const ANSWER_MS = 60_000;

/** What a client of the fleet's API sends. */
export const NewCommand = z.strictObject({
  /** The same id is the same command: it never runs twice. */
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().regex(/^\/[\x21-\x7e]{0,2000}$/),
  body: z
    .unknown()
    .refine((body) => isShallow(body), { error: "more objects and arrays within each other than the contract allows" })
    .optional(),
  /** Whom it is for, as the user header of the gateway's API says. */
  userId: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional(),
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .default("2024-10-01"),
  validSeconds: z.int().min(1).max(MAX_VALID_SECONDS).default(60),
});
export type NewCommand = z.infer<typeof NewCommand>;

interface CommandRow {
  readonly id: string;
  readonly created_ms: number;
  readonly expires_ms: number;
  readonly version: string;
  readonly method: Command["method"];
  readonly path: string;
  /** Null, too, where it is one of JSON; see `has_body`. */
  readonly body: unknown;
  readonly has_body: boolean;
  readonly user_id: string | null;
  readonly outcome: string | null;
  readonly status: number | null;
  readonly content_type: string | null;
  readonly answer: unknown;
  readonly detail: string | null;
  readonly answered_ms: number | null;
}

const COMMANDS = "SELECT *, body IS NOT NULL AS has_body FROM command";

/** False: another command has this id, or there is no such gateway. The same one again is taken for itself. */
export async function addCommand(
  client: Queryable,
  gateway: string,
  id: string,
  command: NewCommand,
  nowMs: number,
): Promise<boolean> {
  const { method, path, version, validSeconds, userId = null } = command;
  const body = command.body === undefined ? null : JSON.stringify(command.body);
  await client.query(
    // It is sent at once by whoever adds it.
    `INSERT INTO command (gateway, id, created_ms, expires_ms, version, method, path, body, user_id, tried_ms, tries)
     SELECT gateway, $2, $3, $4, $5, $6, $7, $8, $9, $3, 1 FROM gateway WHERE gateway = $1 ON CONFLICT DO NOTHING`,
    [gateway, id, nowMs, nowMs + validSeconds * 1_000, version, method, path, body, userId],
  );
  const { rowCount } = await client.query(
    `SELECT FROM command WHERE gateway = $1 AND id = $2 AND version = $3 AND method = $4 AND path = $5
     AND body::text IS NOT DISTINCT FROM $6::json::text AND user_id IS NOT DISTINCT FROM $7`,
    [gateway, id, version, method, path, body, userId],
  );
  return rowCount === 1;
}

/** As clients of the fleet's API see it; null: none. */
export async function commandView(client: Queryable, gateway: string, id: string): Promise<object | null> {
  const { rows } = await client.query<CommandRow>(`${COMMANDS} WHERE gateway = $1 AND id = $2`, [gateway, id]);
  const [row] = rows;
  if (row === undefined) return null;
  const { outcome, status, content_type: contentType, answer: body, detail, answered_ms: answeredMs } = row;
  const answer = { outcome, status, contentType, body, detail, answeredAt: instant(answeredMs) };
  return {
    id,
    createdAt: instant(row.created_ms),
    expiresAt: instant(row.expires_ms),
    version: row.version,
    method: row.method,
    path: row.path,
    ...(row.has_body && { body: row.body }),
    userId: row.user_id,
    answer: outcome === null ? null : answer,
  };
}

/** Commands that have no answer and are valid still, oldest first; with an id, that one only. */
export async function openCommands(
  client: Queryable,
  gateway: string,
  nowMs: number,
  id: string | null = null,
): Promise<readonly Command[]> {
  const { rows } = await client.query<CommandRow>(
    `${COMMANDS} WHERE gateway = $1 AND outcome IS NULL AND expires_ms > $2 AND ($3::text IS NULL OR id = $3)
     ORDER BY created_ms, id`,
    [gateway, nowMs, id],
  );
  return rows.map(commandOf);
}

/** A command and whom it is for. */
export interface DueCommand {
  readonly gateway: string;
  readonly command: Command;
}

/**
 * Commands without an answer that are to be sent now, for the first time or again; no other copy is given them meanwhile. The
 * pauses grow, and a gateway that is known to be away gets what it has not got when it says hello.
 */
export async function takeDueCommands(client: Queryable, nowMs: number): Promise<readonly DueCommand[]> {
  const { rows } = await client.query<CommandRow & { readonly gateway: string }>(
    `UPDATE command AS c SET tried_ms = $1, tries = c.tries + 1 FROM (
       SELECT o.gateway, o.id FROM command AS o JOIN gateway USING (gateway)
       WHERE outcome IS NULL AND expires_ms > $1 AND (tried_ms IS NULL OR (is_online IS NOT FALSE
         AND tried_ms + least($2, $3 * (1 << least(tries, 10))) <= $1))
       ORDER BY created_ms LIMIT $4 FOR UPDATE OF o SKIP LOCKED) AS due
     WHERE c.gateway = due.gateway AND c.id = due.id RETURNING c.*, c.body IS NOT NULL AS has_body`,
    [nowMs, MAX_PAUSE_MS, FIRST_PAUSE_MS / 2, MAX_DUE],
  );
  return rows.map((row) => ({ gateway: row.gateway, command: commandOf(row) }));
}

/** The broker has it. */
export async function noteSent(client: Queryable, gateway: string, id: string, nowMs: number): Promise<void> {
  await client.query("UPDATE command SET sent_ms = $3, tried_ms = $3 WHERE gateway = $1 AND id = $2", [
    gateway,
    id,
    nowMs,
  ]);
}

/** Gives commands an outcome whose time is over without an answer; an answer that comes later takes its place. */
export async function endCommands(client: Queryable, nowMs: number): Promise<void> {
  await client.query(
    `UPDATE command SET outcome = 'expired', detail = 'It could not be sent before it expired.'
     WHERE outcome IS NULL AND expires_ms <= $1 AND sent_ms IS NULL`,
    [nowMs],
  );
  await client.query(
    `UPDATE command SET outcome = 'unanswered', detail = 'It was sent, and no answer has come.'
     WHERE outcome IS NULL AND expires_ms <= $1 AND sent_ms IS NOT NULL`,
    [nowMs - ANSWER_MS],
  );
}

function commandOf(row: CommandRow): Command {
  return {
    v: PROTOCOL_VERSION,
    kind: "command",
    id: row.id,
    expiresAtMs: row.expires_ms,
    version: row.version,
    method: row.method,
    path: row.path,
    ...(row.has_body && { body: row.body }),
    ...(row.user_id !== null && { userId: row.user_id }),
  };
}
