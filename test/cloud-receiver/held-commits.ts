/** A database whose commits wait, so that a copy can be ended when it has asked for one and before there is one. */
import type { TestDatabase } from "./test-database.ts";
import { until } from "./until.ts";

const LOCK = 1_913;
/** Run by PostgreSQL when a transaction that moved a position, or began one, commits. */
const WAIT_AT_COMMIT = `
  CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NULL; END
  $$;
  CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT OR UPDATE ON stream_position
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`;
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND query = 'COMMIT' AND wait_event = 'advisory'`;

export interface HeldCommits {
  /** Resolves when a transaction has done all its work, and its commit was asked for. */
  asked(): Promise<void>;
  /** Ends the transactions that wait: nothing of them is kept. */
  refuse(): Promise<void>;
}

/** While `work` runs nothing is committed that the receiver applies. */
export async function withHeldCommits(
  database: TestDatabase,
  work: (commits: HeldCommits) => Promise<void>,
): Promise<void> {
  await database.rows(WAIT_AT_COMMIT);
  await database.transact(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await work({
      asked: async () => void (await until(async () => (await database.rows(WAITING)).length > 0)),
      async refuse() {
        await database.rows(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
        await until(async () => (await database.rows(WAITING)).length === 0);
      },
    });
  });
}
