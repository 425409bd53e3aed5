import { describe, expect, it } from "vitest";
import { makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const RATES = [
  { name: "day", cost: "0.31" },
  { name: "night", cost: "-0.03" },
];
const INTERVALS = [
  { name: "night", from: "00:00", to: "06:00" },
  { name: "day", from: "06:00", to: "24:00", weekdays: [0, 1, 2, 3, 4] },
];
const NOBODY = "2f1c9f0e-5a53-4f57-8a0c-0f6f5a0f8f11";

async function openHouse(home = makeHome()): Promise<RealHouse> {
  if (home.devices["meter"] === undefined) home.add("meter", { values: { "meter.power": 0 } });
  const house = await openRealHouse({ home });
  await house.pass(3_000);
  return house;
}

async function createLocation(house: RealHouse, timezoneName: string): Promise<string> {
  const payload = { name: "House", latitude: 1, longitude: 2, timezoneName };
  const answer = await house.ask({ method: "POST", url: "/users/home/locations", payload });
  return answer.json<{ id: string }>().id;
}

async function putTariff(house: RealHouse, id = "grid_2026", payload: unknown = RATES) {
  return await house.ask({ method: "PUT", url: `/tariffs/${id}`, payload: payload as object });
}

async function link(house: RealHouse, locationId: string, change: object = {}) {
  const payload = { tariffId: "grid_2026", tariffIntervals: INTERVALS, ...change };
  return await house.ask({ method: "PUT", url: `/locations/${locationId}/tariff`, payload });
}

describe("a tariff", () => {
  it("is stored with 204 and read back as it was written", async () => {
    await using house = await openHouse();
    const rates = [...RATES, { name: "odd", cost: "12." }];
    expect((await putTariff(house, "grid_2026", rates)).statusCode).toBe(204);
    const answer = await house.ask({ url: "/tariffs/grid_2026" });
    expect([answer.statusCode, answer.json()]).toEqual([200, rates]);
  });

  it.each([
    [[{ name: "a", cost: 0.3 }], [0, "cost"]],
    [[{ name: "a", cost: "1e3" }], [0, "cost"]],
    [[{ name: "a", cost: "0.1234567890" }], [0, "cost"]],
    [[{ name: "", cost: "1" }], [0, "name"]],
    [[{ name: "a", cost: "1", unit: "EUR" }], [0, "unit"]],
    [
      [RATES[0], RATES[0]],
      [1, "name"],
    ],
    [{ name: "a", cost: "1" }, []],
  ])("of %j is refused", async (payload, path) => {
    await using house = await openHouse();
    const answer = await putTariff(house, "grid_2026", payload);
    expect([answer.statusCode, answer.json().issues[0].path]).toEqual([400, path]);
  });

  it("has an id of letters, digits, _ and -", async () => {
    await using house = await openHouse();
    for (const id of ["a b", "a.b", "x".repeat(37), "ä"]) {
      const answer = await putTariff(house, encodeURIComponent(id));
      expect([answer.statusCode, answer.json().issues[0].in]).toEqual([400, "path"]);
      expect((await house.ask({ url: `/tariffs/${encodeURIComponent(id)}` })).statusCode).toBe(404);
    }
    expect((await house.ask({ url: "/tariffs/__proto__" })).statusCode).toBe(404);
  });

  it("is listed by its id", async () => {
    await using house = await openHouse();
    for (const id of ["a", "b", "c"]) {
      await putTariff(house, id);
      await house.pass(1_000);
    }
    const first = (await house.ask({ url: "/tariffs?pageSize=2" })).json();
    const second = (await house.ask({ url: `/tariffs?pageSize=2&after=${first.pagination.after}` })).json();
    expect([first.data, second.data]).toEqual([["c", "b"], ["a"]]);
  });
});

describe("a location's tariff", () => {
  it("is read back as it was said where the clock is UTC", async () => {
    await using house = await openHouse();
    const id = await createLocation(house, "UTC");
    await putTariff(house);
    expect((await link(house, id)).statusCode).toBe(204);
    const answer = await house.ask({ url: `/locations/${id}/tariff` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      { fromHourMinute: "00:00", toHourMinute: "06:00", tariffId: "grid_2026", tariffName: "night" },
      ...[0, 1, 2, 3, 4].map((weekday) => ({
        weekday,
        fromHourMinute: "06:00",
        toHourMinute: "24:00",
        tariffId: "grid_2026",
        tariffName: "day",
      })),
    ]);
  });

  it("is read back in UTC elsewhere", async () => {
    await using house = await openHouse();
    const id = await createLocation(house, "Asia/Kolkata");
    await putTariff(house);
    await link(house, id, { tariffIntervals: [INTERVALS[0]] });
    expect((await house.ask({ url: `/locations/${id}/tariff` })).json()).toEqual([
      { fromHourMinute: "00:00", toHourMinute: "00:30", tariffId: "grid_2026", tariffName: "night" },
      { fromHourMinute: "18:30", toHourMinute: "24:00", tariffId: "grid_2026", tariffName: "night" },
    ]);
  });

  it("replaces the one before, and can be taken away", async () => {
    await using house = await openHouse();
    const id = await createLocation(house, "UTC");
    await putTariff(house);
    await link(house, id);
    await link(house, id, { tariffIntervals: [INTERVALS[0]] });
    expect((await house.ask({ url: `/locations/${id}/tariff` })).json()).toHaveLength(1);
    for (let time = 0; time < 2; time += 1) {
      expect((await house.ask({ method: "DELETE", url: `/locations/${id}/tariff` })).statusCode).toBe(204);
      expect((await house.ask({ url: `/locations/${id}/tariff` })).json()).toEqual([]);
    }
  });

  it("that overlaps itself is refused with both intervals named", async () => {
    await using house = await openHouse();
    const id = await createLocation(house, "UTC");
    await putTariff(house);
    const answer = await link(house, id, {
      tariffIntervals: [...INTERVALS, { name: "night", from: "05:00", to: "07:00", weekdays: [6] }],
    });
    expect([answer.statusCode, answer.json().type]).toEqual([400, "/problems/bad-request"]);
    expect(answer.json().detail).toContain('"night" 05:00–07:00 overlaps "night" 00:00–06:00');
    expect(answer.json().issues[0].path).toEqual(["tariffIntervals", 2, "from"]);
    expect((await house.ask({ url: `/locations/${id}/tariff` })).json()).toEqual([]);
  });

  it.each([
    [{ tariffIntervals: [{ name: "dusk", from: "00:00", to: "01:00" }] }, 400],
    [{ tariffIntervals: [{ name: "day", from: "22:00", to: "06:00" }] }, 400],
    [{ tariffId: "a b" }, 400],
    [{ currency: "EUR" }, 400],
    [{ tariffId: "other" }, 404],
  ])("with %j is refused", async (change, status) => {
    await using house = await openHouse();
    const id = await createLocation(house, "UTC");
    await putTariff(house);
    expect((await link(house, id, change)).statusCode).toBe(status);
  });

  it("needs the location", async () => {
    await using house = await openHouse();
    await putTariff(house);
    for (const id of [NOBODY, "nowhere"]) {
      const url = `/locations/${id}/tariff`;
      expect((await link(house, id)).json()).toMatchObject({ type: "/problems/not-found" });
      expect((await house.ask({ url })).statusCode).toBe(404);
      expect((await house.ask({ method: "DELETE", url })).statusCode).toBe(404);
    }
  });

  it("stays when the tariff is replaced; the hours of a rate that is gone have no price until it is back", async () => {
    await using house = await openHouse();
    const id = await createLocation(house, "UTC");
    await putTariff(house);
    await link(house, id, { tariffIntervals: [{ name: "night", from: "00:00", to: "24:00" }] });
    const { prices } = house.run.engine.services;
    const seen: unknown[] = [];
    using _changes = prices.observe(() => seen.push(prices.between(id, 0, 1_000).map(({ cost }) => cost)));
    await putTariff(house, "grid_2026", [RATES[0]]);
    expect((await house.ask({ url: `/locations/${id}/tariff` })).json()).toHaveLength(1);
    await putTariff(house, "grid_2026", [{ name: "night", cost: "0.50" }]);
    expect(seen).toEqual([[], ["0.5"]]);
  });

  it("goes with its location, and outlives a restart otherwise", async () => {
    const home = makeHome();
    const house = await openHouse(home);
    const [gone, kept] = [await createLocation(house, "UTC"), await createLocation(house, "UTC")];
    await putTariff(house);
    for (const id of [gone, kept]) await link(house, id);
    await house.ask({ method: "DELETE", url: `/locations/${gone}` });
    await house[Symbol.asyncDispose]();
    await using again = await openHouse(home);
    expect(again.run.store.all("tariff-link").map(({ locationId }) => locationId)).toEqual([kept]);
    expect(again.run.engine.services.prices.between(kept, 0, 3_600_000)).toEqual([
      { fromMs: 0, toMs: 3_600_000, cost: "-0.03" },
    ]);
  });
});

describe("the currency", () => {
  it("is the euro unless the configuration says otherwise", async () => {
    await using house = await openHouse();
    expect(house.run.engine.services.prices.currency).toBe("EUR");
  });
});
