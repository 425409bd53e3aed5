import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import type { Disk } from "../../src/platform/ports/ports.ts";
import { seal, unseal } from "../../src/store/envelope.ts";
import { openStore } from "../../src/store/open-store.ts";
import { RecordCodec, secretKeyId } from "../../src/store/record-codec.ts";
import type { DeviceRecord, Write } from "../../src/store/records.ts";
import type { Store } from "../../src/store/store.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { drive, putClient } from "./makers.ts";
import { settlingDisk } from "./settling-disk.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const CANARY = "canary-9f2c61d0";

function makeDevice(id: string, password = CANARY): DeviceRecord {
  const options = { host: "192.168.1.9", password };
  return { id, adapter: "fake", options, source: "linked", userId: "u1", name: null, scopes: null, createdAtMs: 1 };
}

function putDevice(id: string, password?: string): Write {
  return { table: "device", key: id, put: makeDevice(id, password) };
}

function makeHouse(disk: Disk) {
  const clock = new VirtualClock();
  const log = new TestLog();
  const random = new SeededRandom(3);
  const isMemory = disk instanceof MemoryDisk;
  const { disk: own, settled } = isMemory ? { disk, settled: async () => undefined } : settlingDisk(disk);
  const run = <T>(promise: PromiseLike<T>): Promise<T> => drive(clock, promise, settled);
  return {
    log,
    run,
    open: (secretKeys: readonly Uint8Array[]) => run(openStore({ disk: own, clock, random, log, secretKeys })),
    close: (store: Store) => run(store[Symbol.asyncDispose]()),
  };
}

function formAt(disk: MemoryDisk, key: string): string | null {
  const bytes = disk.contents("critical").get(key);
  return bytes === undefined ? null : unseal(key, bytes).form;
}

function bytesAt(disk: MemoryDisk, key: string): Uint8Array {
  return Uint8Array.from(disk.contents("critical").get(key) ?? []);
}

const D1 = "record!device!d1";
const D2 = "record!device!d2";

/** A disk with two devices that were sealed with a key. */
async function sealedHouse(key: Uint8Array) {
  const disk = new MemoryDisk();
  const house = makeHouse(disk);
  const store = await house.open([key]);
  await house.run(store.commit([putDevice("d1"), putDevice("d2", "other"), putClient("c1")], []));
  await house.close(store);
  return { disk, ...house };
}

describe("a table that holds secrets", () => {
  test("is sealed, others are not, and both are read back", async () => {
    const { disk, open, close } = await sealedHouse(OLD);
    expect(formAt(disk, D1)).toBe("sealed");
    expect(formAt(disk, "record!client!c1")).toBe("clear");
    expect(Buffer.from(bytesAt(disk, D1)).includes(CANARY)).toBe(false);
    const store = await open([OLD]);
    expect(store.get("device", "d1")).toStrictEqual(makeDevice("d1"));
    expect(store.locked).toStrictEqual([]);
    await close(store);
  });

  test("is never sealed alike twice", async () => {
    const codec = new RecordCodec({ keys: [OLD], random: new SeededRandom(1), isSealed: () => true });
    const [one, other] = [0, 1].map(() => codec.encode("device", D1, { epoch: 1, seq: 1 }, "{}"));
    expect(one).not.toStrictEqual(other);
  });

  test("stays in clear without a key, and is sealed by the first opening with one", async () => {
    const disk = new MemoryDisk();
    const { open, close, run } = makeHouse(disk);
    const before = await open([]);
    await run(before.commit([putDevice("d1")], []));
    await close(before);
    expect(formAt(disk, D1)).toBe("clear");
    const store = await open([OLD]);
    expect(formAt(disk, D1)).toBe("sealed");
    expect(store.get("device", "d1")).toStrictEqual(makeDevice("d1"));
    await close(store);
  });
});

describe("a rotation", () => {
  test("seals everything with the first key at the opening; the old one can go then", async () => {
    const { disk, open, close } = await sealedHouse(OLD);
    await close(await open([NEW, OLD]));
    const store = await open([NEW]);
    expect(store.locked).toStrictEqual([]);
    expect(store.all("device")).toStrictEqual([makeDevice("d1"), makeDevice("d2", "other")]);
    await close(store);
    expect([...disk.contents("critical").values()].some((bytes) => holds(bytes, secretKeyId(OLD)))).toBe(false);
    expect(holds(bytesAt(disk, D1), secretKeyId(NEW))).toBe(true);
  });

  test("that is cut before it is on disk is done by the next opening", async () => {
    const { disk, open, close } = await sealedHouse(OLD);
    disk.failWrites("lost");
    const store = await open([NEW, OLD]);
    await close(store);
    expect(holds(bytesAt(disk, D1), secretKeyId(NEW))).toBe(true);
  });
});

function holds(bytes: Uint8Array, hex: string): boolean {
  return Buffer.from(bytes).includes(Buffer.from(hex, "hex"));
}

