/** One gateway's rows in an empty database, without a broker. */
import { applyBatch } from "../../examples/cloud-receiver/src/apply.ts";
import { meet } from "../../examples/cloud-receiver/src/meet.ts";
import type { Batch, Boot } from "../../src/sync/protocol/index.ts";
import { AT_MS, boot, EPOCH, hello } from "./messages.ts";
import { latestBootId, type TestDatabase } from "./test-database.ts";

export const GATEWAY = "house-1";

export async function welcomed(
  database: TestDatabase,
  epoch = EPOCH,
  boots: readonly Boot[] = [boot(1)],
): Promise<void> {
  await database.transact((client) => meet(client, GATEWAY, hello(GATEWAY, boots, epoch), { window: 8, nowMs: AT_MS }));
}

/** Takes a batch of the start that was welcomed last. */
export async function apply(database: TestDatabase, told: Batch): ReturnType<typeof applyBatch> {
  const bootId = await latestBootId(database, GATEWAY);
  return await database.transact((client) => applyBatch(client, GATEWAY, { ...told, bootId }));
}

export async function numbers(database: TestDatabase): Promise<readonly number[]> {
  const rows = await database.rows<{ seq: number }>("SELECT seq FROM record ORDER BY turn, seq");
  return rows.map(({ seq }) => seq);
}
