import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { Killer } from "./killer.ts";

/** `CRASH_KILLS=500 npm run suite crash -- kill` kills more often. */
const KILLS = Number(process.env["CRASH_KILLS"] ?? 60);
/** Another seed, other instants: `HEMGATE_SEED=7 npm run suite crash`. */
const SEED = process.env["HEMGATE_SEED"] ?? "1";

test(`a store killed ${KILLS} times under load keeps every acknowledged write`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-kill-"));
  const killer = new Killer(join(folder, "state"), new SeededRandom(SEED));
  for (let kill = 0; kill < KILLS; kill++) {
    expect(await killer.cycle(), `seed ${SEED}, kill ${kill}, state in ${folder}`).toStrictEqual([]);
  }
  console.info(`seed ${SEED}:`, killer.totals);
  expect(killer.totals.kills).toBe(KILLS);
  expect(killer.totals.acknowledged).toBeGreaterThan(KILLS * 10);
  expect(killer.totals.samples).toBeGreaterThan(KILLS);
  await rm(folder, { recursive: true });
});
