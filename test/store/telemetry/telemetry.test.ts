import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/duration.ts";
import type { Operation } from "../../../src/store/database.ts";
import { sealJson } from "../../../src/store/envelope.ts";
import { Telemetry } from "../../../src/store/telemetry/telemetry.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { drive, makeSample } from "../makers.ts";

const NEVER = new AbortController().signal;
/** A whole minute, UTC midnight. */
const START_MS = 20_000 * DAY_MS;

async function started(options: { maxWaitingBytes?: number; flushMinutes?: number } = {}) {
  const clock = new VirtualClock({ startMs: START_MS });
  const disk = new MemoryDisk();
  const log = new TestLog();
  const telemetry = new Telemetry({ disk, clock, log, onRecovered: () => undefined, flushMinutes: 1, ...options });
  await telemetry.open(NEVER);
  telemetry.start(1);
  /** Records a sample every 5 s. */
  const run = async (seconds: number, deviceId = "meter"): Promise<void> => {
    for (let second = 0; second < seconds; second += 5) {
      telemetry.record(makeSample(deviceId, clock.nowMs(), clock.nowMs() % 1_000_003));
      await clock.advance(5_000);
    }
  };
  const keys = (prefix: string): readonly string[] =>
    [...disk.contents("telemetry").keys()].filter((key) => key.startsWith(prefix));
  return { clock, disk, log, telemetry, run, keys };
}

