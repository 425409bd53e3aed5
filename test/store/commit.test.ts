import { describe, expect, test } from "vitest";
import { MAX_WAITING_COMMITS } from "../../src/store/commit-queue.ts";
import { makeClient, makeMemoryBench, putClient, shortEntries } from "./makers.ts";

describe("commits", () => {
  test("calls within 50 ms share one synced batch, in their order", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const before = bench.disk.batches;
    const order: string[] = [];
    const first = store.commit([putClient("c1", makeClient("old"))], [{ event: "one", payload: 1 }]);
    await bench.clock.advance(40);
    const second = store.commit([putClient("c1", makeClient("new"))], [{ event: "two", payload: 2 }]);
    const both = [first.then(() => order.push("first")), second.then(() => order.push("second"))];
    await bench.clock.advance(9);
    expect(order).toStrictEqual([]);
    await bench.clock.advance(1);
    await Promise.all(both);
    expect(order).toStrictEqual(["first", "second"]);
    expect(bench.disk.batches - before).toBe(1);
    expect(store.get("client", "c1")).toStrictEqual(makeClient("new"));
    expect(shortEntries(await store.journalAfter(null, 10))).toStrictEqual(["1/1 one", "1/2 two"]);
  });

  test("an urgent commit is written at once, with what waits already", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const before = bench.disk.batches;
    const waiting = store.commit([putClient("c1")], [{ event: "one", payload: 1 }]);
    const urgent = store.commit([putClient("c2")], [{ event: "two", payload: 2 }], "urgent");
    await bench.clock.advance(0);
    await Promise.all([waiting, urgent]);
    expect(bench.disk.batches - before).toBe(1);
    expect(shortEntries(await store.journalAfter(null, 10))).toStrictEqual(["1/1 one", "1/2 two"]);
  });

  test("an urgent commit that comes while the disk is busy is written as soon as it is free", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const before = bench.disk.batches;
    const first = store.commit([putClient("c1")], [], "urgent");
    const isSecondDone = first.then(() => store.commit([putClient("c2")], [], "urgent"));
    const third = first.then(() => store.commit([putClient("c3")], []));
    await bench.clock.advance(1);
    await Promise.all([isSecondDone, third]);
    expect(bench.disk.batches - before).toBe(2);
  });

  test("an acknowledged commit survives a power cut, one that waits does not", async () => {
    const bench = makeMemoryBench();
    const store = await bench.open();
    await bench.commit(store, [putClient("c1")], ["one"]);
    void store.commit([putClient("c2")], []).catch(() => undefined);
    bench.disk.crash();
    await using after = await bench.open();
    expect(after.all("client")).toStrictEqual([makeClient("c1")]);
    expect(shortEntries(await after.journalAfter(null, 10))).toStrictEqual(["1/1 one"]);
  });

  test("what the caller changes later is not stored", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const record = { ...makeClient("c1"), name: "before" };
    const committed = bench.commit(store, [putClient("c1", record)]);
    record.name = "after";
    await committed;
    expect(store.get("client", "c1")?.name).toBe("before");
  });

  test("entries of a deauthorized user are not journaled, those of others and of nobody are", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const user = { id: "u1", createdAtMs: 1 };
    const entries = [
      { event: "user:meter:updated", userId: "u1", payload: null },
      { event: "user:meter:updated", userId: "u2", payload: null },
      { event: "system:store:recovered", payload: null },
    ];
    await bench.drive(store.commit([{ table: "user", key: "u1", put: { ...user, isDeauthorized: true } }], entries));
    await bench.drive(store.commit([], entries));
    expect(shortEntries(await store.journalAfter(null, 10))).toStrictEqual([
      "1/1 user:meter:updated",
      "1/2 user:meter:updated",
      "1/3 system:store:recovered",
      "1/4 user:meter:updated",
      "1/5 system:store:recovered",
    ]);
  });

  test("a commit that cannot be stored fails alone", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const good = store.commit([putClient("c1")], []);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(() => store.commit([], [{ event: "bad", payload: circular }])).toThrow(TypeError);
    await bench.drive(good);
    expect(store.get("client", "c1")).toStrictEqual(makeClient("c1"));
  });

  test("more commits than the queue holds are refused at once, the others are kept", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    const kept = Array.from({ length: MAX_WAITING_COMMITS }, (_, index) => store.commit([putClient(`c${index}`)], []));
    await expect(store.commit([putClient("late")], [])).rejects.toMatchObject({ kind: "refused" });
    await bench.drive(Promise.all(kept));
    expect(store.all("client").length).toBe(MAX_WAITING_COMMITS);
    await bench.commit(store, [putClient("later")]);
    expect(store.get("client", "later")).not.toBeNull();
  });
});

