import { expect, test } from "vitest";
import { tryCopies } from "../store/damage/damages.ts";

/** `DAMAGED_COPIES=5000 npm run suite crash -- damage` damages more. */
const COPIES = Number(process.env["DAMAGED_COPIES"] ?? 400);
/** Another home, other damages: `HEMGATE_SEED=7 npm run suite crash`. */
const SEED = Number(process.env["HEMGATE_SEED"] ?? 2);
/** A start takes a tenth of a second; a machine that does much else needs more. */
const TIMEOUT_MS = 60_000 + COPIES * 2_000;

test(
  `${COPIES} damaged copies of a home's databases all start, serve no wrong value and say what they lost`,
  async () => {
    const { wrong, ...tally } = await tryCopies(COPIES, SEED);
    console.info(`seed ${SEED}:`, tally);
    expect(wrong).toStrictEqual([]);
    expect(tally.copies).toBe(COPIES);
    expect(tally.told).toBeGreaterThan(COPIES / 2);
    expect(tally.lostClients).toBe(0);
  },
  TIMEOUT_MS,
);
