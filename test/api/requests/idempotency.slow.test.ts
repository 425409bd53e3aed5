import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { chargerOptions, type Home, makeHome } from "../../engine/home.ts";
import { getToken, openHouse } from "../support/api-house.ts";
import { makeBattery, uuid } from "../support/makers.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const KEY = { "idempotency-key": "a-key-of-my-own" };

async function openWithCharger(home: Home = makeHome()): Promise<{ house: RealHouse; url: string }> {
  if (home.devices["wallbox"] === undefined) home.add("wallbox", chargerOptions());
  const house = await openRealHouse({ home });
  await house.pass(5_000);
  const list = await house.ask({ url: "/chargers" });
  return { house, url: `/chargers/${list.json<{ data: { id: string }[] }>().data[0]!.id}` };
}

function start(house: RealHouse, url: string, change: object = {}) {
  return house.ask({ method: "POST", url: `${url}/charging`, payload: { action: "START" }, headers: KEY, ...change });
}

describe("a command with a key", () => {
  it("is answered the same again, whatever became of it", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const first = await start(house, url);
    await house.ask({ method: "POST", url: `/chargers/actions/${first.json().id}/cancel` });
    await house.pass(60_000);
    const again = await start(house, url);
    expect([first.statusCode, first.headers["idempotency-replayed"]]).toEqual([200, undefined]);
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
    expect([again.headers["content-type"], again.headers["idempotency-replayed"]]).toEqual([
      first.headers["content-type"],
      "true",
    ]);
    expect(house.run.store.all("action")).toHaveLength(1);
  });

  it("is answered the same after a restart", async () => {
    const home = makeHome();
    const { house, url } = await openWithCharger(home);
    const first = await start(house, url);
    const client = house.run.store.all("client")[0]!;
    await house[Symbol.asyncDispose]();
    const { house: again } = await openWithCharger(home);
    await using _again = again;
    expect(again.run.store.all("idempotency")).toMatchObject([{ clientId: client.id, status: 200, body: first.body }]);
  });

  it("that was cut off by a crash finds its action, and makes no other", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const first = await start(house, url);
    await house.ask({ method: "POST", url: `/chargers/actions/${first.json().id}/cancel` });
    const [record] = house.run.store.all("idempotency");
    await house.home.world.clock.resolve(
      house.run.store.commit([{ table: "idempotency", key: record!.id, remove: true }], []),
      1_000,
    );
    const again = await start(house, url);
    expect(again.json()).toMatchObject({ id: first.json().id, state: "CANCELLED" });
    expect(house.run.store.all("action")).toHaveLength(1);
  });

  it("runs once when it comes more than once at the same time", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery());
    const url = `/batteries/${uuid(1)}/operation-mode`;
    const request = { method: "POST" as const, url, payload: { operationMode: "IDLE" }, headers: KEY };
    const answers = await Promise.all([house.ask(request), house.ask(request), house.ask(request)]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers.map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true", "true"]);
    expect(house.engine.started).toHaveLength(1);
  });

  it.each([[{ payload: { action: "STOP" } }], [{ url: "/max-current", payload: { maxCurrent: 10 } }]])(
    "is refused for another request: %o",
    async (change) => {
      const { house, url } = await openWithCharger();
      await using _house = house;
      await start(house, url);
      const other = { ...change, ...("url" in change && { url: `${url}${change.url}` }) };
      const answer = await start(house, url, other);
      expect([answer.statusCode, answer.json().type]).toEqual([409, "/problems/conflict"]);
    },
  );

  it("may be written with other spaces", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const first = await start(house, url);
    const headers = { ...KEY, "content-type": "application/json" };
    const again = await start(house, url, { headers, payload: '{ "action" :\n"START" }' });
    expect(again.body).toBe(first.body);
  });

  it("is the same when the clock is set in between", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery());
    const rightMs = house.clock.nowMs();
    house.clock.setQuality("unset");
    house.clock.setWallMs(60_000);
    const send = async () => {
      const token = await getToken(house.api, house.client);
      const headers = { ...KEY, authorization: `Bearer ${token}` };
      const url = `/batteries/${uuid(1)}/operation-mode`;
      const answer = await house.ask({ method: "POST", url, payload: { operationMode: "IDLE" }, headers });
      return answer.headers["idempotency-replayed"];
    };
    const replayed = [await send()];
    house.clock.setWallMs(rightMs);
    replayed.push(await send());
    house.clock.setQuality("synced");
    replayed.push(await send());
    expect(replayed).toEqual([undefined, "true", "true"]);
  });

  it("is a new one after a day", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery());
    const send = async (operationMode: string) => {
      const token = await getToken(house.api, house.client);
      const headers = { ...KEY, authorization: `Bearer ${token}` };
      const url = `/batteries/${uuid(1)}/operation-mode`;
      return (await house.ask({ method: "POST", url, payload: { operationMode }, headers })).statusCode;
    };
    const statuses = [await send("IDLE")];
    await house.clock.advance(24 * 3_600_000 - 1);
    statuses.push(await send("SELF_RELIANCE"));
    await house.clock.advance(1);
    statuses.push(await send("SELF_RELIANCE"));
    expect(statuses).toEqual([200, 409, 200]);
  });
});

