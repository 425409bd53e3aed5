import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { Killer } from "../crash/killer.ts";

const KILLS = 1;

test("a store killed under load keeps every acknowledged write (many more in test:crash)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-kill-"));
  const killer = new Killer(join(folder, "state"), new SeededRandom("short"));
  for (let kill = 0; kill < KILLS; kill++) expect(await killer.cycle()).toStrictEqual([]);
  expect(killer.totals.acknowledged).toBeGreaterThan(0);
  await rm(folder, { recursive: true });
});