describe("a record that does not open", () => {
  test("for want of its key stays as it is, is told, and opens once the key is back", async () => {
    const { disk, open, close, log } = await sealedHouse(OLD);
    const bytes = bytesAt(disk, D1);
    const store = await open([NEW]);
    const reason = `sealed with the key ${secretKeyId(OLD)}, which is missing`;
    expect(store.locked).toStrictEqual([
      { table: "device", key: "d1", reason },
      { table: "device", key: "d2", reason },
    ]);
    expect(store.all("device")).toStrictEqual([]);
    expect(store.get("client", "c1")).not.toBeNull();
    expect(store.recovered).toStrictEqual([]);
    const told = log.lines.find(({ level }) => level === "error");
    expect(told?.fields["records"]).toStrictEqual([`device d1: ${reason}`, `device d2: ${reason}`]);
    await close(store);
    expect(bytesAt(disk, D1)).toStrictEqual(bytes);
    const again = await open([NEW, OLD]);
    expect(again.all("device")).toHaveLength(2);
    await close(again);
  });

  test("because its bytes were changed, with a checksum that fits, stays as it is", async () => {
    const { disk, open, close } = await sealedHouse(OLD);
    const { place, payload } = unseal(D1, bytesAt(disk, D1));
    const changed = Uint8Array.from(payload);
    const last = changed.length - 1;
    changed[last] = (changed[last] ?? 0) ^ 1;
    disk.contents("critical").set(D1, seal(D1, place, changed, "sealed"));
    const bytes = bytesAt(disk, D1);
    const store = await open([OLD]);
    const reason = `changed after it was sealed with the key ${secretKeyId(OLD)}`;
    expect(store.locked).toStrictEqual([{ table: "device", key: "d1", reason }]);
    expect(store.get("device", "d2")).not.toBeNull();
    await close(store);
    expect(bytesAt(disk, D1)).toStrictEqual(bytes);
  });

  test.each([
    ["another record's key", D1, (disk: MemoryDisk) => unseal(D2, bytesAt(disk, D2)).place],
    ["another place in the journal", D2, () => ({ epoch: 9, seq: 9 })],
  ])("because it was moved to %s is not taken for what stands there", async (_where, target, placeOf) => {
    const { disk, open, close } = await sealedHouse(OLD);
    const moved = seal(target, placeOf(disk), unseal(D2, bytesAt(disk, D2)).payload, "sealed");
    disk.contents("critical").set(target, moved);
    const store = await open([OLD]);
    expect(store.locked.map(({ key }) => `record!device!${key}`)).toStrictEqual([target]);
    await close(store);
  });

  test("is put aside with its bytes by a write of the same record", async () => {
    const { disk, open, close, run } = await sealedHouse(OLD);
    const bytes = bytesAt(disk, D1);
    const store = await open([NEW]);
    await run(store.commit([putDevice("d1", "new"), { table: "device", key: "d2", remove: true }], []));
    expect(store.locked).toStrictEqual([]);
    await close(store);
    expect(bytesAt(disk, `damaged!${D1}`)).toStrictEqual(bytes);
    expect(disk.contents("critical").has(D2)).toBe(false);
    const again = await open([NEW]);
    expect(again.all("device")).toStrictEqual([makeDevice("d1", "new")]);
    await close(again);
  });

  test("comes back when the write that replaced it was refused and is on disk all the same", async () => {
    const { disk, open, close, run } = await sealedHouse(OLD);
    const bytes = bytesAt(disk, D1);
    const store = await open([NEW]);
    disk.failWrites("kept");
    await expect(run(store.commit([putDevice("d1", "new")], []))).rejects.toMatchObject({ kind: "refused" });
    await close(store);
    expect(bytesAt(disk, D1)).toStrictEqual(bytes);
  });

  test("because its bytes are damaged is put aside, and sealed where it was in clear", async () => {
    const { disk, open, close } = await sealedHouse(OLD);
    const damaged = Buffer.from(seal("record!device!elsewhere", { epoch: 1, seq: 0 }, Buffer.from(CANARY)));
    disk.contents("critical").set("record!device!d9", damaged);
    const store = await open([OLD]);
    expect(store.recovered).toStrictEqual([expect.stringContaining("record!device!d9")]);
    expect(store.locked).toStrictEqual([]);
    await close(store);
    const aside = bytesAt(disk, "damaged!record!device!d9");
    expect(unseal("record!device!d9", aside).form).toBe("sealed");
    expect(Buffer.from(aside).includes(CANARY)).toBe(false);
  });
});

describe("the files of LevelDB", () => {
  test("hold no secret in clear after the first opening with a key, removed and damaged ones included", async () => {
    using folder = temporaryFolder();
    const { open, close, run, log } = makeHouse(nodeDisk({ stateFolder: folder.path }));
    const clear = await open([]);
    for (const password of ["first", "second", "third"]) {
      await run(clear.commit([putDevice("d1", `${CANARY}-${password}`), putDevice("d2", `${CANARY}-gone`)], []));
    }
    await run(clear.commit([{ table: "device", key: "d2", remove: true }], []));
    await close(clear);
    expect(filesWith(folder.path, CANARY)).not.toStrictEqual([]);

    const store = await open([OLD]);
    expect(store.get("device", "d1")?.options["password"]).toBe(`${CANARY}-third`);
    expect(filesWith(folder.path, CANARY)).toStrictEqual([]);
    await run(store.commit([putDevice("d3", `${CANARY}-later`)], []));
    await close(store);
    expect(filesWith(folder.path, CANARY)).toStrictEqual([]);
    expect(log.texts("info")).toContain("all secrets in the store are sealed with this key");
  });

  test("hold nothing of an old key after a rotation", async () => {
    using folder = temporaryFolder();
    const { open, close, run } = makeHouse(nodeDisk({ stateFolder: folder.path }));
    const before = await open([OLD]);
    await run(before.commit([putDevice("d1"), putDevice("d2")], []));
    await close(before);
    const oldId = Buffer.from(secretKeyId(OLD), "hex");
    expect(filesWith(folder.path, oldId)).not.toStrictEqual([]);
    await close(await open([NEW, OLD]));
    expect(filesWith(folder.path, oldId)).toStrictEqual([]);
  });
});

function filesWith(folder: string, wanted: string | Buffer): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name)).filter((path) => readFileSync(path).includes(wanted));
}

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "hemgate-sealing-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
