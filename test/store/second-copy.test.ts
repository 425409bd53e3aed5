import { describe, expect, test } from "vitest";
import { recordKey } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/store.ts";
import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { type Bench, makeClient, makeMemoryBench, putClient } from "./makers.ts";

const CHANGES = "meta!changes";

type Box = Bench & { readonly disk: MemoryDisk };

/** A store with three clients, closed. */
async function filled(): Promise<Box> {
  const bench = makeMemoryBench();
  const store = await bench.open();
  await bench.commit(store, [putClient("c1"), putClient("c2"), putClient("c3")]);
  await bench.drive(store[Symbol.asyncDispose]());
  return bench;
}

function damage(disk: MemoryDisk, key: string): void {
  const changed = Uint8Array.from(disk.contents("critical").get(key)!);
  changed[changed.length - 1]! ^= 1;
  disk.contents("critical").set(key, changed);
}

function snapshot(disk: MemoryDisk): ReadonlyMap<string, Uint8Array> {
  return new Map(disk.contents("critical"));
}

function putBack(disk: MemoryDisk, contents: ReadonlyMap<string, Uint8Array>): void {
  disk.contents("critical").clear();
  for (const [key, value] of contents) disk.contents("critical").set(key, value);
}

function clients(store: Store): readonly string[] {
  return store
    .all("client")
    .map(({ id }) => id)
    .toSorted();
}

