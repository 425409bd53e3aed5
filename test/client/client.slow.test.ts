import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClientError } from "../../src/client/index.ts";
import { getToken } from "../api/support/api-house.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { batteryOptions, chargerOptions, makeHome } from "../engine/home.ts";
import { clientOf } from "./house-client.ts";

let house: RealHouse;

/** 60 requests a minute, 3 at once. */
const FEW = { requestsPerMinute: 60, requestBurst: 3, commandsPerMinute: 1_000, commandsPerDevicePerMinute: 1_000 };

async function open(config: object = {}): Promise<void> {
  const home = makeHome();
  home.add("charger", chargerOptions());
  for (const name of ["a", "b", "c"]) home.add(name, batteryOptions());
  house = await openRealHouse({ home, config });
  await house.pass(3_000);
}

beforeEach(async () => await open());
afterEach(async () => await house[Symbol.asyncDispose]());

async function errorOf(promise: Promise<unknown>): Promise<ClientError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientError)) throw new Error(`no ClientError: ${String(error)}`);
  return error;
}

async function chargerId(client: ReturnType<typeof clientOf>["client"]): Promise<string> {
  const [charger] = (await client.get("/chargers")).data;
  return charger!.id;
}

describe("a client", () => {
  it("reads with a token that it gets once for all requests that wait for it", async () => {
    const { client, sent } = clientOf(house);
    const [batteries, chargers] = await Promise.all([client.get("/batteries"), client.get("/chargers")]);
    expect(batteries.data.map(({ chargeState }) => chargeState.batteryLevel)).toEqual([55.5, 55.5, 55.5]);
    expect(chargers.data).toHaveLength(1);
    expect(sent.filter(({ path }) => path === "/oauth2/token")).toHaveLength(1);
  });

  it("gets a new token when the gateway does not know the old one any more", async () => {
    const { client, sent } = clientOf(house);
    await client.get("/batteries");
    const { clock } = house.home.world;
    // A client has at most 64 tokens; the oldest goes.
    for (let at = 0; at < 64; at += 1) await clock.resolve(getToken(house.api, house.client), 25_000);
    await client.get("/batteries");
    expect(sent.map(({ path, status }) => [path, status])).toEqual([
      ["/oauth2/token", 200],
      ["/batteries", 200],
      ["/batteries", 401],
      ["/oauth2/token", 200],
      ["/batteries", 200],
    ]);
  });

  it("lists all pages, and fetches the next one only when it is needed", async () => {
    const { client, sent } = clientOf(house);
    const ids: string[] = [];
    for await (const { id } of client.list("/batteries", { query: { pageSize: 2 } })) ids.push(id);
    expect(new Set(ids).size).toBe(3);
    const pages = sent.filter(({ path }) => path.startsWith("/batteries"));
    expect(pages.map(({ path }) => path.replace(/(after)=.*/, "$1"))).toEqual([
      "/batteries?pageSize=2",
      "/batteries?pageSize=2&after",
    ]);
    for await (const { id } of client.list("/batteries", { query: { pageSize: 2 } })) {
      expect(id).toBe(ids[0]);
      break;
    }
    expect(sent.filter(({ path }) => path.startsWith("/batteries"))).toHaveLength(3);
  });

  it("sends a command whose answer was lost again, and the gateway runs it once", async () => {
    const { client, sent, loseAnswers } = clientOf(house);
    const id = await chargerId(client);
    loseAnswers(2);
    const action = await client.post("/chargers/{chargerId}/max-current", {
      path: { chargerId: id },
      body: { maxCurrent: 10 },
    });
    const commands = sent.filter(({ method, path }) => method === "POST" && path.endsWith("/max-current"));
    expect(commands).toHaveLength(3);
    expect(new Set(commands.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    await house.pass(10_000);
    const { state } = await client.get("/chargers/actions/{actionId}", { path: { actionId: action!.id } });
    expect(state).toBe("CONFIRMED");
    expect(house.home.devices["charger"]?.written("charger.maxCurrent")).toEqual([10]);
  });

  it("does not send again what might be done twice", async () => {
    const { client, sent, loseAnswers } = clientOf(house);
    await client.get("/users");
    loseAnswers(1);
    const body = { url: "https://hooks.example/house", secret: "0123456789abcdef" };
    const error = await errorOf(client.post("/webhooks", { body }));
    expect(error).toMatchObject({
      status: 0,
      code: "no-answer",
      message: "http://hemgate.local:8080 does not answer.",
    });
    expect(sent.filter(({ path }) => path === "/webhooks")).toHaveLength(1);
    expect((await client.get("/webhooks")).data).toHaveLength(1);
  });

  it("gives up after the configured number of attempts, with pauses that grow", async () => {
    const { client, pauses, loseAnswers } = clientOf(house, { retries: { count: 4 } });
    await client.get("/users");
    loseAnswers(99);
    expect((await errorOf(client.get("/users"))).status).toBe(0);
    expect(pauses).toHaveLength(4);
    pauses.forEach((ms, at) => {
      expect(ms).toBeGreaterThanOrEqual(250 * 2 ** at);
      expect(ms).toBeLessThanOrEqual(500 * 2 ** at);
    });
  });

  it("says what the gateway says about a refusal, and names the request", async () => {
    const { client } = clientOf(house);
    const path = { batteryId: "00000000-0000-4000-8000-000000000000" };
    const missing = await errorOf(client.get("/batteries/{batteryId}", { path }));
    expect(missing).toMatchObject({ name: "ClientError", status: 404, code: "not-found" });
    expect(missing.message).toContain(path.batteryId);
    expect(missing.requestId).toMatch(/^req-/);
    const id = await chargerId(client);
    // The types refuse it as well.
    const body = { maxCurrent: "much" } as never;
    const invalid = await errorOf(client.post("/chargers/{chargerId}/max-current", { path: { chargerId: id }, body }));
    expect(invalid).toMatchObject({ status: 400, code: "bad-request", issues: [{ path: ["maxCurrent"] }] });
    const wrong = clientOf(house, { credentials: { ...house.client, secret: "wrong" } });
    expect(await errorOf(wrong.client.get("/users"))).toMatchObject({ status: 401, code: "invalid_client" });
  });

  it("puts ids into paths so that they stay one part, and refuses a path without its id", async () => {
    const { client, sent } = clientOf(house);
    await errorOf(client.get("/batteries/{batteryId}", { path: { batteryId: "../users?x" } }));
    expect(sent.at(-1)?.path).toBe("/batteries/..%2Fusers%3Fx");
    // @ts-expect-error: the id is missing.
    await expect(client.get("/batteries/{batteryId}")).rejects.toThrow("/batteries/{batteryId} needs path.batteryId");
    // @ts-expect-error: there is no such path.
    expect((await errorOf(client.get("/bateries"))).code).toBe("not-found");
  });

  it("ends when its signal aborts, with the signal's reason", async () => {
    const { client } = clientOf(house);
    const reason = new Error("enough");
    await expect(client.get("/users", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("a client with a limit of requests", () => {
  it("waits as long as the gateway asks", async () => {
    await house[Symbol.asyncDispose]();
    await open({ http: { limits: FEW } });
    const { client, sent, pauses } = clientOf(house);
    for (let at = 0; at < 4; at += 1) await client.get("/users");
    expect(sent.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(pauses)).toEqual(new Set([1_000]));
  });

  it("fails at once where it would have to wait longer than it may", async () => {
    await house[Symbol.asyncDispose]();
    await open({ http: { limits: { ...FEW, requestsPerMinute: 1 } } });
    const { client, pauses } = clientOf(house, { retries: { maxWaitMs: 5_000 } });
    const error = await errorOf(Promise.all(Array.from({ length: 4 }, () => client.get("/users"))));
    expect(error).toMatchObject({ status: 429, code: "too-many-requests" });
    expect(error.retryAfterMs).toBeGreaterThan(5_000);
    expect(pauses).toEqual([]);
  });
});
