import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { TokenBuckets } from "../../../src/platform/token-buckets.ts";
import { VirtualClock } from "../../../src/testing/index.ts";
import { getToken, openHouse } from "../support/api-house.ts";
import { makeBattery, makeCharger, uuid } from "../support/makers.ts";

const HEADERS = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"] as const;

function openStrict(limits: object = {}) {
  return openHouse({ config: { http: { limits } } });
}

describe("a token bucket", () => {
  const rule = { capacity: 3, perMinute: 60, maxKeys: 2 };

  it("gives its capacity at once, then its rate, and never more than its capacity", async () => {
    const clock = new VirtualClock();
    const buckets = new TokenBuckets(rule, clock);
    const takes = (): number[] => Array.from({ length: 4 }, () => buckets.take("a").waitMs);
    expect(takes()).toEqual([0, 0, 0, 1_000]);
    await clock.advance(1_000);
    expect(takes()).toEqual([0, 1_000, 1_000, 1_000]);
    await clock.advance(3_600_000);
    expect(takes()).toEqual([0, 0, 0, 1_000]);
  });

  it("says when it is full again", () => {
    const buckets = new TokenBuckets(rule, new VirtualClock());
    expect(buckets.look("a")).toEqual({ limit: 3, remaining: 3, fullInMs: 0, waitMs: 0 });
    buckets.take("a");
    expect(buckets.look("a")).toEqual({ limit: 3, remaining: 2, fullInMs: 1_000, waitMs: 0 });
  });

  it("is one of few: the one used longest ago is forgotten", () => {
    const buckets = new TokenBuckets(rule, new VirtualClock());
    for (const key of ["a", "b", "a", "c"]) buckets.take(key);
    expect(buckets.size).toBe(2);
    expect([buckets.look("a").remaining, buckets.look("b").remaining]).toEqual([1, 3]);
  });
});

describe("every answer", () => {
  it.each([
    { url: "/batteries" },
    { url: "/nothing" },
    { url: "/batteries/%zz" },
    { url: "/batteries", headers: { authorization: "Bearer wrong" } },
    { url: "/batteries", headers: { host: "evil.example" } },
    { url: "/health/ready" },
    { method: "OPTIONS", url: "/batteries" },
    { method: "HEAD", url: "/batteries" },
    { method: "POST", url: "/oauth2/token" },
    { url: "/docs" },
  ] as const)("says how much is left: %o", async (request) => {
    await using house = await openStrict();
    const { headers } = await house.ask(request);
    expect(HEADERS.map((name) => headers[name] ?? `no ${name}`).join(" ")).toMatch(/^100 \d+ \d+$/);
  });
});

describe("a client", () => {
  it("has 100 requests at once, then 10 a second", async () => {
    await using house = await openStrict();
    const ask = async (): Promise<number> => (await house.ask({ url: "/batteries" })).statusCode;
    const first = await Promise.all(Array.from({ length: 100 }, ask));
    expect(new Set(first)).toEqual(new Set([200]));
    const refused = await house.ask({ url: "/batteries" });
    expect([refused.statusCode, refused.json().type]).toEqual([429, "/problems/too-many-requests"]);
    expect(refused.headers).toMatchObject({ "retry-after": "1", "ratelimit-remaining": "0", "ratelimit-reset": "10" });
    await house.clock.advance(1_000);
    const then = await Promise.all(Array.from({ length: 11 }, ask));
    expect(then.filter((status) => status === 200)).toHaveLength(10);
  });

  it("is not slowed by another, nor by strangers at its address", async () => {
    await using house = await openStrict({ requestBurst: 5 });
    const other = await createClient({ store: house.store, clock: house.clock, random: house.random }, "other");
    for (let count = 0; count < 6; count += 1) await house.ask({ url: "/batteries" });
    const token = await getToken(house.api, other);
    const answer = await house.api.inject({ url: "/batteries", headers: { authorization: `Bearer ${token}` } });
    expect(answer.statusCode).toBe(200);
  });

  it("is counted by time that never steps", async () => {
    await using house = await openStrict({ requestBurst: 2 });
    for (let count = 0; count < 3; count += 1) await house.ask({ url: "/batteries" });
    house.clock.setWallMs(house.clock.nowMs() - 86_400_000);
    expect((await house.ask({ url: "/batteries" })).statusCode).toBe(429);
    await house.clock.advance(1_000);
    expect((await house.ask({ url: "/batteries" })).statusCode).toBe(200);
  });
});

describe("an address without a token", () => {
  it("has as many requests as a client", async () => {
    await using house = await openStrict({ requestBurst: 5 });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await house.api.inject({ url: "/batteries", remoteAddress: "10.0.0.9" })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await house.api.inject({ url: "/batteries", remoteAddress: "10.0.0.8" })).statusCode).toBe(401);
  });
});

describe("commands", () => {
  const IDLE = { operationMode: "IDLE" };

  it("are 6 a minute for one device, whoever sends them", async () => {
    await using house = await openStrict();
    const [first, second] = [makeBattery({ id: uuid(1) }), makeBattery({ id: uuid(2) })];
    for (const battery of [first, second]) house.engine.add("battery", battery);
    const send = (id: string) => house.ask({ method: "POST", url: `/batteries/${id}/operation-mode`, payload: IDLE });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await send(uuid(1))).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    const refused = await send(uuid(1));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ "retry-after": "10", "ratelimit-limit": "6", "ratelimit-remaining": "0" });
    expect((await send(uuid(2))).statusCode).toBe(200);
    expect((await house.ask({ url: `/batteries/${uuid(1)}` })).statusCode).toBe(200);
    await house.clock.advance(10_000);
    expect([(await send(uuid(1))).statusCode, (await send(uuid(1))).statusCode]).toEqual([200, 429]);
  });

  it("are 60 a minute for one client, and what a device refuses costs none of them", async () => {
    await using house = await openStrict({ commandsPerMinute: 4, commandsPerDevicePerMinute: 2 });
    for (const id of ["a", "b", "c"]) house.engine.add("charger", makeCharger({ id }));
    const send = async (id: string) =>
      (await house.ask({ method: "POST", url: `/chargers/${id}/charging`, payload: { action: "STOP" } })).statusCode;
    const statuses: number[] = [];
    for (const id of ["a", "a", "a", "a", "b", "b", "c"]) statuses.push(await send(id));
    expect(statuses).toEqual([200, 200, 429, 429, 200, 200, 429]);
  });
});

describe("hints to read a device", () => {
  it("are merged into one in half a minute", async () => {
    await using house = await openStrict();
    house.engine.add("battery", makeBattery({ id: "a" }));
    const hint = async () => (await house.ask({ method: "POST", url: "/batteries/a/refresh-hint" })).statusCode;
    expect([await hint(), await hint(), await hint()]).toEqual([204, 204, 204]);
    expect(house.engine.hinted).toEqual(["a"]);
    await house.clock.advance(29_000);
    expect(house.engine.hinted).toEqual(["a"]);
    await house.clock.advance(1_000);
    expect(house.engine.hinted).toEqual(["a", "a"]);
    await house.clock.advance(60_000);
    expect(house.engine.hinted).toEqual(["a", "a"]);
  });

  it("about nothing are 404 each time", async () => {
    await using house = await openStrict();
    for (let count = 0; count < 2; count += 1) {
      expect((await house.ask({ method: "POST", url: "/batteries/a/refresh-hint" })).statusCode).toBe(404);
    }
  });
});
