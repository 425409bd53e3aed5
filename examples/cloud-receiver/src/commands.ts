/** Requests of a gateway's own API, sent through the cloud, and what became of them. */
import { type Command, PROTOCOL_VERSION } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import { instant } from "./instant.ts";

/** The gateway refuses what is meant to run later than this. */
const MAX_VALID_SECONDS = 86_400;

/** What a client of the fleet's API sends. */
export const NewCommand = z.strictObject({
  /** The same id is the same command: it never runs twice. */
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().regex(/^\/[\x21-\x7e]{0,2000}$/),
  body: z.unknown().optional(),
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
    `INSERT INTO command (gateway, id, created_ms, expires_ms, version, method, path, body, user_id)
     SELECT gateway, $2, $3, $4, $5, $6, $7, $8, $9 FROM gateway WHERE gateway = $1 ON CONFLICT DO NOTHING`,
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
  return rows.map((row) => ({
    v: PROTOCOL_VERSION,
    kind: "command",
    id: row.id,
    expiresAtMs: row.expires_ms,
    version: row.version,
    method: row.method,
    path: row.path,
    ...(row.has_body && { body: row.body }),
    ...(row.user_id !== null && { userId: row.user_id }),
  }));
}
