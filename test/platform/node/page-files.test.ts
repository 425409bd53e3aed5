import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { pageFilesIn } from "../../../src/platform/node/files/node-page-files.ts";

describe("The page's files", () => {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-page-"));
  const page = pageFilesIn(folder);
  const text = async (name: string) => String(Buffer.from((await page.read(name)) ?? []));
  writeFileSync(join(folder, "both.js"), "plain");
  writeFileSync(join(folder, "both.js.gz"), gzipSync("packed"));
  writeFileSync(join(folder, "packed.js.gz"), gzipSync("from the packed file"));

  afterAll(() => rmSync(folder, { recursive: true }));

  test("A file that is there is read as it is", async () => {
    expect(await text("both.js")).toBe("plain");
    expect(await page.read("packed.js.gz")).toEqual(gzipSync("from the packed file"));
  });

  test("A file that is there compressed only is read without the compression", async () => {
    expect(await text("packed.js")).toBe("from the packed file");
  });

  test("There is nothing of another name, and nothing in other folders", async () => {
    for (const name of ["none.js", "none.js.gz", "../etc/passwd", "", ".hidden"])
      expect(await page.read(name)).toBeNull();
  });
});
