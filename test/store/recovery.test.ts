import { describe, expect, test } from "vitest";
import { recordKey, SCHEMA_KEY } from "../../src/store/keys.ts";
import { MIGRATIONS, type Migration } from "../../src/store/migrations.ts";
import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { type Bench, makeClient, makeMemoryBench, makeSample, putClient, shortEntries } from "./makers.ts";

/** A store with three clients, a journal entry and a sample, closed; its second copy is gone. */
async function filled(): Promise<Bench & { readonly disk: MemoryDisk }> {
  const bench = makeMemoryBench();
  const store = await bench.open();
  await bench.commit(store, [putClient("c1"), putClient("c2"), putClient("c3")], ["one"]);
  store.record(makeSample("meter", 1_000));
  await bench.drive(store[Symbol.asyncDispose]());
  bench.disk.copy.content = null;
  return bench;
}

function flipBit(disk: MemoryDisk, name: "critical" | "telemetry", key: string): void {
  const value = disk.contents(name).get(key)!;
  const changed = Uint8Array.from(value);
  changed[changed.length - 1]! ^= 1;
  disk.contents(name).set(key, changed);
}

describe("damage", () => {
  test("one damaged record is put aside with its bytes, all others stay", async () => {
    const bench = await filled();
    const key = recordKey("client", "c2");
    flipBit(bench.disk, "critical", key);
    const bytes = bench.disk.contents("critical").get(key)!;
    await using store = await bench.open();
    expect(store.all("client").map((client) => client.id)).toStrictEqual(["c1", "c3"]);
    expect(store.recovered).toStrictEqual([expect.stringContaining("record!client!c2")]);
    expect(Uint8Array.from(bench.disk.contents("critical").get(`damaged!${key}`)!)).toStrictEqual(bytes);
    expect(bench.disk.contents("critical").has(key)).toBe(false);
    expect(shortEntries(await store.journalAfter(null, 10))).toStrictEqual(["1/1 one", "2/1 system:store:recovered"]);
    expect(bench.log.texts("warn")).toContain("stored data was damaged; the original is kept");
  });

  test("a record written to another's place is found", async () => {
    const bench = await filled();
    const contents = bench.disk.contents("critical");
    contents.set(recordKey("client", "c2"), contents.get(recordKey("client", "c1"))!);
    await using store = await bench.open();
    expect(store.get("client", "c2")).toBeNull();
    expect(store.recovered).toHaveLength(1);
  });

  test("a damaged record is told of once", async () => {
    const bench = await filled();
    flipBit(bench.disk, "critical", recordKey("client", "c2"));
    const first = await bench.open();
    await bench.drive(first[Symbol.asyncDispose]());
    await using second = await bench.open();
    expect(first.recovered).toHaveLength(1);
    expect(second.recovered).toStrictEqual([]);
  });

  test("a critical database that does not open is moved aside, and the epoch still grows", async () => {
    const bench = await filled();
    bench.disk.damage("critical");
    await using store = await bench.open();
    expect(store.all("client")).toStrictEqual([]);
    expect(store.epoch).toBeGreaterThan(1);
    expect(store.recovered).toStrictEqual([expect.stringContaining("moved to memory:critical.damaged-1")]);
    expect((await store.journalAfter(null, 10)).map((entry) => entry.event)).toStrictEqual(["system:store:recovered"]);
    expect(await store.history("meter", 0, 2_000)).toHaveLength(1);
    await bench.commit(store, [putClient("c9")]);
  });

  test("the epoch grows past a lost database's even when the clock was never set", async () => {
    const bench = await filled();
    bench.clock.setWallMs(0);
    bench.disk.damage("critical");
    await using store = await bench.open();
    expect(store.epoch).toBe(2);
  });

  test("damaged telemetry stops nothing", async () => {
    const bench = await filled();
    bench.disk.damage("telemetry");
    await using store = await bench.open();
    expect(store.recovered).toStrictEqual([expect.stringContaining("telemetry database")]);
    expect(store.all("client")).toHaveLength(3);
    expect(await store.history("meter", 0, 2_000)).toStrictEqual([]);
    expect((await store.journalAfter(null, 10)).map((entry) => entry.event)).toContain("system:store:recovered");
  });

  test("telemetry that refuses to open does not delay the start, and is written when it opens", async () => {
    const bench = await filled();
    bench.disk.failOpens(1);
    const startMs = bench.clock.monotonicMs();
    const store = await bench.open();
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(100);
    store.record(makeSample("meter", 1_500));
    await bench.clock.advance(120_000);
    await bench.drive(store[Symbol.asyncDispose]());
    await using after = await bench.open();
    expect(await after.history("meter", 0, 2_000)).toHaveLength(2);
  });

  test("a damaged telemetry block is left out, the others are read", async () => {
    const bench = makeMemoryBench();
    const first = await bench.open();
    for (const atMs of [1_000, 301_000]) first.record(makeSample("meter", atMs));
    await bench.drive(first[Symbol.asyncDispose]());
    const [key] = [...bench.disk.contents("telemetry").keys()].filter((name) => name.startsWith("b"));
    flipBit(bench.disk, "telemetry", key!);
    await using store = await bench.open();
    expect(await store.history("meter", 0, 600_000)).toHaveLength(1);
    expect(bench.log.texts("warn")).toContain("telemetry block is damaged; leaving it out");
  });

  test("a damaged journal entry is left out and said, the others are read", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    await bench.commit(store, [], ["one", "two", "three"]);
    await bench.drive(store[Symbol.asyncDispose]());
    const key = [...bench.disk.contents("critical").keys()].find(
      (name) => name.startsWith("journal!") && name.endsWith("2"),
    );
    flipBit(bench.disk, "critical", key!);
    await using after = await bench.open();
    expect(shortEntries(await after.journalAfter(null, 10))).toStrictEqual(["1/1 one", "1/3 three"]);
    expect(bench.log.texts("error")).toContain("journal entries are damaged; leaving them out");
  });
});

