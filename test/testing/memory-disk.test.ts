import { describe, expect, test } from "vitest";
import type { Database } from "../../src/platform/ports/ports.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";

function put(key: string): { type: "put"; key: string; value: Uint8Array } {
  return { type: "put", key, value: Uint8Array.of(1) };
}

const SYNCED = { sync: true, keyEncoding: "utf8", valueEncoding: "view" } as const;

async function keysOf(database: Database): Promise<readonly string[]> {
  return await database.keys().all();
}

describe("the disk in memory", () => {
  test("a power cut takes what was not synced, a close keeps it", async () => {
    const disk = new MemoryDisk();
    const first = await disk.open("critical");
    await first.batch([put("synced")], SYNCED);
    await first.batch([put("lazy")]);
    await first.close();
    const second = await disk.open("critical");
    expect(await keysOf(second)).toStrictEqual(["lazy", "synced"]);
    disk.crash();
    expect(await keysOf(await disk.open("critical"))).toStrictEqual(["synced"]);
  });

  test("a sync takes along what was written before it", async () => {
    const disk = new MemoryDisk();
    const database = await disk.open("critical");
    await database.batch([put("lazy")]);
    await database.batch([{ type: "del", key: "lazy" }, put("other")]);
    await database.batch([put("synced")], SYNCED);
    disk.crash();
    expect(await keysOf(await disk.open("critical"))).toStrictEqual(["other", "synced"]);
  });

  test("a handle refuses all writes after one failed, a new one takes them", async () => {
    const disk = new MemoryDisk();
    const first = await disk.open("critical");
    disk.failWrites("lost");
    await expect(first.batch([put("a")], SYNCED)).rejects.toMatchObject({ kind: "refused" });
    await expect(first.batch([put("b")], SYNCED)).rejects.toMatchObject({ kind: "refused" });
    await first.close();
    const second = await disk.open("critical");
    await second.batch([put("c")], SYNCED);
    expect(await keysOf(second)).toStrictEqual(["c"]);
  });

  test("a write that is kept although it failed is there after the next open", async () => {
    const disk = new MemoryDisk();
    const first = await disk.open("critical");
    disk.failWrites(null, "kept");
    await first.batch([put("a")], SYNCED);
    await expect(first.batch([put("b")], SYNCED)).rejects.toMatchObject({ kind: "refused" });
    await first.close();
    expect(await keysOf(await disk.open("critical"))).toStrictEqual(["a", "b"]);
  });

  test("a handle from before a power cut changes nothing any more", async () => {
    const disk = new MemoryDisk();
    const old = await disk.open("critical");
    disk.crash();
    const current = await disk.open("critical");
    await expect(old.batch([put("a")], SYNCED)).rejects.toMatchObject({ kind: "refused" });
    await old.close();
    await expect(disk.open("critical")).rejects.toMatchObject({ kind: "locked" });
    expect(await keysOf(current)).toStrictEqual([]);
  });

  test("one database may be open once, two databases at a time", async () => {
    const disk = new MemoryDisk();
    await disk.open("critical");
    await disk.open("telemetry");
    await expect(disk.open("telemetry")).rejects.toMatchObject({ kind: "locked" });
  });

  test("a damaged database opens again, empty, after it was moved aside", async () => {
    const disk = new MemoryDisk();
    const first = await disk.open("critical");
    await first.batch([put("a")], SYNCED);
    await first.close();
    disk.damage("critical");
    await expect(disk.open("critical")).rejects.toMatchObject({ kind: "damaged" });
    expect(await disk.moveAside("critical")).toBe("memory:critical.damaged-1");
    expect(await keysOf(await disk.open("critical"))).toStrictEqual([]);
  });
});
