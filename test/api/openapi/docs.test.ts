import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageFiles } from "../../../src/platform/ports/page-files-port.ts";
import { openHouse } from "../support/api-house.ts";

const STATIC = join(import.meta.dirname, "../../../node_modules/@fastify/swagger-ui/static");

/** As the build makes them. */
const PAGE: PageFiles = {
  async read(name) {
    const path = join(STATIC, name.replace(/\.gz$/, ""));
    if (!existsSync(path)) return null;
    const bytes = readFileSync(path);
    return name.endsWith(".gz") ? gzipSync(bytes, { level: 1 }) : bytes;
  },
};

/** Everything that the page makes a browser load. */
const FILES = [
  "/docs/static/swagger-ui.css",
  "/docs/static/swagger-ui-bundle.js",
  "/docs/static/swagger-initializer.js",
];

/** Addresses in the text that a browser would load: in links, sources, style imports and urls, and page addresses. */
function loadedAddresses(text: string): string[] {
  const loading = /(?:src|href)\s*=\s*["']?([^"'\s>]+)|url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g;
  return [...text.matchAll(loading)].map(([, link, url, imported]) => link ?? url ?? imported ?? "");
}

describe("the page of the description", () => {
  let house: Awaited<ReturnType<typeof openHouse>>;

  beforeAll(async () => {
    house = await openHouse({ page: PAGE });
  });

  afterAll(() => house[Symbol.asyncDispose]());

  it("loads nothing but files of this server", async () => {
    const page = await house.api.inject({ url: "/docs" });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(loadedAddresses(page.body).sort()).toEqual([...FILES, "/page/icon.svg"].sort());
    expect(page.body).not.toMatch(/https?:/);
  });

  it.each(FILES)("finds %s here, without a token", async (url) => {
    const file = await house.api.inject({ url });
    expect(file.statusCode).toBe(200);
    expect(file.rawPayload.length).toBeGreaterThan(100);
  });

  it("has styles that load nothing from elsewhere", async () => {
    for (const url of FILES.filter((file) => file.endsWith(".css"))) {
      const { body } = await house.api.inject({ url });
      expect(loadedAddresses(body).filter((address) => !address.startsWith("data:"))).toEqual([]);
    }
  });

  it("reads the description from here and sends it to no validator", async () => {
    const { body } = await house.api.inject({ url: "/docs/static/swagger-initializer.js" });
    expect(body).toContain('url: "/openapi.json"');
    expect(body).toContain("validatorUrl: null");
    expect(body).not.toMatch(/https?:/);
  });

  it("may ask and load from this server only, by its policy", async () => {
    for (const url of ["/docs", "/docs/", ...FILES]) {
      const policy = String((await house.api.inject({ url })).headers["content-security-policy"]);
      const sources = policy.split(/;\s*/).flatMap((directive) => directive.split(" ").slice(1));
      expect(policy).toContain("default-src 'none'");
      expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "data:"]));
    }
  });

  it("sends its files compressed where that is taken, and nothing to a browser that has them", async () => {
    const url = "/docs/static/swagger-ui-bundle.js";
    const ask = async (headers: Readonly<Record<string, string>>) => await house.api.inject({ url, headers });
    const packed = await ask({ "accept-encoding": "gzip" });
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    const plain = await ask({});
    expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload);
    const again = await ask({ "accept-encoding": "gzip", "if-none-match": String(packed.headers["etag"]) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect((await ask({ "if-none-match": String(packed.headers["etag"]) })).statusCode).toBe(200);
  });

  it("says how its files are made where they are not", async () => {
    await using unbuilt = await openHouse();
    const answer = await unbuilt.api.inject({ url: "/docs/static/swagger-ui.css" });
    expect([answer.statusCode, answer.json().detail]).toEqual([404, expect.stringContaining("npm run build")]);
    expect((await house.api.inject({ url: "/docs/static/index.html" })).statusCode).toBe(404);
  });

  it("answers HEAD as GET, and says what its paths have", async () => {
    const [got, asked] = [
      await house.api.inject({ url: "/docs/" }),
      await house.api.inject({ method: "HEAD", url: "/docs/" }),
    ];
    expect([asked.statusCode, asked.rawPayload.length]).toEqual([200, 0]);
    expect(asked.headers["content-length"]).toBe(got.headers["content-length"]);
    expect((await house.api.inject({ method: "POST", url: "/docs/" })).headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });
});
