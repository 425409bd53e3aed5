import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { isSecure } from "../../../src/api/people/session-cookie.ts";
import { openRealHouse } from "../support/real-house.ts";
import { Browser, batteryPath, DAY_MS, house, ownerOf, personOf, skip } from "./browser.ts";

describe("a session", () => {
  test("goes on after a restart and slides, and ends after 30 days without a request", async () => {
    const opened = await house();
    const anna = await ownerOf(opened);
    for (let week = 0; week < 6; week += 1) {
      skip(opened, 7 * DAY_MS);
      expect((await anna.get("/local/session")).statusCode).toBe(200);
    }
    const { home } = opened;
    await opened[Symbol.asyncDispose]();
    await using again = await openRealHouse({ home });
    const same = new Browser(again);
    same.cookie = anna.cookie;
    expect((await same.get("/local/session")).statusCode).toBe(200);
    expect((await same.get("/local/claim")).json()).toEqual({ isClaimed: true });
    skip(again, 31 * DAY_MS);
    const answer = await same.get("/batteries");
    expect([answer.statusCode, answer.json().detail]).toEqual([401, "The session has ended; sign in again."]);
  });

  test("that was signed out is dead at once, also for who stole the cookie, and after a restart", async () => {
    const opened = await house();
    const anna = await ownerOf(opened);
    const thief = new Browser(opened, "192.168.1.66");
    thief.cookie = anna.cookie;
    thief.csrfToken = anna.csrfToken;
    expect((await thief.get("/batteries")).statusCode).toBe(200);
    const answer = await anna.send("DELETE", "/local/session");
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect((await thief.get("/batteries")).statusCode).toBe(401);
    expect((await thief.send("POST", "/local/people", { name: "Eve", role: "owner" })).statusCode).toBe(401);
    const { home } = opened;
    await opened[Symbol.asyncDispose]();
    await using again = await openRealHouse({ home });
    const later = new Browser(again);
    later.cookie = thief.cookie;
    expect((await later.get("/batteries")).statusCode).toBe(401);
  });

  test("changes nothing without its CSRF token, from another site's page, or where nothing says where it comes from", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const path = await batteryPath(anna);
    const body = { operationMode: "IDLE" };
    const tries = [
      { "x-csrf-token": "" },
      { "x-csrf-token": "a".repeat(43) },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:9999" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of tries) expect((await anna.send("POST", path, body, { headers })).statusCode).toBe(403);
    const bare = await opened.api.inject({
      method: "POST",
      url: path,
      headers: { host: "localhost", cookie: `hemgate-session=${anna.cookie}`, "x-csrf-token": anna.csrfToken ?? "" },
      payload: body,
    });
    expect(bare.statusCode).toBe(403);
    expect((await anna.send("DELETE", "/local/session", undefined, { headers: tries[0]! })).statusCode).toBe(403);
    expect((await anna.send("POST", path, body)).statusCode).toBe(200);
  });

  test("is not looked at in a request with a token, which needs no CSRF token", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const headers = { cookie: `hemgate-session=${anna.cookie}` };
    expect(
      (await opened.ask({ method: "POST", url: await batteryPath(anna), headers, payload: { operationMode: "IDLE" } }))
        .statusCode,
    ).toBe(200);
    expect((await opened.ask({ url: "/local/session", headers })).statusCode).toBe(401);
    expect((await anna.get("/batteries", { headers: { authorization: "Bearer wrong" } })).statusCode).toBe(401);
  });

  test("is Secure where the browser speaks https", async () => {
    await using opened = await house();
    await ownerOf(opened);
    const anna = new Browser(opened);
    const answer = await anna.signIn("anna", "correct horse", { headers: { origin: "https://localhost:8080" } });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([200, expect.stringContaining("; Secure")]);
  });

  test.each([
    [{ origin: "null", "sec-fetch-site": "same-origin" }, "gateway.example", true],
    [{ origin: "null" }, "gateway.example", false],
    [{ origin: "null", "sec-fetch-site": "same-origin" }, "localhost:8080", false],
    [{ origin: "http://gateway.example", "sec-fetch-site": "same-origin" }, "gateway.example", false],
    [{}, "gateway.example", false],
  ] as const)("with %j at %s is Secure: %s", (headers, host, expected) => {
    expect(isSecure({ headers: { host, ...headers }, protocol: "http" } as unknown as FastifyRequest)).toBe(expected);
  });

  test("of an account at one more browser than there may be pushes out the oldest", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const { people } = opened.run.engine.services;
    for (let each = 0; each < 20; each += 1) {
      skip(opened, 120_000);
      await new Browser(opened).signIn("Anna", "correct horse");
    }
    expect(people.sessions({ accountId: null, isManager: true })).toHaveLength(20);
    expect((await anna.get("/local/session")).statusCode).toBe(401);
  });

  test("of another browser is listed, and ended from here", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    skip(opened, 1_000);
    const ben = await personOf(opened, anna, "member", "Ben");
    const listed = (await anna.get("/local/sessions")).json();
    expect(listed).toMatchObject([
      { accountName: "Ben", isCurrent: false, address: "192.168.1.8" },
      { accountName: "Anna", isCurrent: true },
    ]);
    expect((await ben.get("/local/sessions")).json()).toHaveLength(1);
    expect((await ben.send("DELETE", `/local/sessions/${listed[1].id}`)).statusCode).toBe(404);
    expect((await anna.send("DELETE", `/local/sessions/${listed[0].id}`)).statusCode).toBe(204);
    expect((await ben.get("/batteries")).statusCode).toBe(401);
  });
});
