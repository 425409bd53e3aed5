import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { coarserRows, type EnergyRow, QUARTER_MS } from "../../../src/domain/statistics/statistics-row.ts";
import type { TelemetrySample } from "../../../src/store/store.ts";
import { deviceHour } from "../../../src/store/telemetry/device-hour.ts";
import { Telemetry } from "../../../src/store/telemetry/telemetry.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import type { VirtualClock, VirtualClockOptions } from "../../../src/testing/virtual-clock.ts";
import { World } from "../../../src/testing/world.ts";
import { drive } from "../makers.ts";

const NEVER = new AbortController().signal;
/** 30 April 2026, 00:00 UTC: a day before a new month. */
const START_MS = Date.UTC(2026, 3, 30);
const METER = { deviceId: "meter", kind: "meter" } as const;

function house(options: VirtualClockOptions = {}) {
  const world = new World({ seed: 1, startMs: START_MS, ...options });
  const { clock } = world;
  const disk = new MemoryDisk();
  let epoch = 0;
  let process = world.boot("gateway", disk);
  const open = async (): Promise<Telemetry> => {
    const { platform } = process;
    const telemetry = new Telemetry({ ...platform, onRecovered: () => undefined });
    await drive(clock, telemetry.open(NEVER));
    epoch += 1;
    telemetry.start(epoch);
    return telemetry;
  };
  const keys = (prefix: string): readonly string[] =>
    [...disk.contents("telemetry").keys()].filter((key) => key.startsWith(prefix));
  /** A power cut. */
  const crash = (): void => {
    process.kill();
    disk.crash();
    process = world.boot("gateway", disk);
  };
  return { clock, disk, open, keys, crash };
}

function sample(atMs: number, powerW: number, importWh: number | null, deviceId = "meter"): TelemetrySample {
  const counter = importWh === null ? [] : [{ point: "meter.energyImport" as const, value: importWh }];
  return { deviceId, atMs, values: [{ point: "meter.power", value: powerW }, ...counter] };
}

/** A reading a minute of 6 kW with its counter. */
async function run(telemetry: Telemetry, clock: VirtualClock, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    const elapsed = Math.round((clock.nowMs() - START_MS) / MINUTE_MS);
    telemetry.record(sample(clock.nowMs(), 6_000, 1_000 + elapsed * 100));
    await clock.advance(MINUTE_MS);
  }
}

function total(rows: readonly EnergyRow[]): number {
  return rows.reduce((sum, row) => sum + row.inMwh, 0);
}

const ALL = { fromMs: START_MS - DAY_MS, toMs: START_MS + 40 * DAY_MS };

