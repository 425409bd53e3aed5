/** A month of the energy manager in a house with faults, people and an operator. Long: it runs behind its own script. */
import { describe, expect, test } from "vitest";
import { breachText } from "../long-run/long-run.ts";
import { seedsOf } from "../long-run/seeds.ts";
import { liveWithEnergy } from "./energy-month.ts";

const SEEDS = seedsOf("ENERGY_SEEDS", "1-20");
const DAYS = Number(process.env["ENERGY_DAYS"] ?? 30);
/** In short runs everything happens faster, so that they see some of everything. */
const DEED_EVERY_MINUTES = DAYS < 5 ? 12 : 40;
/** Seconds near a limit: whether hours have many of them is chance, so short runs need some, and long ones many. */
const LEAST_NEAR_S = DAYS < 5 ? 10 : 1_000 * DAYS;

describe.each(SEEDS)("a house with seed %i", (seed) => {
  test("keeps its limits and its promises each second", async () => {
    const result = await liveWithEnergy({ seed, days: DAYS, deedEveryMinutes: DEED_EVERY_MINUTES });
    const { lastEvents: _last, ...shown } = result;
    console.log(`seed ${seed}:`, shown);
    const again = `ENERGY_SEEDS=${seed} ENERGY_DAYS=${DAYS} npm run test:energy`;
    expect(result.breaches, breachText(result, again)).toEqual([]);
    // A run in which nothing was judged says nothing.
    expect(Object.values(result.nearS).reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(LEAST_NEAR_S);
    expect(result.judged["states"]).toBeGreaterThan(1_000 * DAYS);
    expect(result.chargedKwh).toBeGreaterThan(10 * DAYS);
  });
});
