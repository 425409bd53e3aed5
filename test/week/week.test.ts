/** A week of a home with one device of every kind. Long: it runs behind its own script. */
import { describe, expect, test } from "vitest";
import { breachText } from "../long-run/long-run.ts";
import { seedsOf } from "../long-run/seeds.ts";
import { liveThrough } from "./week.ts";

const SEEDS = seedsOf("WEEK_SEEDS", "1,2");
const DAYS = Number(process.env["WEEK_DAYS"] ?? 7);
/** From this long on every class of faults has to have come. */
const WHOLE_DAYS = 0.1;
/** And everything that the gateway does after them. */
const LONG_DAYS = 3;
/** What the gateway, and the checks' own half hour of memory, may keep more of than after the first quarter, MB. */
const MOST_GROWN_MB = 60;

describe.each(SEEDS)("a week with seed %i", (seed) => {
  test("keeps all that was promised", async () => {
    const begun = performance.now();
    const result = await liveThrough({ seed, days: DAYS, tell: (line) => console.log(line) });
    const { breaches, counts, missing, devices } = result;
    console.log(`seed ${seed}, ${DAYS} days in ${Math.round((performance.now() - begun) / 1_000)} s:`, result);
    const again = `WEEK_SEEDS=${seed} WEEK_DAYS=${DAYS} npm run suite week`;
    expect(breaches, breachText(result, again)).toEqual([]);
    expect(devices).toBeGreaterThan(50);
    expect(counts["judged"]).toBeGreaterThan(DAYS * 100_000);
    expect(counts["confirmed"]).toBeGreaterThan(DAYS * 20);
    expect(counts["deaths"]).toBeGreaterThan(0);
    if (DAYS < WHOLE_DAYS) return;
    expect(missing).toEqual([]);
    if (DAYS < LONG_DAYS) return;
    // Before the histories of a day are full it says nothing.
    expect(counts["grownMb"]).toBeLessThan(MOST_GROWN_MB);
    expect(counts["found"]).toBeGreaterThan(0);
    expect(counts["powers"]).toBeGreaterThan(DAYS * 500);
    expect(counts["energies"]).toBeGreaterThan(DAYS * 2_000);
    expect(counts["reversions"]).toBeGreaterThan(0);
    expect(counts["safe default"]).toBeGreaterThan(0);
  });
});

test("a seed is a whole week: twice the same", async () => {
  const once = await liveThrough({ seed: 5, days: 0.02 });
  expect((await liveThrough({ seed: 5, days: 0.02 })).hash).toBe(once.hash);
});