describe("the second copy", () => {
  test("gives all that it holds back when the critical database is gone", async () => {
    const bench = await filled();
    putBack(bench.disk, new Map());
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
    expect(store.get("client", "c2")).toStrictEqual(makeClient("c2"));
    expect(store.recovered).toStrictEqual([
      expect.stringMatching(/3 records restored from the second copy of .*client c1/),
    ]);
    expect(store.epoch).toBeGreaterThan(1);
  });

  test("gives all that it holds back when the critical database does not open", async () => {
    const bench = await filled();
    bench.disk.damage("critical");
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
    expect(store.recovered).toStrictEqual([
      expect.stringContaining("moved to memory:critical.damaged-1"),
      expect.stringContaining("3 records restored"),
    ]);
  });

  test("gives a damaged record back, and nothing else", async () => {
    const bench = await filled();
    damage(bench.disk, recordKey("client", "c2"));
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
    expect(store.recovered).toStrictEqual([
      expect.stringMatching(/1 records restored .*: client c2$/),
      expect.stringContaining("record!client!c2"),
    ]);
  });

  test("gives back what a database lost that ends before it, and the database opens as if nothing was", async () => {
    const bench = makeMemoryBench();
    const first = await bench.open();
    await bench.commit(first, [putClient("c1"), putClient("c2")]);
    const earlier = snapshot(bench.disk);
    await bench.commit(first, [putClient("c3"), { table: "client", key: "c1", remove: true }]);
    await bench.drive(first[Symbol.asyncDispose]());
    putBack(bench.disk, earlier);
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c2", "c3"]);
    expect(store.recovered).toStrictEqual([expect.stringContaining("1 records restored")]);
  });

  test("a client that was deleted does not come back, even when the power is cut right after its deletion", async () => {
    const bench = await filled();
    const store = await bench.open();
    await bench.commit(store, [{ table: "client", key: "c2", remove: true }]);
    bench.disk.crash();
    putBack(bench.disk, new Map());
    await using after = await bench.open();
    expect(clients(after)).toStrictEqual(["c1", "c3"]);
  });

  test("an older copy overwrites no newer record, and removes none", async () => {
    const bench = await filled();
    const store = await bench.open();
    bench.disk.copy.isUnwritable = true;
    const renamed = { ...makeClient("c1"), name: "renamed" };
    await bench.commit(store, [{ table: "client", key: "c1", put: renamed }, putClient("c4")]);
    await bench.commit(store, [{ table: "client", key: "c2", remove: true }]);
    bench.disk.crash();
    bench.disk.copy.isUnwritable = false;
    damage(bench.disk, recordKey("client", "c3"));
    await using after = await bench.open();
    expect(clients(after)).toStrictEqual(["c1", "c3", "c4"]);
    expect(after.get("client", "c1")?.name).toBe("renamed");
  });

  test("a database whose count of changes is damaged keeps its records", async () => {
    const bench = await filled();
    const store = await bench.open();
    bench.disk.copy.isUnwritable = true;
    await bench.commit(store, [putClient("c4")]);
    bench.disk.crash();
    damage(bench.disk, CHANGES);
    bench.disk.copy.isUnwritable = false;
    await using after = await bench.open();
    expect(clients(after)).toStrictEqual(["c1", "c2", "c3", "c4"]);
    expect(after.recovered).toStrictEqual([]);
  });

  test("is written within seconds of a change, once for several, and not for records that change all the time", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const atStart = bench.disk.copy.writes;
    await bench.commit(store, [putClient("c1")]);
    await bench.commit(store, [putClient("c2")]);
    expect(bench.disk.copy.writes).toBe(atStart);
    await bench.clock.advance(2_000);
    expect(bench.disk.copy.writes).toBe(atStart + 1);
    for (let minute = 0; minute < 60; minute++) {
      const put = { hash: "t", clientId: "c1", expiresAtMs: minute };
      await bench.commit(store, [{ table: "token", key: "t", put }]);
      await bench.clock.advance(60_000);
    }
    expect(bench.disk.copy.writes).toBe(atStart + 1);
  });

  test("costs at most one write in a quarter of an hour for what also changes by itself", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const atStart = bench.disk.copy.writes;
    for (let minute = 0; minute < 120; minute++) {
      const put = { adapter: "a", account: "x", name: "budget", text: String(minute) };
      await bench.commit(store, [{ table: "account-note", key: "a/x/budget", put }]);
      await bench.clock.advance(60_000);
    }
    expect(bench.disk.copy.writes - atStart).toBeLessThanOrEqual(8);
    expect(bench.disk.copy.writes - atStart).toBeGreaterThanOrEqual(7);
  });

  test("that is damaged is said, kept and written again while the database is whole", async () => {
    const bench = await filled();
    const content = bench.disk.copy.content!;
    content[content.length >> 1]! ^= 1;
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
    expect(store.recovered).toStrictEqual([expect.stringContaining("moved to memory:copy.damaged-1")]);
    expect(bench.disk.copy.content).not.toBeNull();
  });

  test("that is damaged gives the records that are not", async () => {
    const bench = await filled();
    const lines = Buffer.from(bench.disk.copy.content!).toString().split("\n");
    const index = lines.findIndex((line) => line.includes("client!c2"));
    lines[index] = lines[index]!.replace(/.{8}"\]$/, 'AAAAAAAA"]');
    bench.disk.copy.content = Buffer.from(lines.join("\n"));
    putBack(bench.disk, new Map());
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c3"]);
  });

  test("that cannot be read is said and stops nothing while the database is whole", async () => {
    const bench = await filled();
    bench.disk.copy.isUnreadable = true;
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
    expect(store.recovered).toStrictEqual([expect.stringContaining("cannot be read")]);
  });

  test("that cannot be read refuses the start when the database is gone, and the next start has everything", async () => {
    const bench = await filled();
    putBack(bench.disk, new Map());
    bench.disk.copy.isUnreadable = true;
    await expect(bench.open()).rejects.toMatchObject({ name: "StorageError", kind: "refused" });
    bench.disk.copy.isUnreadable = false;
    await using store = await bench.open();
    expect(clients(store)).toStrictEqual(["c1", "c2", "c3"]);
  });

  test("that cannot be written is said once, keeps nothing from being committed, and follows later", async () => {
    const bench = await filled();
    const store = await bench.open();
    bench.disk.copy.isUnwritable = true;
    await bench.commit(store, [putClient("c4")]);
    await bench.clock.advance(300_000);
    expect(store.isCopyFailing).toBe(true);
    expect(bench.log.texts("error")).toStrictEqual([
      expect.stringContaining("cannot write the second copy of the settings"),
    ]);
    bench.disk.copy.isUnwritable = false;
    await bench.clock.advance(60_000);
    expect(store.isCopyFailing).toBe(false);
    bench.disk.crash();
    putBack(bench.disk, new Map());
    await using after = await bench.open();
    expect(clients(after)).toStrictEqual(["c1", "c2", "c3", "c4"]);
  });

  test("a new gateway begins without a copy and loses nothing", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    expect(store.recovered).toStrictEqual([]);
    expect(store.all("loss")).toStrictEqual([]);
  });

  test("a loss is kept over restarts and over the loss of the database", async () => {
    const bench = await filled();
    damage(bench.disk, recordKey("client", "c2"));
    const store = await bench.open();
    const [loss] = store.all("loss");
    expect(loss).toMatchObject({ state: "OPEN", details: store.recovered });
    await bench.drive(store[Symbol.asyncDispose]());
    putBack(bench.disk, new Map());
    await using after = await bench.open();
    expect(after.all("loss")).toHaveLength(2);
    expect(after.get("loss", loss!.id)).toStrictEqual(loss);
  });
});
