/** The same rows into the same tables by PostgreSQL's own means: how far the receivers are from what it can take. */
import { execFileSync } from "node:child_process";
import type { FleetSite } from "./fleet-site.ts";

const ONE_BY_ONE = 1_000;

/** Prints a table; `ours`: records/s of the receivers. */
export async function comparePeers({ database, databaseUrl }: FleetSite, ours: number): Promise<void> {
  const { rows } = await database.query<{ count: string }>("SELECT count(*) FROM telemetry");
  const count = Number(rows[0]?.count ?? 0);
  await database.query("CREATE TABLE peer (LIKE telemetry INCLUDING ALL)");
  const psql = (command: string, input?: Buffer): Buffer =>
    execFileSync("psql", [databaseUrl, "-qc", command], { maxBuffer: 2 ** 31 - 1, ...(input && { input }) });
  const text = psql("COPY (SELECT * FROM telemetry) TO STDOUT");
  const copyMs = performance.now();
  psql("COPY peer FROM STDIN", text);
  const copied = (count * 1_000) / (performance.now() - copyMs);
  await database.query("TRUNCATE peer");
  const few = Math.min(ONE_BY_ONE, count);
  const sample = await database.query("SELECT * FROM telemetry LIMIT $1", [few]);
  const singleMs = performance.now();
  for (const { gateway, from_ms, turn, epoch, seq, record } of sample.rows) {
    const values = [gateway, from_ms, turn, epoch, seq, JSON.stringify(record)];
    await database.query(
      "INSERT INTO peer (gateway, from_ms, turn, epoch, seq, record) VALUES ($1, $2, $3, $4, $5, $6)",
      values,
    );
  }
  const single = (few * 1_000) / (performance.now() - singleMs);
  console.log("| telemetry rows into PostgreSQL | rows/s | to COPY |\n|---|---|---|");
  for (const [what, rate] of [
    ["COPY, one stream", copied],
    ["one INSERT a row, one connection", single],
    ["the receivers, all records", ours],
  ] as const) {
    console.log(`| ${what} | ${rate.toFixed(0)} | ${(rate / copied).toFixed(3)} |`);
  }
}
