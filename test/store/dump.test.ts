import { describe, expect, test } from "vitest";
import type { DumpedRecord, StoreDump } from "../../src/store/dump.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { makeBench, makeMemoryBench, makeSample, putClient } from "./makers.ts";

async function recordsOf(dump: StoreDump): Promise<readonly DumpedRecord[]> {
  const records: DumpedRecord[] = [];
  for await (const page of dump.pages()) records.push(...page);
  return records;
}

describe("a dump of the store", () => {
  test("opens elsewhere as the same store, with what waited in memory", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    await bench.commit(store, [putClient("c1")], ["one"]);
    const atMs = bench.clock.nowMs();
    store.commitAlong([putClient("along")]);
    store.record(makeSample("meter", atMs, 230));
    await using dump = await bench.drive(store.dump());
    // Years of telemetry have many pages.
    await bench.commit(
      store,
      Array.from({ length: 600 }, (_, index) => putClient(`later-${index}`)),
    );

    const copy = new MemoryDisk();
    for (const { database, key, value } of await recordsOf(dump)) copy.contents(database).set(key, value);
    await using other = await makeBench(copy).open();
    expect(other.recovered).toEqual([]);
    expect(other.all("client").map(({ id }) => id)).toEqual(["c1", "along"].toSorted());
    expect((await other.history("meter", atMs, atMs + 1))[0]?.values).toEqual([{ point: "meter.power", value: 230 }]);
    expect((await other.journalAfter(null, 10)).map(({ event }) => event)).toEqual(["one"]);
  });

  test("has no write that came after it, however many there are while it is read", async () => {
    const bench = makeMemoryBench();
    await using store = await bench.open();
    await bench.commit(
      store,
      Array.from({ length: 600 }, (_, index) => putClient(`before-${index}`)),
    );
    await using dump = await bench.drive(store.dump());
    const seen: string[] = [];
    for await (const page of dump.pages()) {
      seen.push(...page.map(({ key }) => key));
      await bench.commit(store, [
        ...Array.from({ length: 50 }, (_, index) => putClient(`z-${seen.length}-${index}`)),
        { table: "client", key: "before-599", remove: true },
      ]);
    }
    expect(seen.filter((key) => key.includes("!z-"))).toEqual([]);
    expect(seen.filter((key) => key.startsWith("record!client!"))).toHaveLength(600);
  });
});
