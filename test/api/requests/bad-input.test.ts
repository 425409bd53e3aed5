/** Every way in which a request can be wrong, each with its clear answer. */

import fc from "fast-check";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "../../../src/domain/page.ts";
import { openHouse } from "../support/api-house.ts";
import { makeBattery, makeCharger, uuid } from "../support/makers.ts";

const BATTERY = uuid(1);
const CHARGER = uuid(2);
const JSON_BODY = { "content-type": "application/json" };

async function openFurnished(config?: object) {
  const house = await openHouse(config === undefined ? {} : { config });
  house.engine.add("battery", makeBattery({ id: BATTERY }));
  house.engine.add("charger", makeCharger({ id: CHARGER }));
  return house;
}

/** One house for all requests that change nothing. */
let house: Awaited<ReturnType<typeof openFurnished>>;

beforeAll(async () => {
  house = await openFurnished();
});

afterAll(() => house[Symbol.asyncDispose]());

/** Asks with a token and checks that the answer is a problem of this kind. */
async function askWrong(request: InjectOptions, status: number, slug: string): Promise<LightMyRequestResponse> {
  const answer = await house.ask(request);
  expectProblem(answer, status, slug);
  expect(house.engine.started).toEqual([]);
  return answer;
}

function expectProblem(answer: LightMyRequestResponse, status: number, slug: string): void {
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([status, "application/problem+json"]);
  expect(answer.json()).toMatchObject({
    type: `/problems/${slug}`,
    title: expect.any(String),
    detail: expect.stringMatching(/./),
  });
  expect(answer.headers["service-version"]).toBe("2024-10-01");
}

function setMode(payload: string | object, headers: Record<string, string> = JSON_BODY): InjectOptions {
  return { method: "POST", url: `/batteries/${BATTERY}/operation-mode`, payload, headers };
}

describe("credentials", () => {
  it("that are missing: 401 and how to get them", async () => {
    const answer = await house.api.inject({ url: "/batteries" });
    expectProblem(answer, 401, "unauthorized");
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="hemgate"');
    expect(answer.json().title).toBe("Unauthorized");
  });

  it.each(["Bearer wrong", "Bearer ", "Basic YTpi", "bearer", "Bearer a b", "Bearer ä"])(
    "that are wrong, as %j: 401",
    async (authorization) => {
      expectProblem(await house.api.inject({ url: "/batteries", headers: { authorization } }), 401, "unauthorized");
    },
  );

  it("that are expired: 401 invalid_token", async () => {
    await using own = await openFurnished();
    expect((await own.ask({ url: "/batteries" })).statusCode).toBe(200);
    await own.clock.advance(3_600_000);
    const answer = await own.ask({ url: "/batteries" });
    expectProblem(answer, 401, "unauthorized");
    expect(answer.headers["www-authenticate"]).toContain('error="invalid_token"');
  });

  it("of a client that was removed: 401", async () => {
    await using own = await openFurnished();
    await own.store.commit([{ table: "client", key: own.client.id, remove: true }]);
    expectProblem(await own.ask({ url: "/batteries" }), 401, "unauthorized");
  });

  it("in the address instead of the header: 401", async () => {
    expectProblem(await house.api.inject({ url: "/batteries?access_token=x" }), 401, "unauthorized");
  });

  it("that are missing tell nothing about which paths exist", async () => {
    for (const url of ["/nothing", `/batteries/${BATTERY}`, `/batteries/${uuid(99)}`, "/users/home/batteries"]) {
      expectProblem(await house.api.inject({ url }), 401, "unauthorized");
    }
  });
});

