/** Two days of the month, in which everything is dealt faster. */
import { expect, test } from "vitest";
import { liveWithClouds } from "./month.ts";

const RATES = { trouble: 1 / 700, exhaust: 1 / 3_000, expire: 1 / 700, internet: 1 / 1_500, power: 1 / 240 };

test("two days with accounts of which a quota, a login or the power goes", { timeout: 300_000 }, async () => {
  const { breaches, ended, counts, mishaps, vendors } = await liveWithClouds({
    seed: 4,
    days: 2,
    rates: RATES,
    commands: 1 / 20,
    revokesOn: (place) => (place === 0 ? 0 : null),
    longAwayOn: null,
    only: ["easee", "sensibo", "tado"],
  });
  const story = JSON.stringify({ counts, vendors, mishaps: [...mishaps], ended: [...ended] }, null, 1);
  expect(breaches, story).toEqual([]);
  expect(ended.get("CONFIRMED") ?? 0, story).toBeGreaterThan(0);
  expect(counts["restarts"], story).toBeGreaterThan(0);
  expect(mishaps.get("clock wrong at boot") ?? 0, story).toBeGreaterThan(0);
  expect(counts["restored"], story).toBe(1);
});
