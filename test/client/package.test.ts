import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { CLIENT_TYPES_FILE, descriptionHash } from "../../scripts/client-types.ts";

const MAX_BYTES = 10_000;

it("has types of the description as it is (scripts/update-client-types.mjs writes them)", () => {
  expect(readFileSync(CLIENT_TYPES_FILE, "utf8").split("\n", 1)[0]).toContain(descriptionHash());
});

it("is small, and brings nothing along", async () => {
  const bundle = await rolldown({
    input: new URL("../../src/client/index.ts", import.meta.url).pathname,
    platform: "browser",
    onLog: (level, log, handle) => (level === "warn" ? handle("error", log) : handle(level, log)),
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  const [{ code, imports, moduleIds }] = output;
  expect(imports).toEqual([]);
  expect(moduleIds.filter((id) => id.includes("node_modules"))).toEqual([]);
  expect(gzipSync(code).length).toBeLessThan(MAX_BYTES);
});