describe("a version", () => {
  it("that is not served: 400 and the ones that are", async () => {
    const answer = await askWrong(
      { url: "/batteries", headers: { "service-version": "2019-01-01" } },
      400,
      "unsupported-version",
    );
    expect(answer.json().detail).toBe(
      'There is no version "2019-01-01"; served: 2024-10-01, 2024-01-01, 2023-08-01, 2023-05-01, 2023-04-15, 2023-04-01.',
    );
  });

  it.each(["", "latest", "2024-10-01, 2024-10-01", "__proto__"])("written as %j: 400", async (version) => {
    await askWrong({ url: "/batteries", headers: { "service-version": version } }, 400, "unsupported-version");
  });

  it("that has no user header any more: 400 with the header's name", async () => {
    const answer = await askWrong({ url: "/batteries", headers: { "service-user-id": "home" } }, 400, "bad-request");
    expect(answer.json().issues).toMatchObject([{ in: "header", path: ["service-user-id"] }]);
  });
});

describe("a body", () => {
  it("of broken JSON: 400 and where", async () => {
    const answer = await askWrong(setMode('{"operationMode": IDLE}'), 400, "bad-request");
    expect(answer.json().detail).toBe("The body is not JSON: line 1, column 19: expected a value.");
  });

  it("with unknown keys: 400 and each of them", async () => {
    const answer = await askWrong(setMode({ operationMode: "IDLE", until: 5, mode: "x" }), 400, "bad-request");
    expect(answer.json().issues).toEqual([
      { code: "unrecognized_keys", path: ["until"], message: 'Unknown key "until"', in: "body" },
      { code: "unrecognized_keys", path: ["mode"], message: 'Unknown key "mode"', in: "body" },
    ]);
  });

  it("with a wrong type: 400, what was expected and what came", async () => {
    const request = { url: `/chargers/${CHARGER}/max-current`, method: "POST", payload: { maxCurrent: "16" } } as const;
    const answer = await askWrong(request, 400, "bad-request");
    expect(answer.json()).toMatchObject({
      detail: "body.maxCurrent: Expected a number, received a string",
      issues: [{ code: "invalid_type", path: ["maxCurrent"], in: "body", expected: "number", received: '"16"' }],
    });
  });

  it.each([0, -1, null, true])("with a current of %j ampere: 400", async (maxCurrent) => {
    await askWrong(
      { url: `/chargers/${CHARGER}/max-current`, method: "POST", payload: { maxCurrent } },
      400,
      "bad-request",
    );
  });

  it("with a current that JSON cannot say, as 1e999: 400", async () => {
    const url = `/chargers/${CHARGER}/max-current`;
    await askWrong({ url, method: "POST", payload: '{"maxCurrent":1e999}', headers: JSON_BODY }, 400, "bad-request");
  });

  it("with a mode that can only be reported: 400 and the modes there are", async () => {
    const answer = await askWrong(setMode({ operationMode: "UNKNOWN" }), 400, "bad-request");
    expect(answer.json().issues).toMatchObject([
      { code: "invalid_enum", path: ["operationMode"], expected: expect.stringContaining("SELF_RELIANCE") },
    ]);
  });

  it.each(["[]", "null", "5", '"IDLE"'])("that is %s instead of an object: 400", async (payload) => {
    await askWrong(setMode(payload), 400, "bad-request");
  });

  it("that is missing: 400", async () => {
    const answer = await askWrong({ method: "POST", url: `/batteries/${BATTERY}/operation-mode` }, 400, "bad-request");
    expect(answer.json().detail).toBe("The request needs a JSON body.");
  });

  it("with a key that reaches into prototypes: 400 and nothing changes", async () => {
    await askWrong(setMode('{"operationMode":"IDLE","__proto__":{"isAdmin":true}}'), 400, "bad-request");
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml", "nonsense"])(
    "of type %s, as a stranger's web page can send it: 415",
    async (type) => {
      await askWrong(setMode('{"operationMode":"IDLE"}', { "content-type": type }), 415, "unsupported-media-type");
    },
  );

  it("that is broken and says no type is told as broken JSON: 400", async () => {
    const answer = await askWrong(setMode('{"operationMode": IDLE}', {}), 400, "bad-request");
    expect(answer.json().detail).toBe("The body is not JSON: line 1, column 19: expected a value.");
  });

  it("that is compressed: 415", async () => {
    await askWrong(setMode("{}", { ...JSON_BODY, "content-encoding": "gzip" }), 415, "unsupported-media-type");
  });

  it("that is larger than 64 KiB: 413", async () => {
    await askWrong(setMode({ operationMode: "x".repeat(65_536) }), 413, "payload-too-large");
  });

  it("of any JSON at all never gets beyond a problem, and breaks no later request", async () => {
    await using own = await openFurnished();
    const key = fc.constantFrom("operationMode", "__proto__", "constructor", "prototype", "x");
    const value = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(value, async (payload) => {
        const answer = await own.ask(setMode(JSON.stringify(payload)));
        expectProblem(answer, 400, "bad-request");
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    expect((await own.ask(setMode({ operationMode: "IDLE" }))).statusCode).toBe(200);
  });
});

describe("a list's query", () => {
  it("with both cursors: 400 mutually_exclusive", async () => {
    const cursor = encodeCursor({ createdAtMs: 0, id: BATTERY });
    const answer = await askWrong({ url: `/batteries?after=${cursor}&before=${cursor}` }, 400, "bad-request");
    expect(answer.json().issues).toMatchObject([{ code: "mutually_exclusive", in: "query" }]);
  });

  it.each([
    "after=nonsense",
    "before=nonsense",
    "after=",
    "after=a&after=b",
    "pageSize=0",
    "pageSize=-5",
    "pageSize=2.5",
  ])("of %s: 400", async (query) => {
    const answer = await askWrong({ url: `/batteries?${query}` }, 400, "bad-request");
    expect(answer.json().issues).toMatchObject([{ in: "query", path: [query.split("=", 1)[0]] }]);
  });
});

describe("a path", () => {
  it("that does not exist: 404", async () => {
    await askWrong({ url: "/toasters" }, 404, "not-found");
  });

  it("with another method: 405 and the methods it has", async () => {
    const answer = await askWrong({ method: "DELETE", url: `/batteries/${BATTERY}` }, 405, "method-not-allowed");
    expect(answer.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it("of an open route with another method needs no token to say so", async () => {
    const answer = await house.api.inject({ url: "/oauth2/token" });
    expectProblem(answer, 405, "method-not-allowed");
    expect(answer.headers["allow"]).toBe("POST, OPTIONS");
  });

  it("asked for by a browser's preflight gets no cross-origin rights", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const url = `/batteries/${BATTERY}/operation-mode`;
    const answer = await house.api.inject({ method: "OPTIONS", url, headers });
    expect([answer.statusCode, answer.headers["allow"]]).toEqual([204, "POST, OPTIONS"]);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each([uuid(99), "not-a-uuid", "..", "%00", "x".repeat(3_000)])("with the unknown id %s: 404", async (id) => {
    await askWrong({ url: `/batteries/${id}` }, 404, "not-found");
  });

  it("with an id longer than any: 404", async () => {
    await askWrong({ url: `/batteries/${"x".repeat(4_000)}` }, 404, "not-found");
  });

  it("that is not validly encoded: 400", async () => {
    await askWrong({ url: "/batteries/%zz" }, 400, "bad-request");
  });

  it("of a user that does not exist: 404 in the words clients know", async () => {
    const answer = await askWrong({ url: "/users/nobody/batteries" }, 404, "not-found");
    expect(answer.json()).toMatchObject({ title: "User does not exist", detail: 'There is no user "nobody".' });
  });
});

describe("a Host header", () => {
  it.each(["evil.example", "localhost.evil.example:8080"])("of %j: 421", async (host) => {
    await askWrong({ url: "/batteries", headers: { host } }, 421, "misdirected-request");
  });

  it("of a stranger gets no answer from an open path either", async () => {
    for (const url of ["/health/ready", "/openapi.json", "/docs", "/problems", "/nothing"]) {
      const answer = await house.api.inject({ url, headers: { host: "evil.example" } });
      expectProblem(answer, 421, "misdirected-request");
    }
  });

  it("of a configured name is welcome", async () => {
    await using own = await openFurnished({ http: { names: ["energy.home.arpa"] } });
    const answer = await own.ask({ url: "/batteries", headers: { host: "energy.home.arpa:8080" } });
    expect(answer.statusCode).toBe(200);
  });
});