describe("the roll-up", () => {
  test("an hour is rolled up in one batch once its neighbours are known, and reads the same before and after", async () => {
    const { clock, open, keys, disk } = house();
    const telemetry = await open();
    await run(telemetry, clock, 70);
    const minutes = { stream: METER, slotMs: MINUTE_MS, fromMs: START_MS, toMs: START_MS + HOUR_MS } as const;
    const before = await telemetry.energy(minutes);
    expect(before).toHaveLength(60);
    expect(total(before)).toBe(6_000_000);
    expect(keys("rm")).toHaveLength(0);
    const batches = disk.batches;
    await run(telemetry, clock, 15);
    expect(keys("rm")).toHaveLength(1);
    expect(disk.batches - batches).toBe(4);
    expect(await telemetry.energy(minutes)).toStrictEqual(before);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("days become quarter hours and months hours, and every slot says the same", async () => {
    const { clock, open, keys } = house();
    const telemetry = await open();
    await run(telemetry, clock, 26 * 60);
    expect(keys("rq")).toHaveLength(1);
    expect(keys("rh")).toHaveLength(1);
    for (const slotMs of [MINUTE_MS, QUARTER_MS, HOUR_MS] as const) {
      const rows = await telemetry.energy({ stream: METER, slotMs, ...ALL });
      expect(total(rows)).toBe((26 * 60 - 1) * 100_000);
      expect(rows).toHaveLength(Math.ceil((26 * 60 - 1) / (slotMs / MINUTE_MS)));
    }
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("hours that are asked for by themselves have the same rows as in all, rolled up or not", async () => {
    const home = house();
    const telemetry = await home.open();
    await run(telemetry, home.clock, 2 * 24 * 60 + 90);
    const [fromMs, toMs] = [START_MS, home.clock.nowMs()];
    for (const slotMs of [MINUTE_MS, QUARTER_MS]) {
      const all = await drive(home.clock, telemetry.energy({ stream: METER, slotMs, fromMs, toMs }));
      for (const picked of [[0], [3, 4, 23], [1, 2, 30, 47, 48, 49], [48], [49], [100]]) {
        const hours = picked.map((hour) => START_MS + hour * HOUR_MS);
        const found = await drive(home.clock, telemetry.energy({ stream: METER, slotMs, fromMs, toMs, hours }));
        const wanted = all.filter(({ atMs }) => hours.includes(Math.floor(atMs / HOUR_MS) * HOUR_MS));
        expect(found).toStrictEqual(wanted);
      }
      expect(all.length).toBeGreaterThan((2 * DAY_MS) / slotMs);
    }
  });

  test("a silence that a counter tells of is filled in, in the days and months too", async () => {
    const { clock, open } = house();
    const telemetry = await open();
    await run(telemetry, clock, 22 * 60);
    await clock.advance(5 * HOUR_MS);
    await run(telemetry, clock, 3 * 60);
    for (const slotMs of [MINUTE_MS, QUARTER_MS, HOUR_MS] as const) {
      const rows = await telemetry.energy({ stream: METER, slotMs, ...ALL });
      expect(total(rows)).toBe((30 * 60 - 1) * 100_000);
    }
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("samples that come late for an hour are in it in the end", async () => {
    const { clock, open, keys } = house();
    const telemetry = await open();
    await run(telemetry, clock, 60);
    await clock.advance(26 * HOUR_MS);
    const wallMs = clock.nowMs();
    clock.setWallMs(START_MS + 2 * HOUR_MS);
    for (let minute = 0; minute < 5; minute++) {
      telemetry.record(sample(clock.nowMs(), 6_000, null));
      await clock.advance(MINUTE_MS);
    }
    clock.setWallMs(wallMs);
    await clock.advance(10 * MINUTE_MS);
    expect(keys("rt")).toHaveLength(0);
    const rows = await telemetry.energy({ stream: METER, slotMs: QUARTER_MS, ...ALL });
    expect(rows.map((row) => [row.atMs - START_MS, row.inMwh])).toStrictEqual([
      [0, 1_500_000],
      [QUARTER_MS, 1_500_000],
      [2 * QUARTER_MS, 1_500_000],
      [3 * QUARTER_MS, 1_400_000],
      [8 * QUARTER_MS, 400_000],
    ]);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("what a device did is forgotten with it, raw and rolled up, and others' stays", async () => {
    const { clock, open, disk } = house();
    const telemetry = await open();
    for (let minute = 0; minute < 26 * 60; minute++) {
      for (const deviceId of ["meter", "other"]) telemetry.record(sample(clock.nowMs(), 6_000, null, deviceId));
      await clock.advance(MINUTE_MS);
    }
    await drive(clock, telemetry.forget("meter"));
    const left = [...disk.contents("telemetry").keys()];
    expect(left.filter((key) => /^(b....!|rm....!|rq|rh)meter!/.test(key))).toStrictEqual([]);
    expect(left.filter((key) => key.includes("other!")).length).toBeGreaterThan(26);
    expect(await telemetry.energy({ stream: METER, slotMs: HOUR_MS, ...ALL })).toStrictEqual([]);
    const others = await telemetry.energy({ stream: { deviceId: "other", kind: "meter" }, slotMs: HOUR_MS, ...ALL });
    expect(others).toHaveLength(26);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("rows outlive their raw samples, and go when their own time is over", async () => {
    const { clock, open, keys } = house();
    const telemetry = await open();
    await run(telemetry, clock, 26 * 60);
    await drive(clock, telemetry.prune(START_MS + 2 * DAY_MS, { days: 400, bytes: 1 }));
    const hours = { stream: METER, slotMs: HOUR_MS, fromMs: START_MS, toMs: START_MS + DAY_MS } as const;
    expect(total(await telemetry.energy(hours))).toBe(24 * 60 * 100_000);
    await drive(clock, telemetry.prune(START_MS + 410 * DAY_MS));
    expect(keys("rm").length + keys("b").length).toBe(0);
    expect(keys("rq")).toHaveLength(1);
    await drive(clock, telemetry.prune(START_MS + 4_000 * DAY_MS));
    expect(keys("rq").length + keys("rh").length).toBe(0);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });
});

describe("a clock that is not set", () => {
  test("samples wait for the clock and get the date they were taken at", async () => {
    const { clock, open } = house({ startMs: 0, quality: "unset" });
    const telemetry = await open();
    telemetry.record(sample(clock.nowMs(), 6_000, null));
    await clock.advance(2 * MINUTE_MS);
    telemetry.record(sample(clock.nowMs(), 6_000, null));
    await clock.advance(MINUTE_MS);
    clock.setWallMs(START_MS + 3 * MINUTE_MS);
    clock.setQuality("synced");
    telemetry.record(sample(clock.nowMs(), 6_000, null));
    const found = await drive(clock, telemetry.history("meter", 0, START_MS + DAY_MS));
    expect(found.map(({ atMs }) => atMs - START_MS)).toStrictEqual([0, 2 * MINUTE_MS, 3 * MINUTE_MS]);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });

  test("where nothing ever sets it, samples are kept after a quarter of an hour, and no statistics are made of 1970", async () => {
    const { clock, open, keys } = house({ startMs: 0, quality: "unset" });
    const telemetry = await open();
    for (let minute = 0; minute < 180; minute++) {
      telemetry.record(sample(clock.nowMs(), 6_000, null));
      await clock.advance(MINUTE_MS);
    }
    expect((await telemetry.history("meter", 0, DAY_MS)).length).toBe(180);
    expect(keys("rm")).toHaveLength(0);
    await drive(clock, telemetry[Symbol.asyncDispose]());
  });
});

describe("crashes", () => {
  /** What the raw history that is left makes, without any roll-up. */
  async function fromRaw(telemetry: Telemetry, untilMs: number): Promise<EnergyRow[]> {
    const everything = await telemetry.history("meter", 0, untilMs + DAY_MS);
    const between = (fromMs: number, toMs: number): TelemetrySample[] =>
      everything.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const raw = {
      read: async (_id: string, fromMs: number, toMs: number) => between(fromMs, toMs),
      readEdge: async (_id: string, fromMs: number, toMs: number) => between(fromMs, toMs),
    };
    const rows: EnergyRow[] = [];
    for (let hourMs = START_MS - DAY_MS; hourMs < untilMs; hourMs += HOUR_MS) {
      rows.push(...((await deviceHour(raw, "meter", hourMs)).rows.get("meter") ?? []));
    }
    return rows;
  }

  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ what: fc.constant("run" as const), minutes: fc.integer({ min: 5, max: 400 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ what: fc.constant("quiet" as const), minutes: fc.integer({ min: 1, max: 900 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ what: fc.constant("crash" as const), minutes: fc.integer({ min: 0, max: 60 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ what: fc.constant("refuse" as const), minutes: fc.integer({ min: 1, max: 40 }) }),
    },
  );

  test("whatever happens, every slot holds what the raw samples make of it, once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.boolean(), async (steps, hasCounter) => {
        const { clock, disk, open, crash } = house();
        let telemetry = await open();
        const record = async (minutes: number): Promise<void> => {
          for (let minute = 0; minute < minutes; minute++) {
            const elapsed = Math.round((clock.nowMs() - START_MS) / MINUTE_MS);
            const powerW = elapsed % 97 < 50 ? 3_000 : -1_500;
            telemetry.record(sample(clock.nowMs(), powerW, hasCounter ? 1_000 + elapsed * 40 : null));
            await clock.advance(MINUTE_MS);
          }
        };
        for (const { what, minutes } of steps) {
          if (what === "run") await record(minutes);
          if (what === "quiet") await clock.advance(minutes * MINUTE_MS);
          if (what === "refuse") {
            disk.failWrites(minutes % 2 === 0 ? "lost" : "kept");
            await record(minutes);
          }
          if (what === "crash") {
            crash();
            await clock.advance(minutes * MINUTE_MS);
            telemetry = await open();
          }
        }
        await clock.advance(10 * MINUTE_MS);
        await record(2);
        await clock.advance(26 * HOUR_MS);
        const untilMs = clock.nowMs();
        const expected = await fromRaw(telemetry, untilMs);
        for (const slotMs of [MINUTE_MS, QUARTER_MS, HOUR_MS] as const) {
          const rows = await telemetry.energy({ stream: METER, slotMs, fromMs: START_MS - DAY_MS, toMs: untilMs });
          expect(rows).toStrictEqual(slotMs === MINUTE_MS ? expected : coarserRows(expected, slotMs));
        }
        await drive(clock, telemetry[Symbol.asyncDispose]());
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
