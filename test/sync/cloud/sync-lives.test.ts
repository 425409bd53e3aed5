/** `npm test` lives through some seeds, `npm run test:sync` through 10,000; `SYNC_SEED` is the first one. */
import { expect, test } from "vitest";
import { liveThrough, type Tally } from "./sync-life.ts";

const SEEDS = Number(process.env["SYNC_SEEDS"] ?? 60);
const FIRST = Number(process.env["SYNC_SEED"] ?? 1);
const LIMIT_MS = 6 * 3_600_000;
/** What has to have happened, or nothing was shown about it. */
const FAULTS = [
  "a day offline",
  "after-commit",
  "before-commit",
  "card restored",
  "clock of 1970",
  "clock set",
  "cloud restored",
  "disk full",
  "doubled",
  "executed",
  "expired",
  "forgotten",
  "gap",
  "late",
  "partition",
  "power cut",
  "restart",
];

test(
  `${SEEDS} lives: what arrived is what was told, once, and only what a gap names is lost`,
  async () => {
    const tally: Tally = new Map();
    const wrong: string[] = [];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      await liveThrough(seed, tally).catch((error: unknown) => wrong.push(String(error)));
    }
    expect(wrong).toEqual([]);
    expect(SEEDS < 60 ? [] : FAULTS.filter((fault) => !tally.has(fault))).toEqual([]);
  },
  LIMIT_MS,
);
