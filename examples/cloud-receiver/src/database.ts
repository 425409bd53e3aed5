/** The connection to PostgreSQL, its tables and its transactions. */
import { readFileSync } from "node:fs";
import pg from "pg";

const SCHEMA = new URL("../sql/schema.sql", import.meta.url);
const INT8 = 20;
/** Longer than any statement of this service takes: one that takes longer is ended by PostgreSQL. */
const STATEMENT_MS = 15_000;
/** For a row that another transaction has. */
const LOCK_MS = 5_000;
/** A server that says nothing for so long is taken for gone. */
const SILENCE_MS = 20_000;
/** All statements of a transaction together. */
const TRANSACTION_MS = 20_000;
const UNLIMITED = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  query_timeout: 0,
} as const;
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
    keepAlive: true,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: SILENCE_MS,
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
  // Another copy may be at it, and an index over all that is here takes its time: nothing of this has a limit.
  const client = new pg.Client({ ...pool.options, ...UNLIMITED });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM schema_version");
    for (const part of parts) {
      const version = Number.parseInt(part, 10);
      if (rows.some((row) => row.version === version)) continue;
      await client.query(part.slice(part.indexOf("\n")));
      await client.query("INSERT INTO schema_version VALUES ($1)", [version]);
    }
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** A transaction that took too long for what the contract allows. */
class TransactionTooLong extends Error {
  override readonly name = "TransactionTooLong";
}

/** Commits what `work` did, or nothing of it. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(limited(client, Date.now() + TRANSACTION_MS));
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // The connection is not used again: whatever state it is in ends with it.
    client.release(true);
    throw error;
  }
}

/** Asks nothing more after that. */
function limited(client: pg.PoolClient, endMs: number): Queryable {
  const query = (...asked: Parameters<pg.PoolClient["query"]>): unknown => {
    if (Date.now() > endMs) throw new TransactionTooLong(`a transaction took longer than ${TRANSACTION_MS} ms`);
    return client.query(...asked);
  };
  return { query: query as Queryable["query"] };
}

/**
 * What an error says of what was asked. `away`: the database is not there, and nothing can be done until it is. `busy`: it
 * may succeed later, as with a lock that another one has. `refused`: it will not, whenever it is asked.
 */
export type Failure = "away" | "busy" | "refused";

export function failureOf(error: unknown): Failure {
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? "";
    if (/^(08|53|58|57P)/.test(code)) return "away";
    return /^(40|55|57|25P)/.test(code) ? "busy" : "refused";
  }
  if (!(error instanceof Error)) return "refused";
  const isOfNetwork = "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code);
  // The library names its own errors by their text alone.
  if (isOfNetwork || /connection|connect\b|timeout|not queryable/i.test(error.message)) return "away";
  return error instanceof TransactionTooLong ? "busy" : "refused";
}
