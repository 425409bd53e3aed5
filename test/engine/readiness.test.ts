import { describe, expect, test } from "vitest";
import { readinessOf } from "../../src/engine/readiness.ts";
import { RoundLoop } from "../../src/engine/smart/round-loop.ts";
import { TestLog, VirtualClock } from "../../src/testing/index.ts";
import { makeHome } from "./home.ts";

const MINUTE_MS = 60_000;
const WELL = {
  isStoreWritable: true,
  isDiskShort: false,
  isCopyFailing: false,
  losses: [],
  nowMs: Date.UTC(2026),
  clockQuality: "synced",
  loops: [],
  partsLatenessMs: [-5_000, 0],
} as const;

describe("readiness", () => {
  test("is given while all turns", () => {
    expect(readinessOf(WELL)).toEqual({ isReady: true, failures: [] });
  });

  test("ends while a loss of stored data is not acknowledged, and while the second copy is not written", () => {
    const loss = { id: "1", foundAtMs: Date.UTC(2026), details: ["damaged"], state: "OPEN" } as const;
    expect(readinessOf({ ...WELL, losses: [loss], isCopyFailing: true })).toEqual({
      isReady: false,
      failures: [
        "the second copy of the settings cannot be written",
        "stored data were found damaged at 2026-01-01T00:00:00.000Z: GET /local/checks says what, dismissing it there acknowledges it",
      ],
    });
  });

  test("ends when the disk is almost full", () => {
    const { failures } = readinessOf({ ...WELL, isDiskShort: true });
    expect(failures).toEqual(["the disk is almost full, and history is not written"]);
  });

  test("ends when what decides about control is late by more than a minute", () => {
    expect(readinessOf({ ...WELL, partsLatenessMs: [0, MINUTE_MS] }).isReady).toBe(true);
    expect(readinessOf({ ...WELL, partsLatenessMs: [0, MINUTE_MS + 1] }).failures).toEqual(["the scheduler is late"]);
  });

  test("lasts through a day and a night of an idle house", async () => {
    const home = makeHome();
    const run = await home.start();
    for (let hour = 0; hour < 26; hour += 1) {
      await home.world.clock.advance(60 * MINUTE_MS);
      expect(run.engine.readiness()).toEqual({ isReady: true, failures: [] });
    }
    await run.close();
  });
});

describe("a loop that looks at targets", () => {
  test("is late when a look does not end, and in time again when it does", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    let looks = 0;
    const loop = new RoundLoop({
      clock,
      log: new TestLog(),
      ids: () => ["a"],
      dueInMs: () => Number.POSITIVE_INFINITY,
      look: () => {
        looks += 1;
        return looks === 3 ? promise : Promise.resolve();
      },
    });
    const running = loop.run(stop.signal);
    await clock.advance(MINUTE_MS + 1_000);
    expect(loop.latenessMs()).toBeLessThanOrEqual(0);
    await clock.advance(3 * MINUTE_MS);
    expect(loop.latenessMs()).toBeGreaterThan(MINUTE_MS);
    resolve();
    await clock.advance(1_000);
    expect(loop.latenessMs()).toBeLessThanOrEqual(0);
    stop.abort();
    await running;
  });
});
