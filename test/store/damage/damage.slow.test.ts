import { expect, test } from "vitest";
import { tryCopies } from "./damages.ts";

const COPIES = 60;
const SEED = 1;
/** A start takes a tenth of a second; a machine that does much else needs more. */
const TIMEOUT_MS = 60_000 + COPIES * 2_000;

test(
  `${COPIES} damaged copies of a home's databases all start, serve no wrong value and say what they lost`,
  async () => {
    const { wrong, ...tally } = await tryCopies(COPIES, SEED);
    expect(wrong).toStrictEqual([]);
    expect(tally.copies).toBe(COPIES);
    expect(tally.told).toBeGreaterThan(COPIES / 2);
    expect(tally.lostClients).toBe(0);
  },
  TIMEOUT_MS,
);