describe("a disk that refuses", () => {
  test("a failed write rejects its commits, and none of it is kept", async () => {
    for (const fault of ["lost", "kept"] as const) {
      const bench = makeMemoryBench();
      const store = await bench.open();
      await bench.commit(store, [putClient("c1")], ["one"]);
      bench.disk.failWrites(fault);
      const commits = [
        store.commit([putClient("c1", makeClient("changed")), putClient("c2")], [{ event: "two", payload: null }]),
        store.commit([{ table: "client", key: "c1", remove: true }], []),
      ];
      const results = await bench.drive(Promise.allSettled(commits));
      expect(results.map((result) => result.status)).toStrictEqual(["rejected", "rejected"]);
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
      await bench.commit(store, [putClient("c3")], ["three"]);
      bench.disk.crash();
      await using after = await bench.open();
      expect(
        after
          .all("client")
          .map((client) => client.id)
          .toSorted(),
      ).toStrictEqual(["c1", "c3"]);
      expect(shortEntries(await after.journalAfter(null, 10))).toStrictEqual(["1/1 one", "1/2 three"]);
    }
  });

  test("while it refuses to open the store says so, and takes writes again when it gives way", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    bench.disk.failWrites("lost");
    bench.disk.failOpens(3);
    await expect(bench.commit(store, [putClient("c1")])).rejects.toMatchObject({ kind: "refused" });
    expect(store.isWritable).toBe(false);
    const startMs = bench.clock.monotonicMs();
    await expect(bench.commit(store, [putClient("c2")])).rejects.toMatchObject({ kind: "refused" });
    expect(bench.clock.monotonicMs() - startMs).toBeLessThan(100);
    await bench.clock.advance(10_000);
    expect(store.isWritable).toBe(true);
    await bench.commit(store, [putClient("c3")]);
    expect(store.all("client")).toStrictEqual([makeClient("c3")]);
  });

  test("it is asked again every three seconds for as long as it takes", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    bench.disk.failWrites("lost");
    bench.disk.failOpens(1_000);
    await expect(bench.commit(store, [putClient("c1")])).rejects.toMatchObject({ kind: "refused" });
    const opens = bench.disk.opens;
    await bench.clock.advance(300_000);
    expect(bench.disk.opens - opens).toBeGreaterThan(95);
    expect(bench.disk.opens - opens).toBeLessThan(110);
    await bench.clock.advance(3_600_000);
    expect(store.isWritable).toBe(true);
  });

  test("a database found damaged while running is moved aside and made again from memory", async () => {
    const bench = makeMemoryBench();
    const store = await bench.open();
    await bench.commit(store, [putClient("c1")], ["one"]);
    bench.disk.failWrites("lost");
    bench.disk.damage("critical");
    await expect(bench.commit(store, [putClient("c2")])).rejects.toMatchObject({ kind: "refused" });
    expect(store.recovered).toHaveLength(1);
    await bench.commit(store, [putClient("c3")], ["three"]);
    bench.disk.crash();
    await using after = await bench.open();
    expect(after.epoch).toBe(store.epoch + 1);
    expect(after.all("client").map((client) => client.id)).toStrictEqual(["c1", "c3"]);
    expect(shortEntries(await after.journalAfter(null, 10))).toStrictEqual(["1/2 system:store:recovered", "1/3 three"]);
  });

  test("the gateway does not start without a critical database", async () => {
    const bench = makeMemoryBench();
    bench.disk.failOpens(100);
    await expect(bench.open()).rejects.toMatchObject({ name: "StorageError", kind: "refused" });
  });

  test("a disk that is slow to come up is waited for", async () => {
    const bench = makeMemoryBench();
    bench.disk.failOpens(3);
    await using store = await bench.open();
    expect(store.isWritable).toBe(true);
  });
});
