import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, statfs, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { makeBench, makeClient, makeSample, putClient } from "../../store/makers.ts";

async function withFolder(work: (stateFolder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-disk-"));
  try {
    await work(join(folder, "state"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A state folder with one client in it, closed. */
async function filled(stateFolder: string): Promise<void> {
  const bench = makeBench(nodeDisk({ stateFolder }));
  const store = await bench.open();
  await bench.commit(store, [putClient("c1")], ["one"]);
  await bench.drive(store[Symbol.asyncDispose]());
}

const COPY = join("copy", "critical.jsonl");

async function namesIn(stateFolder: string): Promise<readonly string[]> {
  return (await readdir(stateFolder)).toSorted();
}

describe("the state folder", () => {
  test("says how much can still be written there, and refuses to guess where there is none", () =>
    withFolder(async (stateFolder) => {
      const disk = nodeDisk({ stateFolder });
      await expect(disk.freeBytes()).rejects.toMatchObject({ kind: "refused" });
      await filled(stateFolder);
      const freeBytes = await disk.freeBytes();
      const { bavail, bsize } = await statfs(stateFolder);
      expect(freeBytes).toBeGreaterThan(0);
      expect(Math.abs(freeBytes - bavail * bsize)).toBeLessThan(1e9);
    }));

  test("each database has a folder for its owner only, and a marker beside it", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      expect(await namesIn(stateFolder)).toStrictEqual([
        "copy",
        "critical",
        "critical.exists",
        "telemetry",
        "telemetry.exists",
      ]);
      for (const name of ["", "copy", "critical", "telemetry"]) {
        expect((await stat(join(stateFolder, name))).mode & 0o777).toBe(0o700);
      }
    }));

  test.each([
    ["a lost CURRENT", (folder: string) => rm(join(folder, "CURRENT"))],
    ["a CURRENT of NULs", (folder: string) => writeFile(join(folder, "CURRENT"), Buffer.alloc(16))],
    ["an empty CURRENT", (folder: string) => truncate(join(folder, "CURRENT"), 0)],
    ["a lost manifest", async (folder: string) => rm(join(folder, await manifestOf(folder)))],
    ["an empty manifest", async (folder: string) => truncate(join(folder, await manifestOf(folder)), 0)],
  ])("%s costs no record, and the damaged database is kept", (_what, harm) =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      const folder = join(stateFolder, "critical");
      await harm(folder);
      const before = await readdir(folder);
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
      expect(store.epoch).toBeGreaterThan(1);
      const aside = (await namesIn(stateFolder)).find((name) => /^critical\.damaged-\d{8}T\d{6}Z$/.test(name));
      expect(store.recovered).toStrictEqual([expect.stringContaining(join(stateFolder, aside!))]);
      expect((await readdir(join(stateFolder, aside!))).toSorted()).toStrictEqual(before.toSorted());
      await bench.commit(store, [putClient("c2")]);
    }),
  );

  test("a lost folder is said, and its clients come from the second copy", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await rm(join(stateFolder, "critical"), { recursive: true });
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.recovered).toStrictEqual([
        expect.stringContaining("nothing could be saved"),
        expect.stringContaining("1 records restored from the second copy"),
      ]);
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
    }));

  test("a cut between the two steps that put a database in the place of a damaged one is made good", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await rename(join(stateFolder, "critical"), join(stateFolder, "critical.rebuilt"));
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
    }));

  test("a copy that was cut while it was made is thrown away", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await mkdir(join(stateFolder, "critical.rebuilt"));
      await writeFile(join(stateFolder, "critical.rebuilt", "000003.log"), "");
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
      expect(await namesIn(stateFolder)).not.toContain("critical.rebuilt");
    }));

  test("a damaged database that another hemgate has open is left to it", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      const child = await otherProcess(stateFolder);
      await rm(join(stateFolder, "critical", "CURRENT"));
      const before = await namesIn(stateFolder);
      const bench = makeBench(nodeDisk({ stateFolder }));
      await expect(bench.open()).rejects.toThrow(`another hemgate uses the folder ${stateFolder}`);
      child.kill();
      expect(await namesIn(stateFolder)).toStrictEqual(before);
    }));

  test("two damages within a second keep both", () =>
    withFolder(async (stateFolder) => {
      const disk = nodeDisk({ stateFolder });
      for (let count = 0; count < 3; count++) {
        await (await disk.open("critical")).close();
        await disk.moveAside("critical");
      }
      const aside = (await namesIn(stateFolder)).filter((name) => name.startsWith("critical.damaged-"));
      expect(aside).toHaveLength(3);
    }));

  test("a first start that was cut before the database was complete is started again", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await rm(join(stateFolder, "critical.exists"));
      await rm(join(stateFolder, COPY));
      for (const name of await readdir(join(stateFolder, "critical"))) {
        if (name !== "LOCK" && !name.startsWith("MANIFEST")) await rm(join(stateFolder, "critical", name));
      }
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.recovered).toStrictEqual([]);
    }));

  test("a lost marker is written again", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await rm(join(stateFolder, "critical.exists"));
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using store = await bench.open();
      expect(store.all("client")).toStrictEqual([makeClient("c1")]);
      expect(await namesIn(stateFolder)).toContain("critical.exists");
    }));

  test("a folder that another hemgate uses is named", () =>
    withFolder(async (stateFolder) => {
      const bench = makeBench(nodeDisk({ stateFolder }));
      await using _store = await bench.open();
      await expect(bench.open()).rejects.toThrow(`another hemgate uses the folder ${stateFolder}`);
      expect(bench.log.texts("error")).toStrictEqual([]);
    }));

  test("a folder that cannot be made is refused with its name", () =>
    withFolder(async (stateFolder) => {
      await writeFile(stateFolder, "a file");
      const bench = makeBench(nodeDisk({ stateFolder }));
      await expect(bench.open()).rejects.toMatchObject({
        kind: "refused",
        message: expect.stringContaining(stateFolder),
      });
    }));
});