describe("layouts", () => {
  const renameClients: Migration = (rows) =>
    rows
      .filter((row) => row.key !== "c3")
      .map((row) => ({ ...row, key: `new-${row.key}`, record: { ...makeClient(row.key), name: "renamed" } }));

  test("an older database is brought up in one batch", async () => {
    const bench = await filled();
    await using store = await bench.open([...MIGRATIONS, renameClients]);
    expect(store.get("client", "new-c1")?.name).toBe("renamed");
    expect(store.all("client")).toHaveLength(2);
    const keys = [...bench.disk.contents("critical").keys()].filter((key) => key.startsWith("record!"));
    expect(keys).toStrictEqual(["record!client!new-c1", "record!client!new-c2"]);
  });

  test("steps run once, in order", async () => {
    const bench = await filled();
    const steps = [...MIGRATIONS, renameClients, renameClients];
    const first = await bench.open(steps);
    await bench.drive(first[Symbol.asyncDispose]());
    await using store = await bench.open(steps);
    expect(store.all("client").map((client) => client.id)).toStrictEqual(["new-c1", "new-c2"]);
    expect(store.get("client", "new-new-c1")).not.toBeNull();
  });

  test("a cut during the bringing up leaves the old layout, and the next start does it", async () => {
    const bench = await filled();
    bench.disk.failWrites("lost", "lost", "lost", "lost", "lost", "lost");
    await expect(bench.open([...MIGRATIONS, renameClients])).rejects.toMatchObject({ kind: "refused" });
    await using store = await bench.open([...MIGRATIONS, renameClients]);
    expect(store.all("client")).toHaveLength(2);
  });

  test("a database of a later version is refused and left as it is", async () => {
    const bench = await filled();
    const later = await bench.open([...MIGRATIONS, renameClients]);
    await bench.drive(later[Symbol.asyncDispose]());
    const before = new Map(bench.disk.contents("critical"));
    await expect(bench.open()).rejects.toMatchObject({ name: "StorageError", kind: "newer" });
    expect(bench.disk.contents("critical")).toStrictEqual(before);
  });

  test("a damaged version number is taken as this version's, and said", async () => {
    const bench = await filled();
    flipBit(bench.disk, "critical", SCHEMA_KEY);
    await using store = await bench.open();
    expect(store.all("client")).toHaveLength(3);
    expect(store.recovered).toStrictEqual([expect.stringContaining(SCHEMA_KEY)]);
  });
});
