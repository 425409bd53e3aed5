import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import type { TestLog } from "../../../src/testing/test-log.ts";
import { makeBench, makeClient, makeSample, putClient } from "../../store/makers.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

async function withFilled(work: (stateFolder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-unreadable-"));
  const stateFolder = join(folder, "state");
  try {
    const bench = makeBench(nodeDisk({ stateFolder }));
    for (const id of ["c1", "c2"]) {
      const store = await bench.open();
      await bench.commit(store, [putClient(id)], ["one"]);
      store.record(makeSample("meter", 1_000));
      await bench.drive(store[Symbol.asyncDispose]());
    }
    await work(stateFolder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function nameOf(folder: string, wanted: RegExp): Promise<string> {
  return (await readdir(folder)).find((name) => wanted.test(name))!;
}

async function said(log: TestLog, text: string): Promise<void> {
  while (!log.texts().includes(text)) await turn();
}

/** Puts something in a file's place that is there and is not readable, as root too. */
const OBSTACLES = {
  "a folder in its place": (path: string) => mkdir(path),
  "a link to itself": (path: string) => symlink(path, path),
} as const;
const FILES = [/^CURRENT$/, /^MANIFEST/, /\.log$/, /\.ldb$/];

describe("a file that is there and cannot be read", () => {
  test.each(Object.entries(OBSTACLES).flatMap(([what, put]) => FILES.map((wanted) => [what, wanted, put] as const)))(
    "with %s, %s stops the start with its name, and is whole again when it is back",
    (_what, wanted, put) =>
      withFilled(async (stateFolder) => {
        const folder = join(stateFolder, "critical");
        const path = join(folder, await nameOf(folder, wanted));
        await rename(path, join(stateFolder, "kept"));
        await put(path);
        const before = (await readdir(stateFolder)).toSorted();
        const bench = makeBench(nodeDisk({ stateFolder }));
        await expect(bench.open()).rejects.toMatchObject({ kind: "refused", message: expect.stringContaining(path) });
        expect((await readdir(stateFolder)).toSorted()).toStrictEqual(before);
        await rm(path, { recursive: true });
        await rename(join(stateFolder, "kept"), path);
        await using store = await bench.open();
        expect(store.recovered).toStrictEqual([]);
        expect(store.all("client")).toStrictEqual([makeClient("c1"), makeClient("c2")]);
      }),
  );

  test("a telemetry table is not moved aside either, and its history is there again afterwards", () =>
    withFilled(async (stateFolder) => {
      const folder = join(stateFolder, "telemetry");
      const path = join(folder, await nameOf(folder, /\.ldb$/));
      await rename(path, join(stateFolder, "kept"));
      await mkdir(path);
      const bench = makeBench(nodeDisk({ stateFolder }));
      const store = await bench.open();
      expect(store.all("client")).toHaveLength(2);
      const line = bench.log.lines.find(
        ({ text }) => text === "cannot open the telemetry database; keeping telemetry in memory and trying again",
      );
      expect(String(line?.fields["err"])).toContain(path);
      await rm(path, { recursive: true });
      await rename(join(stateFolder, "kept"), path);
      await bench.drive(said(bench.log, "database is open again"));
      expect(await bench.drive(store.history("meter", 0, 2_000))).not.toHaveLength(0);
      expect(store.recovered).toStrictEqual([]);
      await bench.drive(store[Symbol.asyncDispose]());
    }));

  test.runIf(isRoot)("files of another user stop the start, which says whose they are and how to give them back", () =>
    withFilled(async (stateFolder) => {
      const outer = join(stateFolder, "..");
      await chmod(outer, 0o755);
      for (const path of [stateFolder, join(stateFolder, "critical"), join(stateFolder, "telemetry")]) {
        await chown(path, NOBODY, NOBODY);
        for (const name of await readdir(path)) await chown(join(path, name), NOBODY, NOBODY);
      }
      const current = join(stateFolder, "critical", "CURRENT");
      await chown(current, 0, 0);
      await chmod(current, 0o600);
      const text = await openAsNobody(stateFolder);
      expect(text).toContain(`refused: ${current} cannot be read (EACCES), it belongs to 0:0 with mode 600`);
      expect(text).toContain(`chown -R ${NOBODY}:${NOBODY} ${join(stateFolder, "critical")}`);
      expect(await readFile(current, "utf8")).toContain("MANIFEST");
      expect(await nameOf(stateFolder, /damaged/)).toBeUndefined();
    }),
  );
});

/** What the disk says to a process of another user. */
async function openAsNobody(stateFolder: string): Promise<string> {
  const module = new URL("../../../src/platform/node/files/node-disk.ts", import.meta.url).href;
  const code = `
    const { nodeDisk } = await import(${JSON.stringify(module)});
    process.setgroups([${NOBODY}]); process.setgid(${NOBODY}); process.setuid(${NOBODY});
    await nodeDisk({ stateFolder: ${JSON.stringify(stateFolder)} }).open("critical").then(
      () => console.log("open"),
      ({ kind, message }) => console.log(kind + ": " + message),
    );`;
  const run = promisify(execFile);
  return (await run(process.execPath, ["--input-type=module", "--eval", code])).stdout;
}
