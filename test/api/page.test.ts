import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { PageFiles } from "../../src/platform/ports/page-files-port.ts";
import { openHouse } from "./support/api-house.ts";

const INDEX = "<!doctype html><title>hemgate</title>";
const SCRIPT = "export {};";

/** A page as the build makes it. */
const PAGE: PageFiles = {
  async read(name) {
    const files: Readonly<Record<string, string | Buffer>> = {
      "index.html": INDEX,
      "index-1a2b.js": SCRIPT,
      "index-1a2b.js.gz": gzipSync(SCRIPT),
      "manifest.webmanifest": "{}",
    };
    const file = files[name];
    return file === undefined ? null : Buffer.from(file);
  },
};
const BROWSER = { accept: "text/html,application/xhtml+xml" };

describe("The home page", () => {
  test("A browser gets it at the address of the gateway, without a token", async () => {
    await using house = await openHouse({ page: PAGE });
    const answer = await house.api.inject({ url: "/", headers: BROWSER });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.body).toBe(INDEX);
  });

  test("It runs the gateway's own scripts only, and nobody may frame it", async () => {
    await using house = await openHouse({ page: PAGE });
    const { headers } = await house.api.inject({ url: "/", headers: BROWSER });
    expect(headers["content-security-policy"]).toContain("script-src 'self';");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe");
  });

  test("A program that asks for JSON there is told that there is nothing", async () => {
    await using house = await openHouse({ page: PAGE });
    const answer = await house.api.inject({ url: "/", headers: { accept: "application/json" } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().type).toContain("not-found");
  });

  test("Its files are kept for ever, and sent compressed where that is taken", async () => {
    await using house = await openHouse({ page: PAGE });
    const url = "/page/index-1a2b.js";
    const packed = await house.api.inject({ url, headers: { "accept-encoding": "gzip, deflate" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers["cache-control"]).toContain("immutable");
    expect(packed.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    const plain = await house.api.inject({ url });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body).toBe(SCRIPT);
  });

  test("What makes it an app on a phone is asked for again each time, as its name stays", async () => {
    await using house = await openHouse({ page: PAGE });
    const answer = await house.api.inject({ url: "/page/manifest.webmanifest" });
    expect(answer.headers["content-type"]).toBe("application/manifest+json");
    expect(answer.headers["cache-control"]).toBe("no-cache");
    expect(answer.headers["content-security-policy"]).toContain("manifest-src 'self'");
  });

  test.each(["/page/other.js", "/page/index.html", "/page/..%2Fpackage.json", "/page/index-1a2b.js.gz"])(
    "There is no %s",
    async (url) => {
      await using house = await openHouse({ page: PAGE });
      expect((await house.api.inject({ url })).statusCode).toBe(404);
    },
  );

  test("A page that is not built is told, with what builds it", async () => {
    await using house = await openHouse({ page: { read: async () => null } });
    const answer = await house.api.inject({ url: "/", headers: BROWSER });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toContain("npm run build");
  });
});
