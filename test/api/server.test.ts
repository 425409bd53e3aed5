import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrokenRequestHandler } from "../../src/api/requests/broken-request.ts";
import { PROBLEMS } from "../../src/domain/problem.ts";
import { VirtualClock } from "../../src/testing/index.ts";
import { type ApiHouse, openHouse } from "./support/api-house.ts";
import { FakeStore } from "./support/fake-store.ts";

/** One house for all requests that change nothing. */
let house: ApiHouse;

beforeAll(async () => {
  house = await openHouse();
});

afterAll(() => house[Symbol.asyncDispose]());

describe("readiness", () => {
  it("is 204 to anyone while all is nominal", async () => {
    await using house = await openHouse();
    const answer = await house.api.inject({ url: "/health/ready" });
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  });

  it("is 503 and names what fails", async () => {
    await using house = await openHouse();
    house.engine.state = { isReady: false, failures: ["the clock is not set", "the database is not writable"] };
    const answer = await house.api.inject({ url: "/health/ready" });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      type: "/problems/service-unavailable",
      detail: "the clock is not set; the database is not writable",
    });
  });
});

describe("every answer", () => {
  const everything = [
    { url: "/batteries" },
    { url: "/nothing" },
    { url: "/batteries/%zz" },
    { url: "/batteries?pageSize=0" },
    { url: "/batteries", headers: { authorization: "Bearer wrong" } },
    { url: "/batteries", headers: { "service-version": "2001-01-01" } },
    { url: "/batteries", headers: { host: "evil.example" } },
    { url: "/health/ready" },
    { url: "/openapi.json" },
    { url: "/docs" },
    { url: "/docs/static/swagger-ui.css" },
    { url: "/problems/not-found" },
    { method: "POST", url: "/oauth2/token" },
  ] as const;

  it.each(everything)("carries the version and is neither sniffed nor framed: %o", async (request) => {
    const { headers } = await house.ask(request);
    expect(headers["service-version"]).toBe("2024-10-01");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("carries the version under the configured prefix", async () => {
    await using house = await openHouse({ config: { compat: { namePrefix: "Acme" } } });
    const answer = await house.ask({ url: "/batteries", headers: { "acme-version": "2024-10-01" } });
    expect([answer.statusCode, answer.headers["acme-version"]]).toEqual([200, "2024-10-01"]);
    const refused = await house.ask({ url: "/batteries", headers: { "acme-user-id": "home" } });
    expect(refused.statusCode).toBe(400);
  });

  it("is dated by the gateway's own clock", async () => {
    await using house = await openHouse({ clock: new VirtualClock({ startMs: Date.UTC(2026, 1, 3, 4, 5, 6, 700) }) });
    expect((await house.ask({ url: "/batteries" })).headers["date"]).toBe("Tue, 03 Feb 2026 04:05:06 GMT");
  });

  it("has no date while nobody has set the clock", async () => {
    await using house = await openHouse({ clock: new VirtualClock({ startMs: 0, quality: "unset" }) });
    expect((await house.ask({ url: "/batteries" })).headers["date"]).toBeUndefined();
  });
});

describe("a client", () => {
  it("that is pinned to a version no longer served is answered in the newest", async () => {
    const store = new FakeStore();
    await using house = await openHouse({ store });
    const record = store.get("client", house.client.id);
    expect(record).not.toBeNull();
    await store.commit([{ table: "client", key: house.client.id, put: { ...record!, apiVersion: "2019-01-01" } }]);
    const answer = await house.ask({ url: "/batteries" });
    expect([answer.statusCode, answer.headers["service-version"]]).toEqual([200, "2024-10-01"]);
  });
});

describe("the page of a problem", () => {
  it.each(Object.keys(PROBLEMS))("%s is at its type and says what to do", async (slug) => {
    const answer = await house.api.inject({ url: `/problems/${slug}` });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain(PROBLEMS[slug as keyof typeof PROBLEMS].title);
    expect(answer.body).not.toMatch(/https?:/);
  });

  it("is listed with the others", async () => {
    const { body } = await house.api.inject({ url: "/problems" });
    expect(Object.keys(PROBLEMS).filter((slug) => !body.includes(`/problems/${slug}"`))).toEqual([]);
  });

  it.each(["nothing", "toString", "__proto__"])("does not exist for %s", async (slug) => {
    expect((await house.api.inject({ url: `/problems/${slug}` })).statusCode).toBe(404);
  });
});

describe("bytes that never become a request", () => {
  function answerTo(code: string): { text: string; isClosed: boolean } {
    const said = { text: "", isClosed: false };
    createBrokenRequestHandler({ "Service-Version": "2024-10-01" }, "/problems")(
      { code },
      {
        writable: true,
        destroyed: false,
        write: (text) => {
          said.text += text;
        },
        destroy: () => {
          said.isClosed = true;
        },
      },
    );
    return said;
  }

  it.each([
    ["HPE_INVALID_METHOD", "HTTP/1.1 400 Bad Request\r\n", "/problems/bad-request"],
    ["HPE_HEADER_OVERFLOW", "HTTP/1.1 431 Request Header Fields Too Large\r\n", "/problems/header-fields-too-large"],
    ["ERR_HTTP_REQUEST_TIMEOUT", "HTTP/1.1 408 Request Timeout\r\n", "/problems/request-timeout"],
  ])("(%s) are answered with a problem and the connection ends", (code, start, type) => {
    const { text, isClosed } = answerTo(code);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(text.startsWith(start)).toBe(true);
    expect(head).toContain("Service-Version: 2024-10-01");
    expect(head).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(body).type).toBe(type);
    expect(isClosed).toBe(true);
  });

  it("get no answer once the other side has left", () => {
    expect(answerTo("ECONNRESET").text).toBe("");
  });
});

/** A request that `inject` cannot make, handed to the server without a socket. */
function hand(api: FastifyInstance, headers: readonly string[], url = "/health/ready"): ServerResponse {
  const request = new IncomingMessage(new Socket());
  request.method = "GET";
  request.url = url;
  request.rawHeaders = [...headers];
  request.headers = { host: headers[1] };
  const response = new ServerResponse(request);
  api.server.emit("request", request, response);
  return response;
}

describe("a request", () => {
  it("with two Host headers is refused, whatever they say", async () => {
    await using house = await openHouse();
    expect(hand(house.api, ["Host", "localhost"]).statusCode).toBe(204);
    expect(hand(house.api, ["Host", "localhost", "host", "localhost"]).statusCode).toBe(400);
  });

  it("without a Host header is refused", async () => {
    await using house = await openHouse();
    expect(hand(house.api, []).statusCode).toBe(421);
  });

  it("whose target is an address instead of a path is refused", async () => {
    await using house = await openHouse();
    expect(hand(house.api, ["Host", "localhost"], "http://localhost/health/ready").statusCode).toBe(421);
  });

  it("that comes in on a connection left open while the gateway stops is refused", async () => {
    await using house = await openHouse();
    await house.api.close();
    const response = hand(house.api, ["Host", "localhost"]);
    expect([response.statusCode, response.getHeader("connection")]).toEqual([503, "close"]);
  });
});
