import { describe, expect, test } from "vitest";
import { Critical } from "../../src/store/critical.ts";
import { expired, MAX_RESOLVED_ACTIONS, RESOLVED_ACTION_AGE_MS } from "../../src/store/expiry.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { MemoryTables } from "../../src/store/tables.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { drive, makeAction, makeMemoryBench, makeSample, makeToken } from "./makers.ts";

const NOW_MS = 1_800_000_000_000;

describe("records", () => {
  test("an expired token goes an hour after its end", () => {
    const tables = new MemoryTables();
    tables.put("token", "t1", makeToken("t1", NOW_MS - 3_600_001));
    tables.put("token", "t2", makeToken("t2", NOW_MS - 3_599_999));
    tables.put("token", "t3", makeToken("t3", NOW_MS + 1));
    expect(expired(tables, NOW_MS).map((write) => write.key)).toStrictEqual(["t1"]);
  });

  test("a resolved action goes after 30 days, a pending one never", () => {
    const tables = new MemoryTables();
    tables.put("action", "old", makeAction("old", NOW_MS - RESOLVED_ACTION_AGE_MS - 1));
    tables.put("action", "young", makeAction("young", NOW_MS - RESOLVED_ACTION_AGE_MS + 1));
    tables.put("action", "pending", makeAction("pending", null));
    expect(expired(tables, NOW_MS)).toStrictEqual([{ table: "action", key: "old", remove: true }]);
  });

  test("the newest thousand resolved actions stay", () => {
    const tables = new MemoryTables();
    for (let index = 0; index < MAX_RESOLVED_ACTIONS + 2; index++) {
      tables.put("action", `a${index}`, makeAction(`a${index}`, NOW_MS - index));
    }
    expect(expired(tables, NOW_MS).map((write) => write.key)).toStrictEqual(["a1000", "a1001"]);
  });

  test("no age counts while the wall clock cannot be trusted", () => {
    const tables = new MemoryTables();
    tables.put("token", "t1", makeToken("t1", 1));
    tables.put("action", "a1", makeAction("a1", 1));
    expect(expired(tables, null)).toStrictEqual([]);
  });

  test("an action that a clock dated which was not set is as old as nobody knows", () => {
    const tables = new MemoryTables();
    tables.put("action", "a1", makeAction("a1", 60_000));
    expect(expired(tables, NOW_MS)).toStrictEqual([]);
  });

  test("an action of a clock that nobody vouched for counts from when somebody does", () => {
    const tables = new MemoryTables();
    const unsure = makeAction("a1", NOW_MS - RESOLVED_ACTION_AGE_MS - 1);
    tables.put("action", "a1", { ...unsure, isDateUnsure: true });
    expect(expired(tables, null)).toStrictEqual([]);
    const put = { ...unsure, agesFromMs: NOW_MS };
    expect(expired(tables, NOW_MS)).toStrictEqual([{ table: "action", key: "a1", put }]);
    tables.put("action", "a1", put);
    expect(expired(tables, NOW_MS + RESOLVED_ACTION_AGE_MS)).toStrictEqual([]);
    expect(expired(tables, NOW_MS + RESOLVED_ACTION_AGE_MS + 1)).toHaveLength(1);
  });

  test("a key and a command of a clock that nobody vouched for count from when somebody does", () => {
    const tables = new MemoryTables();
    const key = { id: "k1", clientId: "c1", asked: "a", status: 200, contentType: "", body: "" };
    tables.put("idempotency", "k1", { ...key, createdAtMs: 60_000, isDateUnsure: true });
    const command = { id: "c1", expiresAtMs: NOW_MS, running: null };
    tables.put("cloud-command", "c1", { ...command, takenAtMs: 60_000, isDateUnsure: true });
    expect(expired(tables, null)).toStrictEqual([]);
    expect(expired(tables, NOW_MS)).toStrictEqual([
      { table: "idempotency", key: "k1", put: { ...key, createdAtMs: NOW_MS } },
      { table: "cloud-command", key: "c1", put: { ...command, takenAtMs: NOW_MS } },
    ]);
  });

  test("housekeeping removes them from memory and disk", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    await bench.commit(store, [{ table: "token", key: "t1", put: makeToken("t1", 1) }]);
    await bench.clock.advance(20 * 60_000);
    expect(store.all("token")).toStrictEqual([]);
    expect([...bench.disk.contents("critical").keys()].filter((key) => key.includes("token"))).toStrictEqual([]);
  });
});

