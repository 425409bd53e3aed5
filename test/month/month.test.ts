/** A month of a house with everything that people and devices do to it. Long: it runs behind its own script. */
import { describe, expect, test } from "vitest";
import { breachText } from "../long-run/long-run.ts";
import { seedsOf } from "../long-run/seeds.ts";
import { liveThrough } from "./month.ts";

const SEEDS = seedsOf("MONTH_SEEDS", "1-3");
const DAYS = Number(process.env["MONTH_DAYS"] ?? 30);

describe.each(SEEDS)("a month with seed %i", (seed) => {
  test("keeps all that was promised", async () => {
    const result = await liveThrough({ seed, days: DAYS });
    console.log(`seed ${seed}:`, { ...result, journal: Object.fromEntries(result.journal) });
    const again = `MONTH_SEEDS=${seed} MONTH_DAYS=${DAYS} npm run suite month`;
    expect(result.breaches, breachText(result, again)).toEqual([]);
    expect(result.judged).toBeGreaterThan(DAYS * 20);
    expect(result.deeds).toBeGreaterThan(DAYS * 10);
    expect(result.refused).toBeGreaterThan(0);
    expect(result.journal.get("user:credentials:invalidated") ?? 0).toBeGreaterThan(0);
    expect(result.restarts).toBeGreaterThan(DAYS / 2);
  });
});

test("the same seed lives the same half a day twice", async () => {
  const once = await liveThrough({ seed: 5, days: 0.5 });
  expect((await liveThrough({ seed: 5, days: 0.5 })).hash).toBe(once.hash);
});
