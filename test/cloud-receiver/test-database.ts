import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { inTransaction, migrate, openPool, type Queryable } from "../../examples/cloud-receiver/src/database.ts";

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Runs in a transaction. */
  transact<Result>(work: (client: Queryable) => Promise<Result>): Promise<Result>;
  /** Ends all connections and takes no new ones, until what it answers is called. */
  takeAway(): Promise<() => Promise<void>>;
  /** Ends all connections; new ones are taken at once. */
  endConnections(): Promise<void>;
  rows<Row = Readonly<Record<string, unknown>>>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>;
}

/** An empty database with the receiver's tables. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `t${randomUUID().replaceAll("-", "")}`;
  const admin = openPool(inject("postgresUrl"), 1);
  await admin.query(`CREATE DATABASE ${name}`);
  const allow = async (isAllowed: boolean): Promise<void> => {
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
  };
  const url = inject("postgresUrl").replace(/postgres$/, name);
  const pool = openPool(url, 8);
  await migrate(pool);
  const endConnections = async (): Promise<void> => {
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  };
  return {
    url,
    endConnections,
    transact: (work) => inTransaction(pool, work),
    async takeAway() {
      await allow(false);
      await endConnections();
      return () => allow(true);
    },
    async rows<Row>(sql: string, parameters: readonly unknown[] = []) {
      const { rows } = await pool.query(sql, [...parameters]);
      return rows as Row[];
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await admin.end();
    },
  };
}

/** Of the start that a gateway's latest hello was of; none while it said none. */
export async function latestBootId(database: TestDatabase, gateway: string): Promise<string> {
  const [row] = await database.rows<{ id: string }>("SELECT boot_id AS id FROM gateway WHERE gateway = $1", [gateway]);
  return row?.id ?? "none";
}
