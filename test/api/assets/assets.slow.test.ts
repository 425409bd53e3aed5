import { describe, expect, it } from "vitest";
import { ASSET_KINDS, type AssetKind } from "../../../src/domain/assets/asset.ts";
import { type ApiHouse, openHouse } from "../support/api-house.ts";
import { MAKERS, makeBattery, uuid } from "../support/makers.ts";

const PLURALS: Readonly<Record<AssetKind, string>> = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
};
const KINDS = ASSET_KINDS.map((kind) => ({ kind, plural: PLURALS[kind] }));

interface ListAnswer {
  data: { id: string; userId: string }[];
  pagination: { after: string | null; before: string | null };
}

async function list(house: ApiHouse, url: string): Promise<ListAnswer> {
  const answer = await house.ask({ url });
  expect(answer.statusCode).toBe(200);
  return answer.json<ListAnswer>();
}

describe.each(KINDS)("$plural", ({ kind, plural }) => {
  it("are listed in the envelope, newest first", async () => {
    await using house = await openHouse();
    for (const number of [1, 2, 3]) house.engine.add(kind, MAKERS[kind]({ id: uuid(number) }) as never, number);
    const { data, pagination } = await list(house, `/${plural}`);
    expect(data.map((asset) => asset.id)).toEqual([uuid(3), uuid(2), uuid(1)]);
    expect(pagination).toEqual({ after: null, before: null });
  });

  it("are got by id, complete", async () => {
    await using house = await openHouse();
    const asset = MAKERS[kind]({ id: uuid(7) });
    house.engine.add(kind, asset as never);
    const answer = await house.ask({ url: `/${plural}/${uuid(7)}` });
    expect([answer.statusCode, answer.json()]).toEqual([200, asset]);
  });

  it("answer HEAD as GET, without the body", async () => {
    await using house = await openHouse();
    house.engine.add(kind, MAKERS[kind]({ id: uuid(7) }) as never);
    const get = await house.ask({ url: `/${plural}/${uuid(7)}` });
    const head = await house.ask({ method: "HEAD", url: `/${plural}/${uuid(7)}` });
    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      get.headers["content-length"],
    ]);
  });

  it("of a user are the user's only", async () => {
    await using house = await openHouse();
    house.engine.add(kind, MAKERS[kind]({ id: uuid(1), userId: "home" }) as never);
    house.engine.add(kind, MAKERS[kind]({ id: uuid(2), userId: "guest" }) as never);
    const { data } = await list(house, `/users/guest/${plural}`);
    expect(data.map((asset) => asset.id)).toEqual([uuid(2)]);
  });

  it("of a user without any are an empty list", async () => {
    await using house = await openHouse();
    expect(await list(house, `/users/home/${plural}`)).toEqual({
      data: [],
      pagination: { after: null, before: null },
    });
  });

  it("take a hint to be read soon", async () => {
    await using house = await openHouse();
    house.engine.add(kind, MAKERS[kind]({ id: uuid(7) }) as never);
    const answer = await house.ask({ method: "POST", url: `/${plural}/${uuid(7)}/refresh-hint` });
    expect([answer.statusCode, answer.body, house.engine.hinted]).toEqual([204, "", [uuid(7)]]);
  });

  it("take a hint with an empty body of JSON too", async () => {
    await using house = await openHouse();
    house.engine.add(kind, MAKERS[kind]({ id: uuid(7) }) as never);
    const headers = { "content-type": "application/json" };
    const answer = await house.ask({ method: "POST", url: `/${plural}/${uuid(7)}/refresh-hint`, headers });
    expect(answer.statusCode).toBe(204);
  });

  it("answer a hint for none of them with an empty 404", async () => {
    await using house = await openHouse();
    const answer = await house.ask({ method: "POST", url: `/${plural}/${uuid(99)}/refresh-hint` });
    expect([answer.statusCode, answer.body]).toEqual([404, ""]);
  });
});

describe("a list", () => {
  it("is walked page by page, there and back", async () => {
    await using house = await openHouse();
    const ids = Array.from({ length: 7 }, (_, number) => uuid(number + 1));
    for (const id of ids) house.engine.add("battery", makeBattery({ id }), 1_000);
    const first = await list(house, "/batteries?pageSize=3");
    const second = await list(house, `/batteries?pageSize=3&after=${first.pagination.after}`);
    const third = await list(house, `/batteries?pageSize=3&after=${second.pagination.after}`);
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect([first.pagination.before, third.pagination.after]).toEqual([null, null]);
    const back = await list(house, `/batteries?pageSize=3&before=${third.pagination.before}`);
    expect(back).toEqual(second);
  });

  it("shows a change of one asset at once", async () => {
    await using house = await openHouse();
    house.engine.add("battery", makeBattery({ id: uuid(1) }), 2);
    house.engine.add("battery", makeBattery({ id: uuid(2) }), 1);
    await list(house, "/batteries");
    house.engine.entries.battery[1] = {
      asset: makeBattery({ id: uuid(2), isReachable: false }),
      createdAtMs: 1,
    };
    const { data } = await list(house, "/batteries");
    expect(data).toMatchObject([{ isReachable: true }, { isReachable: false }]);
  });

  it("is for owners in the configuration, who may have no device yet", async () => {
    await using house = await openHouse({
      config: { site: { owner: "anna" }, devices: [{ id: "b", adapter: "none", owner: "ben" }] },
    });
    expect((await house.ask({ url: "/users/anna/meters" })).statusCode).toBe(200);
    expect((await house.ask({ url: "/users/ben/meters" })).statusCode).toBe(200);
    expect((await house.ask({ url: "/users/home/meters" })).statusCode).toBe(404);
  });

  it("is found by a user's name with spaces and accents", async () => {
    await using house = await openHouse({ config: { site: { owner: "Zoë & co" } } });
    expect((await house.ask({ url: `/users/${encodeURIComponent("Zoë & co")}/meters` })).statusCode).toBe(200);
  });
});

describe("an asset that breaks its own description", () => {
  it("is not shown: 500 without insides, and the log has the cause", async () => {
    await using house = await openHouse();
    house.engine.add("battery", { ...makeBattery({ id: uuid(1) }), isReachable: "yes" } as never);
    const answer = await house.ask({ url: `/batteries/${uuid(1)}` });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      type: "/problems/response-validation-error",
      title: "Validation Error",
      detail: "The battery breaks its own description.",
    });
    expect(house.log.texts("error")).toContain("a record breaks its own description");
  });

  it("with a number that is no number is not shown", async () => {
    await using house = await openHouse();
    const battery = makeBattery({ id: uuid(1) });
    const chargeState = { ...battery.chargeState, batteryLevel: Number.NaN };
    house.engine.add("battery", { ...battery, chargeState });
    expect((await house.ask({ url: "/batteries" })).json().type).toBe("/problems/response-validation-error");
  });
});
