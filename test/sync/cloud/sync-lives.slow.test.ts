/** The suite `slow` lives through some seeds, `SYNC_SEEDS=1-10000 npm run suite slow -- sync-lives` through 10,000. */
import { expect, test } from "vitest";
import { HOUR_MS } from "../../../src/domain/duration.ts";
import { seedsOf } from "../../long-run/seeds.ts";
import { Tally } from "../../long-run/tally.ts";
import type { CrashPoint } from "./crash-points.ts";
import { liveThrough } from "./sync-judge.ts";

const SEEDS = seedsOf("SYNC_SEEDS", "1-60");
const LIMIT_MS = 6 * HOUR_MS;
/** Fewer lives may miss something by chance. */
const ENOUGH_SEEDS = 60;

const CRASHES: Readonly<Record<CrashPoint, number>> = {
  "before the batch": 13,
  "after the batch": 13,
  "after publish": 8,
  "after the cloud's commit": 6,
  "after the acknowledgement": 6,
  "before the deletion": 5,
  "after the deletion": 5,
};
/** What has to have happened in a hundred lives, or nothing was shown about it: less than half of what is usual. */
const LEAST_IN_100: Readonly<Record<string, number>> = {
  ...CRASHES,
  "power cut": 40,
  restart: 25,
  partition: 70,
  doubled: 18,
  late: 18,
  forgotten: 18,
  "before-commit": 25,
  "after-commit": 22,
  "card restored": 12,
  "cloud restored": 12,
  clone: 10,
  "disk full": 40,
  "clock of 1970": 5,
  "clock set": 18,
  "a day offline": 15,
  "a month offline": 3,
  "telemetry thinned": 1,
  "telemetry left out": 1,
  measured: 500,
  gap: 5,
  executed: 100,
  expired: 110,
};

test(
  `${SEEDS.length} lives: what arrived is what was told, once, and only what a gap names is lost`,
  async () => {
    const tally = new Tally();
    const wrong: string[] = [];
    const { stackTraceLimit } = Error;
    // Thousands of connections are refused; where, nobody asks.
    Error.stackTraceLimit = 0;
    for (const seed of SEEDS) await liveThrough(seed, tally).catch((error: unknown) => wrong.push(String(error)));
    Error.stackTraceLimit = stackTraceLimit;
    expect(wrong).toEqual([]);
    const least = Object.entries(LEAST_IN_100).map(
      ([what, times]) => [what, Math.floor((times * SEEDS.length) / 100)] as const,
    );
    const seldom = least.filter(([what, times]) => tally.of(what) < Math.max(1, times));
    expect(SEEDS.length < ENOUGH_SEEDS ? [] : seldom).toEqual([]);
  },
  LIMIT_MS,
);