describe("history that is too old", () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 24 * 60 * MINUTE_MS;

  /** A store that has been open for 20 minutes, with a sample that is 402 days old. */
  async function withOldSample() {
    const bench = makeMemoryBench();
    const { clock } = bench;
    const store = await bench.open();
    const remaining = async (): Promise<number> =>
      (await bench.drive(store.history("meter", 0, clock.nowMs() - DAY_MS))).length;
    await clock.advance(20 * MINUTE_MS);
    store.record(makeSample("meter", clock.nowMs() - 402 * DAY_MS));
    await clock.advance(20 * MINUTE_MS);
    return { ...bench, store, remaining };
  }

  test("goes when housekeeping is asked for, not every ten minutes", async () => {
    const { store, clock, remaining, drive: run } = await withOldSample();
    await clock.advance(60 * MINUTE_MS);
    expect(await remaining()).toBe(1);
    store.removeOldHistory();
    await clock.settle();
    await clock.advance(1_000);
    expect(await remaining()).toBe(0);
    await run(store[Symbol.asyncDispose]());
  });

  test("goes ten minutes after a start: the gateway may have been off at the time of its housekeeping", async () => {
    const { store, clock, open, drive: run } = await withOldSample();
    await run(store[Symbol.asyncDispose]());
    await using again = await open();
    await clock.advance(9 * MINUTE_MS);
    expect(await again.history("meter", 0, clock.nowMs() - DAY_MS)).toHaveLength(1);
    await clock.advance(2 * MINUTE_MS);
    expect(await again.history("meter", 0, clock.nowMs() - DAY_MS)).toHaveLength(0);
  });

  test("stays while the clock is not synced, and goes when it is", async () => {
    const { store, clock, remaining, drive: run } = await withOldSample();
    clock.setQuality("restored");
    store.removeOldHistory();
    await clock.advance(60 * MINUTE_MS);
    expect(await remaining()).toBe(1);
    clock.setQuality("synced");
    await clock.advance(10 * MINUTE_MS);
    expect(await remaining()).toBe(0);
    await run(store[Symbol.asyncDispose]());
  });
});

describe("the journal", () => {
  async function withEntries(count: number) {
    const clock = new VirtualClock();
    const disk = new MemoryDisk();
    const base = { disk, clock, log: new TestLog(), migrations: MIGRATIONS, onRecovered: () => undefined };
    const options = { ...base, random: new SeededRandom(1), secretKeys: [] };
    const critical = new Critical(options);
    await critical.start(async () => 0, new AbortController().signal);
    const events = Array.from({ length: count }, (_, index) => ({ event: `e${index}`, payload: null }));
    await drive(clock, critical.commit([], events));
    const kept = async (): Promise<readonly string[]> =>
      (await critical.journalAfter(null, 1_000)).map((entry) => entry.event);
    return { clock, critical, kept, disk };
  }

  test("the oldest entries go when there are too many, with some room for the next", async () => {
    const { clock, critical, kept } = await withEntries(100);
    await drive(clock, critical.pruneJournal({ count: 100, bytes: 1e9 }));
    expect(await kept()).toHaveLength(100);
    await drive(clock, critical.commit([], [{ event: "last", payload: null }]));
    await drive(clock, critical.pruneJournal({ count: 100, bytes: 1e9 }));
    const entries = await kept();
    expect(entries).toHaveLength(90);
    expect(entries[0]).toBe("e11");
    expect(entries.at(-1)).toBe("last");
  });

  test("the oldest entries go when they are too large together", async () => {
    const { clock, critical, kept } = await withEntries(100);
    await drive(clock, critical.pruneJournal({ count: 1_000, bytes: 2_500 }));
    const entries = await kept();
    expect(entries.length).toBeGreaterThan(20);
    expect(entries.length).toBeLessThan(60);
    expect(entries.at(-1)).toBe("e99");
  });

  test("positions go on after all entries were removed", async () => {
    const { clock, critical, kept } = await withEntries(10);
    await drive(clock, critical.pruneJournal({ count: 0, bytes: 1e9 }));
    expect(await kept()).toStrictEqual([]);
    await drive(clock, critical.commit([], [{ event: "next", payload: null }]));
    expect((await critical.journalAfter(null, 10)).map((entry) => entry.seq)).toStrictEqual([11]);
  });
});
