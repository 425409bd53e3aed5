/**
 * `CLOUDS_SEEDS=1,2 CLOUDS_DAYS=30 npm run suite clouds` lives through other months, and `CLOUDS_ONLY=tado,enphase` with
 * accounts at these alone, which takes a minute each instead of twenty.
 */
import { expect, test } from "vitest";
import { breachText } from "../long-run/long-run.ts";
import { seedsOf } from "../long-run/seeds.ts";
import { liveWithClouds, type MonthResult } from "./month.ts";

const SEEDS = seedsOf("CLOUDS_SEEDS", "1");
const DAYS = Number(process.env["CLOUDS_DAYS"] ?? "30");
const ONLY = process.env["CLOUDS_ONLY"]?.split(",");
const VENDORS = ONLY?.length ?? 14;
const RATES = { trouble: 1 / 2_500, exhaust: 1 / 6_000, expire: 1 / 2_500, internet: 1 / 5_000, power: 1 / 1_200 };

function expectHeld(seed: number, result: MonthResult): void {
  const { breaches, unknown, untold, ended, counts, vendors, mishaps } = result;
  const story = JSON.stringify({ counts, vendors, mishaps: [...mishaps], ended: [...ended] }, null, 1);
  const only = ONLY === undefined ? "" : `CLOUDS_ONLY=${ONLY} `;
  const again = `${only}CLOUDS_SEEDS=${seed} CLOUDS_DAYS=${DAYS} npm run suite clouds`;
  expect(breaches, story + breachText(result, again)).toEqual([]);
  expect(unknown, story).toEqual([]);
  if (DAYS >= 30) expect(untold, story).toEqual([]);
  // Nobody wishes anything of accounts that are only read.
  if (counts["taken"] !== 0) expect(ended.get("CONFIRMED") ?? 0, story).toBeGreaterThan(0);
}

test.each(SEEDS)(`a month with an account at each of ${ONLY ?? "fourteen vendors"}, seed %d`, async (seed) => {
  const result = await liveWithClouds({
    seed,
    days: DAYS,
    rates: RATES,
    commands: VENDORS / 280,
    ...(ONLY !== undefined && { only: ONLY }),
    revokesOn: (place) => 1 + place * 2,
    longAwayOn: 16,
  });
  expectHeld(seed, result);
  const { mishaps, counts } = result;
  if (DAYS < 30) return;
  expect(counts["restored"]).toBe(VENDORS);
  if (ONLY !== undefined) return;
  // A month in which something did not happen has not shown that it does no harm.
  for (const what of ["internet away", "power cut", "power cut at a login", "power cut at a command", "stopped"]) {
    expect([what, mishaps.get(what) ?? 0]).toEqual([what, expect.any(Number)]);
    expect(mishaps.get(what) ?? 0, what).toBeGreaterThan(0);
  }
  expect(mishaps.get("clock wrong at boot") ?? 0).toBeGreaterThan(0);
});