test("a table block that cannot be read costs its own rows only", () =>
  withFolder(async (stateFolder) => {
    const bench = makeBench(nodeDisk({ stateFolder }));
    const store = await bench.open();
    // Names without repeats, so that rows fill blocks of 4 kB also when compressed.
    const ids = Array.from({ length: 2_000 }, (_, index) => `c${(index * 2_654_435_761) % 4_294_967_296}`);
    await bench.commit(
      store,
      ids.map((id) => putClient(id)),
      ["one"],
    );
    await bench.drive(store[Symbol.asyncDispose]());
    const folder = join(stateFolder, "critical");
    // LevelDB moves its log into a table when it opens the database.
    await (await nodeDisk({ stateFolder }).open("critical")).close();
    const table = (await readdir(folder)).find((name) => name.endsWith(".ldb"))!;
    const bytes = await readFile(join(folder, table));
    bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8);
    await writeFile(join(folder, table), bytes);
    await rm(join(stateFolder, COPY));
    const after = await bench.open();
    expect(after.recovered.length).toBeGreaterThan(0);
    expect(after.all("client").length).toBeGreaterThan(1_900);
    expect(after.all("client").length).toBeLessThan(2_000);
    await bench.drive(after[Symbol.asyncDispose]());
    await using again = await bench.open();
    expect(again.all("client").length).toBe(after.all("client").length);
    expect(again.recovered).toStrictEqual([]);
  }));

test("a damaged history table ends no process, and what it lost is known as a hole", () =>
  withFolder(async (stateFolder) => {
    const bench = makeBench(nodeDisk({ stateFolder }));
    for (let start = 0; start < 2; start++) {
      const store = await bench.open();
      for (let count = 0; count < 400; count++) {
        await bench.clock.advance(5_000);
        store.record(makeSample("meter", bench.clock.nowMs(), (count * 7_919) % 5_000));
      }
      await bench.drive(store[Symbol.asyncDispose]());
    }
    const folder = join(stateFolder, "telemetry");
    const table = (await readdir(folder)).find((name) => name.endsWith(".ldb"))!;
    const bytes = await readFile(join(folder, table));
    await writeFile(join(folder, table), bytes.fill(0, 0, 512));
    await using store = await bench.open();
    expect(store.recovered).toStrictEqual([expect.stringMatching(`telemetry database: ${table} is damaged.*moved to`)]);
    expect(await bench.drive(store.history("meter", 0, bench.clock.nowMs()))).not.toHaveLength(0);
    expect(await bench.drive(store.historyHoles(0, bench.clock.nowMs()))).toHaveLength(1);
  }));

/** A process that has the critical database open. */
async function otherProcess(stateFolder: string): Promise<ChildProcess> {
  const module = new URL("../../../src/platform/node/files/node-disk.ts", import.meta.url).href;
  const code = `
    const { nodeDisk } = await import(${JSON.stringify(module)});
    await nodeDisk({ stateFolder: ${JSON.stringify(stateFolder)} }).open("critical");
    console.log("open");
    setInterval(() => undefined, 1e6);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

async function manifestOf(folder: string): Promise<string> {
  return (await readFile(join(folder, "CURRENT"), "utf8")).trim();
}

describe("the file of the second copy", () => {
  test("is its owner's only, replaced as a whole, and leaves no draft behind", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      const { copy } = nodeDisk({ stateFolder });
      expect((await stat(join(stateFolder, COPY))).mode & 0o777).toBe(0o600);
      await copy.write(Buffer.from("two"));
      expect(Buffer.from((await copy.read())!).toString()).toBe("two");
      expect(await readdir(join(stateFolder, "copy"))).toStrictEqual(["critical.jsonl"]);
    }));

  test("is moved aside with its content, and is then not there", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      const { copy } = nodeDisk({ stateFolder });
      const before = await copy.read();
      const where = await copy.moveAside();
      expect(await readFile(where)).toStrictEqual(before);
      expect(await copy.read()).toBeNull();
    }));

  test("that cannot be read or written is refused with its path", () =>
    withFolder(async (stateFolder) => {
      await filled(stateFolder);
      await rm(join(stateFolder, COPY));
      await mkdir(join(stateFolder, COPY));
      const { copy } = nodeDisk({ stateFolder });
      const refusal = { kind: "refused", message: expect.stringContaining(join(stateFolder, COPY)) };
      await expect(copy.read()).rejects.toMatchObject(refusal);
      await expect(copy.write(Buffer.from("two"))).rejects.toMatchObject(refusal);
    }));
});
