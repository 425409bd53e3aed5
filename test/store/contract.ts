/** What every store keeps, on every disk. */
import { describe, expect, test } from "vitest";
import type { Disk } from "../../src/platform/ports/ports.ts";
import { type Bench, makeAction, makeBench, makeClient, makeSample, putClient, shortEntries } from "./makers.ts";

/** `withDisk` gives each test a disk of its own and takes it away afterwards. */
export function describeStore(name: string, withDisk: (work: (disk: Disk) => Promise<void>) => Promise<void>): void {
  const rule = (rule: string, work: (bench: Bench) => Promise<void>): void => {
    test(rule, () => withDisk((disk) => work(makeBench(disk))));
  };

  describe(`a store on ${name}`, () => {
    rule("a commit is there when its promise resolves, and not before", async (bench) => {
      await using store = await bench.open();
      const committed = store.commit([putClient("c1")], []);
      expect(store.get("client", "c1")).toBeNull();
      await bench.drive(committed);
      expect(store.get("client", "c1")).toStrictEqual(makeClient("c1"));
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
    });

    rule("records, journal and history survive a restart", async (bench) => {
      const first = await bench.open();
      await bench.commit(
        first,
        [putClient("c1"), { table: "action", key: "a1", put: makeAction("a1", null) }],
        ["one"],
      );
      await bench.commit(first, [{ table: "client", key: "c1", remove: true }, putClient("c2")], ["two"]);
      first.record(makeSample("meter", 1_000, -12.5));
      await bench.drive(first[Symbol.asyncDispose]());
      await using second = await bench.open();
      expect(second.all("client")).toStrictEqual([makeClient("c2")]);
      expect(second.get("action", "a1")).toStrictEqual(makeAction("a1", null));
      expect(shortEntries(await second.journalAfter(null, 10))).toStrictEqual(["1/1 one", "1/2 two"]);
      expect(await second.history("meter", 0, 2_000)).toStrictEqual([makeSample("meter", 1_000, -12.5)]);
      expect(second.recovered).toStrictEqual([]);
    });

    rule("the epoch grows with every start, and positions never repeat", async (bench) => {
      const epochs: number[] = [];
      for (const event of ["one", "two", "three"]) {
        const store = await bench.open();
        await bench.commit(store, [], [event]);
        epochs.push(store.epoch);
        await bench.drive(store[Symbol.asyncDispose]());
      }
      await using store = await bench.open();
      expect(epochs).toStrictEqual([1, 2, 3]);
      expect(store.epoch).toBe(4);
      expect(shortEntries(await store.journalAfter(null, 10))).toStrictEqual(["1/1 one", "2/1 two", "3/1 three"]);
    });

    rule("the journal is read after a position, oldest first, at most as many as asked for", async (bench) => {
      await using store = await bench.open();
      await bench.commit(store, [], ["one", "two", "three", "four"]);
      expect(shortEntries(await store.journalAfter({ epoch: 1, seq: 1 }, 2))).toStrictEqual(["1/2 two", "1/3 three"]);
      expect(await store.journalAfter({ epoch: 1, seq: 4 }, 2)).toStrictEqual([]);
      expect(await store.journalAfter({ epoch: 7, seq: 0 }, 2)).toStrictEqual([]);
      expect(await store.journalAfter(null, 1)).toStrictEqual([
        { epoch: 1, seq: 1, atMs: expect.any(Number), event: "one", payload: { event: "one" } },
      ]);
    });

    rule("a record's key may be any text", async (bench) => {
      const keys = ["", "!", "a!b", "ä🔌", "\u0000", "~", "client!c1"];
      const first = await bench.open();
      await bench.commit(
        first,
        keys.map((key) => putClient(key, makeClient("same"))),
      );
      await bench.drive(first[Symbol.asyncDispose]());
      await using store = await bench.open();
      for (const key of keys) expect(store.get("client", key)).toStrictEqual(makeClient("same"));
      expect(store.all("client").length).toBe(keys.length);
    });

    rule("history holds a sample once: from memory, while it is written, and from disk", async (bench) => {
      await using store = await bench.open();
      const startMs = Math.ceil(bench.clock.nowMs() / 60_000) * 60_000;
      const samples = Array.from({ length: 30 }, (_, index) => makeSample("meter", startMs + index * 5_000, index));
      const seen: number[] = [];
      for (const sample of samples) {
        await bench.clock.advance(Math.max(0, sample.atMs - bench.clock.nowMs()));
        store.record(sample);
        seen.push((await bench.drive(store.history("meter", startMs, startMs + 600_000))).length);
      }
      expect(seen).toStrictEqual(samples.map((_, index) => index + 1));
      expect(await bench.drive(store.history("meter", startMs, startMs + 600_000))).toStrictEqual(samples);
    });

    rule("history answers a half-open range of one device", async (bench) => {
      const first = await bench.open();
      for (const atMs of [0, 59_999, 60_000, 119_999, 120_000, 86_400_000]) first.record(makeSample("meter", atMs));
      first.record(makeSample("meter-2", 60_000));
      await bench.drive(first[Symbol.asyncDispose]());
      await using store = await bench.open();
      const instants = async (fromMs: number, toMs: number): Promise<readonly number[]> =>
        (await store.history("meter", fromMs, toMs)).map((sample) => sample.atMs);
      expect(await instants(59_999, 120_000)).toStrictEqual([59_999, 60_000, 119_999]);
      expect(await instants(60_000, 60_000)).toStrictEqual([]);
      expect(await instants(0, Number.POSITIVE_INFINITY)).toStrictEqual([
        0, 59_999, 60_000, 119_999, 120_000, 86_400_000,
      ]);
      expect(await store.history("unknown", 0, 200_000)).toStrictEqual([]);
    });

    rule("two starts within one minute both keep their samples", async (bench) => {
      for (const atMs of [1_000, 2_000]) {
        const store = await bench.open();
        store.record(makeSample("meter", atMs));
        await bench.drive(store[Symbol.asyncDispose]());
      }
      await using store = await bench.open();
      expect((await store.history("meter", 0, 60_000)).map((sample) => sample.atMs)).toStrictEqual([1_000, 2_000]);
    });

    rule("a second store on the same folder is refused, and nothing is moved", async (bench) => {
      await using store = await bench.open();
      await bench.commit(store, [putClient("c1")]);
      await expect(bench.open()).rejects.toMatchObject({ name: "StorageError", kind: "locked" });
      await bench.commit(store, [putClient("c2")]);
      expect(store.all("client").length).toBe(2);
    });

    rule("after close nothing is taken, and closing again does nothing", async (bench) => {
      const store = await bench.open();
      await bench.drive(store[Symbol.asyncDispose]());
      await bench.drive(store[Symbol.asyncDispose]());
      await expect(bench.commit(store, [putClient("c1")])).rejects.toMatchObject({ kind: "refused" });
      await expect(store.journalAfter(null, 1)).rejects.toMatchObject({ kind: "refused" });
    });

    rule("closing writes the commits that wait", async (bench) => {
      const first = await bench.open();
      const committed = first.commit([putClient("c1")], []);
      await bench.drive(first[Symbol.asyncDispose]());
      await committed;
      await using second = await bench.open();
      expect(second.get("client", "c1")).toStrictEqual(makeClient("c1"));
    });
  });
}
