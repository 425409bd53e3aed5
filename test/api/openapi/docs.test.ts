import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHouse } from "../support/api-house.ts";

/** Everything that the page makes a browser load. */
const FILES = [
  "/docs/static/swagger-ui.css",
  "/docs/static/index.css",
  "/docs/static/swagger-ui-bundle.js",
  "/docs/static/swagger-ui-standalone-preset.js",
  "/docs/static/swagger-initializer.js",
  "/docs/static/favicon-32x32.png",
  "/docs/static/favicon-16x16.png",
];

/** Addresses in the text that a browser would load: in links, sources, style imports and urls, and page addresses. */
function loadedAddresses(text: string): string[] {
  const loading = /(?:src|href)\s*=\s*["']?([^"'\s>]+)|url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g;
  return [...text.matchAll(loading)].map(([, link, url, imported]) => link ?? url ?? imported ?? "");
}

describe("the page of the description", () => {
  let house: Awaited<ReturnType<typeof openHouse>>;

  beforeAll(async () => {
    house = await openHouse();
  });

  afterAll(() => house[Symbol.asyncDispose]());

  it("loads nothing but files of this server", async () => {
    const page = await house.api.inject({ url: "/docs" });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(loadedAddresses(page.body).sort()).toEqual([...FILES].sort());
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
    expect(body).toContain("resolveUrl('./json')");
    expect(body).toContain("validatorUrl: null");
    expect(body.replaceAll(/"data:[^"]*"/g, "").replaceAll(/^\s*\/\/.*$/gm, "")).not.toMatch(/https?:/);
    const [here, served] = await Promise.all([
      house.api.inject({ url: "/docs/json" }),
      house.api.inject({ url: "/openapi.json" }),
    ]);
    expect(here.json()).toEqual(served.json());
  });

  it("may ask and load from this server only, by its policy", async () => {
    for (const url of ["/docs", "/docs/", ...FILES]) {
      const policy = String((await house.api.inject({ url })).headers["content-security-policy"]);
      const sources = policy.split(/;\s*/).flatMap((directive) => directive.split(" ").slice(1));
      expect(policy).toContain("default-src 'none'");
      expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "data:"]));
    }
  });

  it("lets a browser keep its files, and answers parts of them", async () => {
    const url = "/docs/static/index.css";
    const { headers, rawPayload } = await house.api.inject({ url });
    const ask = async (name: string, value: unknown) =>
      await house.api.inject({ url, headers: { [name]: String(value) } });
    expect((await ask("if-none-match", headers.etag)).statusCode).toBe(304);
    expect((await ask("if-modified-since", headers["last-modified"])).statusCode).toBe(304);
    const part = await ask("range", "bytes=0-9");
    expect([part.statusCode, part.rawPayload]).toEqual([206, rawPayload.subarray(0, 10)]);
    expect((await ask("range", "bytes=99999999-")).statusCode).toBe(400);
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
