/** The connection to PostgreSQL, its tables and its transactions. */
import { readFileSync } from "node:fs";
import pg from "pg";

const SCHEMA = new URL("../sql/schema.sql", import.meta.url);
const INT8 = 20;
/** Two copies that start at once change the tables one after the other. */
const MIGRATION_LOCK = 7_364_201;

/** What one statement at a time can be asked of: a connection in a transaction, or the pool. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** Opens connections as they are needed. The caller ends it. */
export function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    // Numbers of the contract stay below 2^53.
    types: {
      getTypeParser: ((oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that breaks while it is not used is replaced.
  pool.on("error", () => undefined);
  // One that breaks while it is used rejects what is asked of it; without a listener of its own it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Brings the tables to the newest version. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const [, ...parts] = readFileSync(SCHEMA, "utf8").split(/^-- version (?=\d+$)/m);
  await inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM schema_version");
    for (const part of parts) {
      const version = Number.parseInt(part, 10);
      if (rows.some((row) => row.version === version)) continue;
      await client.query(part.slice(part.indexOf("\n")));
      await client.query("INSERT INTO schema_version VALUES ($1)", [version]);
    }
  });
}

/** Commits what `work` did, or nothing of it. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // The connection is not used again: whatever state it is in ends with it.
    client.release(true);
    throw error;
  }
}

/**
 * Whether the same may succeed later: the connection failed, or PostgreSQL was stopped, full, or chose a victim. Other
 * errors are of what was asked.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return /^(08|40|53|55|57|58)/.test(error.code ?? "");
}