describe("a refusal of a command with a key", () => {
  it("is answered again", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const request = { method: "POST" as const, url: `${url}/charging`, payload: { action: "STOP" }, headers: KEY };
    const first = await house.ask(request);
    const again = await house.ask(request);
    expect([first.statusCode, again.statusCode, again.body]).toEqual([400, 400, first.body]);
    expect([again.headers["content-type"], again.headers["idempotency-replayed"]]).toEqual([
      "application/problem+json",
      "true",
    ]);
  });

  it("uses no key up when the request itself is wrong", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    expect((await start(house, url, { payload: { action: "HALT" } })).statusCode).toBe(400);
    expect((await start(house, url)).statusCode).toBe(200);
  });

  it("is not kept when the gateway is to blame", async () => {
    const home = makeHome();
    const { house, url } = await openWithCharger(home);
    await using _house = house;
    home.disk.failWrites("lost");
    expect((await start(house, url)).statusCode).toBe(503);
    await house.pass(120_000);
    expect((await start(house, url)).statusCode).toBe(200);
  });
});

describe("a key", () => {
  it.each(["", "ä", "x".repeat(256), "a\tb"])("cannot be %j", async (key) => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const answer = await start(house, url, { headers: { "idempotency-key": key } });
    expect([answer.statusCode, answer.json().issues[0]]).toMatchObject([
      400,
      { in: "header", path: ["idempotency-key"] },
    ]);
  });

  it("is a client's own", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery());
    const other = await createClient({ store: house.store, clock: house.clock, random: house.random }, "other");
    const token = await getToken(house.api, other);
    const send = (operationMode: string, authorization?: string) =>
      house.ask({
        method: "POST",
        url: `/batteries/${uuid(1)}/operation-mode`,
        payload: { operationMode },
        headers: { ...KEY, ...(authorization !== undefined && { authorization }) },
      });
    expect((await send("IDLE")).statusCode).toBe(200);
    expect((await send("SELF_RELIANCE", `Bearer ${token}`)).statusCode).toBe(200);
  });

  it("is kept among the newest thousand of its client", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery());
    for (let count = 0; count < 1_005; count += 1) {
      await house.ask({
        method: "POST",
        url: `/batteries/${uuid(1)}/operation-mode`,
        payload: { operationMode: "IDLE" },
        headers: { "idempotency-key": `key ${count}` },
      });
    }
    expect(house.store.all("idempotency")).toHaveLength(1_000);
  });

  it("means nothing to a request that is no command", async () => {
    const { house, url } = await openWithCharger();
    await using _house = house;
    const answer = await house.ask({ method: "POST", url: `${url}/refresh-hint`, headers: { "idempotency-key": "ä" } });
    expect(answer.statusCode).toBe(204);
  });

  it("is described on commands and nowhere else", async () => {
    await using house = await openHouse();
    const { paths } = (await house.ask({ url: "/openapi.json" })).json<{ paths: Record<string, object> }>();
    const named = Object.entries(paths).filter(([, item]) => JSON.stringify(item).includes("idempotency-key"));
    expect(named.map(([path]) => path)).toContain("/chargers/{chargerId}/charging");
    expect(named.every(([path]) => /^\/(batteries|chargers|hvacs|vehicles)\/\{\w+\}\/[a-z-]+$/.test(path))).toBe(true);
  });
});
