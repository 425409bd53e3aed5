import { describe, expect, test } from "vitest";
import { makeClient, makeMemoryBench, putClient } from "./makers.ts";

const HOUR = 3_600_000;

function named(name: string) {
  return putClient("c1", { ...makeClient("c1"), name });
}

describe("writes that go along", () => {
  test("go to disk with the next commit, and cost no batch of their own", async () => {
    const bench = makeMemoryBench();
    const store = await bench.open();
    const before = bench.disk.batches;
    store.commitAlong([named("along")]);
    await bench.clock.advance(10_000);
    expect(bench.disk.batches).toBe(before);
    expect(store.get("client", "c1")).toBeNull();
    await bench.commit(store, [putClient("c2")]);
    expect(bench.disk.batches).toBe(before + 1);
    bench.disk.crash();
    await using after = await bench.open();
    expect(after.get("client", "c1")?.name).toBe("along");
  });

  test("are lost in a power cut before that", async () => {
    const bench = makeMemoryBench();
    const store = await bench.open();
    store.commitAlong([named("along")]);
    bench.disk.crash();
    await using after = await bench.open();
    expect(after.get("client", "c1")).toBeNull();
  });

  test("are on disk after an hour, and after an orderly close", async () => {
    const bench = makeMemoryBench();
    const store = await bench.open();
    store.commitAlong([named("hour")]);
    await bench.clock.advance(HOUR + 1_000);
    expect(store.get("client", "c1")?.name).toBe("hour");
    store.commitAlong([named("close")]);
    await bench.drive(store[Symbol.asyncDispose]());
    await using after = await bench.open();
    expect(after.get("client", "c1")?.name).toBe("close");
  });

  test("give way to later ones of the same record, and to a commit of it", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    store.commitAlong([named("one")]);
    store.commitAlong([named("two")]);
    await bench.commit(store, [putClient("c2")]);
    expect(store.get("client", "c1")?.name).toBe("two");
    store.commitAlong([named("three")]);
    await bench.commit(store, [named("committed")]);
    expect(store.get("client", "c1")?.name).toBe("committed");
    await bench.commit(store, [putClient("c2")]);
    expect(store.get("client", "c1")?.name).toBe("committed");
  });

  test("wait for the next commit when the disk refuses one", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    store.commitAlong([named("along")]);
    bench.disk.failWrites("lost");
    await expect(bench.commit(store, [putClient("c2")])).rejects.toMatchObject({ kind: "refused" });
    await bench.clock.advance(60_000);
    await bench.commit(store, [putClient("c3")]);
    expect(store.get("client", "c1")?.name).toBe("along");
    expect(store.get("client", "c2")).toBeNull();
  });
});

describe("who watches the journal", () => {
  test("is told after it grew, not of commits without entries, and not after leaving", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const seen: unknown[] = [];
    const watch = store.watchJournal(() => seen.push(store.journalEnd));
    await bench.commit(store, [putClient("c1")]);
    expect(seen).toEqual([]);
    await bench.commit(store, [], ["one", "two"]);
    expect(seen).toEqual([{ epoch: 1, seq: 2 }]);
    watch[Symbol.dispose]();
    await bench.commit(store, [], ["three"]);
    expect(seen).toHaveLength(1);
    expect(store.journalEnd).toEqual({ epoch: 1, seq: 3 });
  });
});
