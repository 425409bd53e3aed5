import { describe, expect, test } from "vitest";
import type { Database } from "../../src/platform/ports/ports.ts";
import { seal } from "../../src/store/envelope.ts";
import { encodeEntry, readJournal, sealEntry } from "../../src/store/journal.ts";
import { journalKey } from "../../src/store/keys.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { makeMemoryBench } from "./makers.ts";

const PLACE = { epoch: 3, seq: 7 };
const NEXT = { epoch: 3, seq: 8 };
const ENTRY = {
  event: "user:meter:updated",
  payload: { meter: { id: "8f4c", energyState: { power: -0.0672 }, name: "Zähler – Küche" }, updatedFields: [] },
};

async function withEntries(entries: readonly { readonly key: string; readonly value: Uint8Array }[]) {
  const database: Database = await new MemoryDisk().open("critical");
  const puts = entries.map(({ key, value }) => ({ type: "put" as const, key, value }));
  await database.batch(puts, { keyEncoding: "utf8", valueEncoding: "view" });
  return await readJournal(database, { from: null, upTo: { epoch: 9, seq: 0 }, limit: 10 });
}

describe("an entry of the journal", () => {
  test("comes back as it was, and takes less room than its JSON", async () => {
    const json = encodeEntry(ENTRY, new VirtualClock({ startMs: 1_782_000_000_000 }));
    const sealed = sealEntry(PLACE, json);
    expect(sealed.value.length).toBeLessThan(json.length / 2);
    expect(await withEntries([sealed])).toEqual({
      entries: [{ ...PLACE, atMs: 1_782_000_000_000, ...ENTRY }],
      damaged: [],
    });
  });

  test("that was written before entries were packed is read", async () => {
    const key = journalKey(PLACE);
    const value = seal(key, PLACE, Buffer.from(encodeEntry(ENTRY, new VirtualClock({ startMs: 5 })), "utf8"));
    expect((await withEntries([{ key, value }])).entries).toEqual([{ ...PLACE, atMs: 5, ...ENTRY }]);
  });

  test("that cannot be unpacked is named, and loses no other", async () => {
    const key = journalKey(PLACE);
    const broken = { key, value: seal(key, PLACE, Uint8Array.of(0xff, 0x00, 0xff), "packed") };
    const { entries, damaged } = await withEntries([
      broken,
      sealEntry(NEXT, encodeEntry(ENTRY, new VirtualClock({ startMs: 5 }))),
    ]);
    expect(damaged).toEqual([key]);
    expect(entries).toEqual([{ ...NEXT, atMs: 5, ...ENTRY }]);
  });

  test("of before the clock was set has its true date once it is, and the same one each time", async () => {
    const bench = makeMemoryBench();
    const { clock } = bench;
    const nowMs = clock.nowMs();
    clock.setQuality("unset");
    clock.setWallMs(0);
    await using store = await bench.open();
    await bench.commit(store, [], ["early"]);
    const read = async () => (await store.journalAfter(null, 10)).map(({ atMs, event }) => [event, atMs]);
    expect((await read())[0]?.[1]).toBeLessThan(1_000);
    await clock.advance(60_000);
    clock.setWallMs(nowMs + 60_000);
    clock.setQuality("synced");
    await bench.commit(store, [], ["late"]);
    const [early, late] = await read();
    expect(Math.abs(Number(early?.[1]) - nowMs)).toBeLessThan(1_000);
    expect(Math.abs(Number(late?.[1]) - nowMs - 60_000)).toBeLessThan(1_000);
    clock.setWallMs(nowMs);
    expect(await read()).toEqual([early, late]);
  });
});
