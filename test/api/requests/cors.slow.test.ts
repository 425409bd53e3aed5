import { describe, expect, it } from "vitest";
import { configSchema } from "../../../src/config/config.ts";
import { openHouse } from "../support/api-house.ts";

const PAGE = "https://app.example.com";
const PREFLIGHT = {
  method: "OPTIONS" as const,
  url: "/batteries/1/operation-mode",
  headers: {
    origin: PAGE,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  },
};

function openListed() {
  return openHouse({ config: { http: { corsOrigins: [PAGE] } } });
}

function rightsIn(headers: object): readonly string[] {
  return Object.keys(headers).filter((name) => name.startsWith("access-control"));
}

describe("a page of a listed origin", () => {
  it("passes its preflight without a token", async () => {
    await using house = await openListed();
    const answer = await house.api.inject(PREFLIGHT);
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect(answer.headers).toMatchObject({ "access-control-allow-origin": PAGE, vary: "Origin" });
    expect(answer.headers["access-control-allow-methods"]).toContain("POST");
    expect(answer.headers["access-control-allow-headers"]).toMatch(/Authorization.*Content-Type.*Idempotency-Key/);
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(answer.headers["access-control-allow-private-network"]).toBeUndefined();
  });

  it("is told that it may reach into the home network when the browser asks", async () => {
    await using house = await openListed();
    const headers = { ...PREFLIGHT.headers, "access-control-request-private-network": "true" };
    const answer = await house.api.inject({ ...PREFLIGHT, headers });
    expect(answer.headers["access-control-allow-private-network"]).toBe("true");
  });

  it.each([
    [{ url: "/batteries" }, 200],
    [{ url: "/batteries/1" }, 404],
    [{ url: "/batteries", headers: { authorization: "Bearer wrong" } }, 401],
    [{ url: "/nothing" }, 404],
    [{ method: "POST" as const, url: "/oauth2/token" }, 400],
  ])("reads the answer to %o", async (request, status) => {
    await using house = await openListed();
    const answer = await house.ask({
      ...request,
      headers: { origin: PAGE, ...("headers" in request && request.headers) },
    });
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([status, PAGE]);
    expect(answer.headers["access-control-expose-headers"]).toContain("Retry-After");
  });

  it("still needs the token, and the gateway's own name", async () => {
    await using house = await openListed();
    expect((await house.api.inject({ url: "/batteries", headers: { origin: PAGE } })).statusCode).toBe(401);
    const headers = { ...PREFLIGHT.headers, host: "evil.example" };
    expect((await house.api.inject({ ...PREFLIGHT, headers })).statusCode).toBe(421);
  });
});

describe("a page of any other origin", () => {
  it.each([
    "https://evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "null",
    "https://app.example.com.evil.example",
  ])("gets no rights: %s", async (origin) => {
    await using house = await openListed();
    const preflight = await house.api.inject({ ...PREFLIGHT, headers: { ...PREFLIGHT.headers, origin } });
    expect([preflight.statusCode, rightsIn(preflight.headers)]).toEqual([204, []]);
    const answer = await house.ask({ url: "/batteries", headers: { origin } });
    expect([rightsIn(answer.headers), answer.headers["vary"]]).toEqual([[], "Origin"]);
  });

  it("gets none by default", async () => {
    await using house = await openHouse();
    const answer = await house.ask({ url: "/batteries", headers: { origin: PAGE } });
    expect([rightsIn(answer.headers), answer.headers["vary"]]).toEqual([[], undefined]);
  });
});

describe("the list of origins", () => {
  it.each(["*", "null", "app.example.com", "https://app.example.com/", "https://app.example.com/a", "ftp://a.example"])(
    "takes no %s",
    (origin) => {
      expect(configSchema([]).safeParse({ http: { corsOrigins: [origin] } }).success).toBe(false);
    },
  );

  it("takes exact origins", () => {
    const corsOrigins = ["https://app.example.com", "http://localhost:5173"];
    expect(configSchema([]).parse({ http: { corsOrigins } }).http.corsOrigins).toEqual(corsOrigins);
  });
});

describe("OPTIONS", () => {
  it.each([
    ["/batteries", "GET, HEAD, OPTIONS"],
    ["/locations/1", "DELETE, GET, HEAD, PUT, OPTIONS"],
    ["/oauth2/token", "POST, OPTIONS"],
    ["/health/ready", "GET, HEAD, OPTIONS"],
  ])("of %s names its methods, without a token", async (url, allow) => {
    await using house = await openHouse();
    const answer = await house.api.inject({ method: "OPTIONS", url });
    expect([answer.statusCode, answer.headers["allow"], answer.body]).toEqual([204, allow, ""]);
  });

  it("of an older version's path names its methods", async () => {
    await using house = await openHouse();
    const headers = { "service-version": "2023-04-01", "service-user-id": "home" };
    const answer = await house.ask({ method: "OPTIONS", url: "/charging-locations/1", headers });
    expect([answer.statusCode, answer.headers["allow"]]).toEqual([204, "DELETE, GET, HEAD, PUT, OPTIONS"]);
  });

  it("of nothing is 404", async () => {
    await using house = await openHouse();
    expect((await house.api.inject({ method: "OPTIONS", url: "/nothing" })).statusCode).toBe(404);
  });
});

describe("HEAD", () => {
  it("is there wherever GET is, with the same headers and no body", async () => {
    await using house = await openHouse();
    for (const url of [
      "/batteries",
      "/openapi.json",
      "/health/ready",
      "/problems",
      "/problems/not-found",
      "/docs",
      "/batteries/1",
    ]) {
      const [get, head] = [await house.ask({ url }), await house.ask({ method: "HEAD", url })];
      expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, ""]);
      expect([url, head.headers["content-type"]]).toEqual([url, get.headers["content-type"]]);
    }
  });

  it("needs the token where GET does", async () => {
    await using house = await openHouse();
    expect((await house.api.inject({ method: "HEAD", url: "/batteries" })).statusCode).toBe(401);
  });

  it("and OPTIONS are not described", async () => {
    await using house = await openHouse();
    const { paths } = (await house.ask({ url: "/openapi.json" })).json<{ paths: Record<string, object> }>();
    expect(Object.values(paths).filter((item) => "head" in item || "options" in item)).toEqual([]);
  });
});