describe("the minute's batch", () => {
  test("one synced batch a minute holds one block a device", async () => {
    const { telemetry, disk, keys, clock } = await started();
    const before = disk.batches;
    for (let minute = 0; minute < 3; minute++) {
      for (let tick = 0; tick < 12; tick++) {
        for (const deviceId of ["a", "b", "c"]) telemetry.record(makeSample(deviceId, clock.nowMs()));
        await clock.advance(5_000);
      }
    }
    await clock.advance(5_000);
    expect(disk.batches - before).toBe(3);
    expect(keys("b")).toHaveLength(9);
  });

  test("longer blocks make fewer writes, and are found from their middle", async () => {
    const { telemetry, disk, clock, run, keys } = await started({ flushMinutes: 5 });
    const before = disk.batches;
    await run(900);
    await clock.advance(5_000);
    expect(disk.batches - before).toBe(3);
    expect(keys("b")).toHaveLength(3);
    const found = await telemetry.history("meter", START_MS + 280_000, START_MS + 310_000);
    expect(found.map((sample) => sample.atMs - START_MS)).toStrictEqual([
      280_000, 285_000, 290_000, 295_000, 300_000, 305_000,
    ]);
  });

  test("others run while many devices are written, and miss no sample", async () => {
    const { telemetry, clock, keys } = await started();
    for (let tick = 0; tick < 12; tick++) {
      for (let device = 0; device < 100; device++) telemetry.record(makeSample(`meter-${device}`, clock.nowMs()));
      await clock.advance(5_000);
    }
    const seen: number[] = [];
    clock.timer(2_000, () => {
      const look = async (): Promise<void> => {
        const found = await telemetry.history("meter-99", START_MS, START_MS + 60_000);
        seen.push(found.length);
        if (keys("b").length === 0) clock.timer(0, () => void look());
      };
      void look();
    });
    await clock.advance(5_000);
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toStrictEqual(new Set([12]));
    expect(keys("b")).toHaveLength(100);
  });

  test("a power cut takes the running minute and no more", async () => {
    const { telemetry, disk, run, clock, log } = await started();
    await run(150);
    disk.crash();
    const after = new Telemetry({ disk, clock, log, onRecovered: () => undefined });
    await after.open(NEVER);
    const kept = await after.history("meter", 0, Number.POSITIVE_INFINITY);
    expect(kept.map((sample) => sample.atMs - START_MS)).toStrictEqual(
      Array.from({ length: 24 }, (_, index) => index * 5_000),
    );
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("a minute without samples writes nothing", async () => {
    const { disk, clock } = await started();
    const before = disk.batches;
    await clock.advance(3_600_000);
    expect(disk.batches).toBe(before);
  });

  test("samples stay in order when the wall clock is set back and forth", async () => {
    const { telemetry, clock, run } = await started();
    await run(30);
    clock.setWallMs(START_MS + 12_500);
    await run(30);
    clock.setWallMs(0);
    await run(30);
    clock.setWallMs(START_MS + DAY_MS);
    await run(90);
    const all = await drive(clock, telemetry.history("meter", 0, Number.POSITIVE_INFINITY));
    const instants = all.map((sample) => sample.atMs);
    expect(instants).toStrictEqual(instants.toSorted((one, other) => one - other));
    expect(all).toHaveLength(6 + 6 + 6 + 18);
  });

  test("values that are not finite are a bug of the caller", async () => {
    const { telemetry } = await started();
    expect(() => telemetry.record(makeSample("meter", 1, Number.NaN))).toThrow(/null when the device cannot tell/);
    expect(() => telemetry.record(makeSample("meter", 1, Number.NEGATIVE_INFINITY))).toThrow();
    expect(() => telemetry.record(makeSample("meter", Number.NaN, 1))).toThrow();
  });
});

describe("a disk that refuses", () => {
  test("samples wait in memory, are read from there, and are written when it gives way", async () => {
    const { telemetry, disk, run, keys, clock, log } = await started();
    disk.failWrites("lost");
    disk.failOpens(60);
    await run(120);
    expect(keys("b")).toHaveLength(0);
    expect(log.texts("warn")).toContain("cannot write telemetry; keeping it in memory");
    await run(300);
    expect(keys("b").length).toBeGreaterThan(4);
    expect(log.texts("info")).toContain("telemetry is written again");
    const all = await drive(clock, telemetry.history("meter", 0, Number.POSITIVE_INFINITY));
    expect(all).toHaveLength(420 / 5);
  });

  test("a write that failed and is on disk all the same is not there twice", async () => {
    const { telemetry, disk, run, clock } = await started();
    disk.failWrites("kept");
    await run(180);
    expect(await drive(clock, telemetry.history("meter", 0, Number.POSITIVE_INFINITY))).toHaveLength(36);
  });

  test("when memory is full the oldest go, the hole is recorded and said", async () => {
    const { telemetry, disk, run, keys, clock, log } = await started({ maxWaitingBytes: 400 });
    disk.failWrites("lost");
    disk.failOpens(400);
    await run(1_200);
    expect(log.texts("error")).toContain("the disk refused writes for too long; dropped the oldest telemetry");
    await run(600);
    const all = await drive(clock, telemetry.history("meter", 0, Number.POSITIVE_INFINITY));
    expect(all.length).toBeGreaterThan(120);
    expect(all.length).toBeLessThan(300);
    expect(keys("g")).toHaveLength(1);
  });
});

describe("retention", () => {
  test("days that are too old go, unless the clock cannot be trusted", async () => {
    const { telemetry, run, keys, clock } = await started();
    for (let day = 0; day < 5; day++) {
      await run(60);
      await clock.advance(5_000);
      clock.setWallMs(START_MS + (day + 1) * DAY_MS);
    }
    await telemetry.prune(null, { days: 2, bytes: 1e9 });
    expect(keys("b")).toHaveLength(5);
    await telemetry.prune(START_MS + 4 * DAY_MS, { days: 2, bytes: 1e9 });
    expect(keys("b")).toHaveLength(4);
    expect(keys("s")).toHaveLength(4);
    expect((await telemetry.history("meter", 0, START_MS + DAY_MS)).length).toBe(0);
    expect((await telemetry.history("meter", 0, START_MS + 9 * DAY_MS)).length).toBe(48);
  });

  test("a day that a clock has dated which was not set takes back nothing of what is known to be missing", async () => {
    const { telemetry, run, clock } = await started();
    await run(60);
    await clock.advance(5_000);
    await telemetry.prune(START_MS + 4 * DAY_MS, { days: 2, bytes: 1e9 });
    expect(await telemetry.holes(START_MS, START_MS + DAY_MS)).toHaveLength(1);
    clock.setWallMs(0);
    await run(60);
    await clock.advance(5_000);
    await telemetry.prune(START_MS + 4 * DAY_MS, { days: 2, bytes: 1e9 });
    expect(await telemetry.holes(START_MS, START_MS + DAY_MS)).toHaveLength(1);
  });

  test("the oldest days go while all are too large, today never", async () => {
    const { telemetry, run, keys, clock } = await started();
    for (let day = 0; day < 5; day++) {
      await run(60);
      await clock.advance(5_000);
      clock.setWallMs(START_MS + (day + 1) * DAY_MS);
    }
    await telemetry.prune(null, { days: 400, bytes: 250 });
    expect(keys("b").length).toBeLessThan(5);
    await telemetry.prune(null, { days: 400, bytes: 1 });
    expect(keys("b")).toHaveLength(1);
  });
});

test("a telemetry layout of a later version is refused", async () => {
  const { telemetry, disk, clock, log } = await started();
  await drive(clock, telemetry[Symbol.asyncDispose]());
  const database = await disk.open("telemetry");
  const operation: Operation = {
    type: "put",
    key: "meta!schema",
    value: sealJson("meta!schema", { epoch: 0, seq: 0 }, 2),
  };
  await database.batch([operation]);
  await database.close();
  const later = new Telemetry({ disk, clock, log, onRecovered: () => undefined });
  await expect(drive(clock, later.open(NEVER))).rejects.toMatchObject({ kind: "newer" });
});
