import { describe, expect, it } from "vitest";
import { chargerOptions, type Home, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const HOUSE = { name: "House", latitude: 52.52, longitude: 13.405, timezoneName: "Europe/Berlin" };
/** About 111.2 m north. */
const DEGREES_PER_100_M = 0.001 / 1.112;
const NOBODY = "2f1c9f0e-5a53-4f57-8a0c-0f6f5a0f8f11";

async function openHouse(home: Home = makeHome()): Promise<RealHouse> {
  // The owner of a device is a user.
  if (Object.keys(home.devices).length === 0) home.add("meter", { values: { "meter.power": 0 } });
  const house = await openRealHouse({ home });
  await house.pass(5_000);
  return house;
}

async function createLocation(house: RealHouse, change: object = {}): Promise<string> {
  const answer = await house.ask({ method: "POST", url: "/users/home/locations", payload: { ...HOUSE, ...change } });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ id: string }>().id;
}

async function firstOf(house: RealHouse, plural: string) {
  const answer = await house.ask({ url: `/${plural}` });
  return answer.json<{ data: { id: string }[] }>().data[0]!;
}

function vehicleOptions(latitude: number, longitude: number) {
  return {
    values: {
      "vehicle.soc": 50,
      "vehicle.state": "UNPLUGGED" as const,
      "vehicle.latitude": latitude,
      "vehicle.longitude": longitude,
    },
    vendors: ["TESLA"],
  };
}

describe("a location", () => {
  it("is made with 201, in UTC unless it says otherwise", async () => {
    await using house = await openHouse();
    const { timezoneName, ...payload } = HOUSE;
    const answer = await house.ask({ method: "POST", url: "/users/home/locations", payload });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ ...payload, userId: "home", timezoneName: "UTC" });
    expect(answer.json().id).toMatch(/^[0-9a-f-]{36}$/);
    expect(timezoneName).toBe("Europe/Berlin");
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(256) }, "name"],
    [{ latitude: 90.1 }, "latitude"],
    [{ longitude: -180.1 }, "longitude"],
    [{ timezoneName: "Europe/Nowhere" }, "timezoneName"],
    [{ timezoneName: "+02:00" }, "timezoneName"],
    [{ id: NOBODY }, "id"],
  ])("with %o is refused", async (change, field) => {
    await using house = await openHouse();
    const answer = await house.ask({ method: "POST", url: "/users/home/locations", payload: { ...HOUSE, ...change } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues[0].path).toEqual([field]);
  });

  it("of an unknown user is refused", async () => {
    await using house = await openHouse();
    const answer = await house.ask({ method: "POST", url: "/users/nobody/locations", payload: HOUSE });
    expect([answer.statusCode, answer.json().title]).toEqual([404, "User does not exist"]);
    const list = await house.ask({ url: "/users/nobody/locations" });
    expect([list.statusCode, list.json().title]).toEqual([404, "User does not exist"]);
  });

  it("changes in what the body names", async () => {
    await using house = await openHouse();
    const id = await createLocation(house);
    const answer = await house.ask({ method: "PUT", url: `/locations/${id}`, payload: { name: "Cabin" } });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ...HOUSE, id, name: "Cabin" }]);
    expect((await house.ask({ url: `/locations/${id}` })).json().name).toBe("Cabin");
  });

  it("is answered once more when it is deleted, and is gone then", async () => {
    await using house = await openHouse();
    const id = await createLocation(house);
    const answer = await house.ask({ method: "DELETE", url: `/locations/${id}` });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ...HOUSE, id }]);
    for (const method of ["GET", "DELETE"] as const) {
      expect((await house.ask({ method, url: `/locations/${id}` })).statusCode).toBe(404);
    }
    const changed = await house.ask({ method: "PUT", url: `/locations/${id}`, payload: {} });
    expect([changed.statusCode, changed.json().type]).toEqual([404, "/problems/not-found"]);
  });

  it("is listed newest first, in pages, for all and for its user", async () => {
    await using house = await openHouse();
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.unshift(await createLocation(house, { name }));
      await house.pass(1_000);
    }
    const first = (await house.ask({ url: "/locations?pageSize=2" })).json();
    const second = (
      await house.ask({ url: `/users/home/locations?pageSize=2&after=${first.pagination.after}` })
    ).json();
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect([first.pagination.before, second.pagination.after]).toEqual([null, null]);
  });

  it("goes with its user, and so does its tariff", async () => {
    await using house = await openHouse();
    const id = await createLocation(house);
    await house.ask({ method: "PUT", url: "/tariffs/t", payload: [{ name: "a", cost: "1" }] });
    await house.ask({ method: "PUT", url: `/locations/${id}/tariff`, payload: { tariffId: "t", tariffIntervals: [] } });
    expect((await house.ask({ method: "DELETE", url: "/users/home" })).statusCode).toBe(204);
    expect((await house.ask({ url: `/locations/${id}` })).statusCode).toBe(404);
    expect(house.run.store.all("location")).toEqual([]);
    expect(house.run.store.all("tariff-link")).toEqual([]);
    expect(house.run.store.all("tariff")).toHaveLength(1);
  });

  it("outlives a restart", async () => {
    const home = makeHome();
    const house = await openHouse(home);
    const id = await createLocation(house);
    await house[Symbol.asyncDispose]();
    await using again = await openHouse(home);
    expect((await again.ask({ url: `/locations/${id}` })).json()).toMatchObject({ ...HOUSE, id });
  });
});

describe("a charger", () => {
  async function openWithCharger(home = makeHome()): Promise<{ house: RealHouse; chargerId: string }> {
    if (home.devices["wallbox"] === undefined) home.add("wallbox", chargerOptions());
    const house = await openHouse(home);
    return { house, chargerId: (await firstOf(house, "chargers")).id };
  }

  it("is at the location it is put at, after a restart too, and tells it once", async () => {
    const home = makeHome();
    const { house, chargerId } = await openWithCharger(home);
    const locationId = await createLocation(house);
    const before = await house.run.store.journalAfter(null, 1_000);
    const answer = await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload: { locationId } });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      { id: chargerId, locationId, chargingLocationId: locationId, location: { id: locationId } },
    ]);
    expect(answer.json().location.lastUpdated).not.toBeNull();
    await house.pass(10 * 60_000);
    const told = (await house.run.store.journalAfter(null, 1_000)).slice(before.length);
    expect(told.map(({ payload }) => (payload as { updatedFields: string[] }).updatedFields)).toEqual([
      ["chargingLocationId", "locationId", "location.id"],
    ]);
    await house[Symbol.asyncDispose]();

    const { house: again } = await openWithCharger(home);
    await using _again = again;
    expect(await firstOf(again, "chargers")).toMatchObject({ locationId, location: answer.json().location });
  });

  it("is taken from it by null", async () => {
    const { house, chargerId } = await openWithCharger();
    await using _house = house;
    const locationId = await createLocation(house);
    await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload: { locationId } });
    const answer = await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload: { locationId: null } });
    expect(answer.json()).toMatchObject({ locationId: null, chargingLocationId: null, location: { id: null } });
  });

  it("loses it when the location is deleted, and that is told in the same commit", async () => {
    const { house, chargerId } = await openWithCharger();
    await using _house = house;
    const locationId = await createLocation(house);
    await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload: { locationId } });
    const before = await house.run.store.journalAfter(null, 1_000);
    await house.ask({ method: "DELETE", url: `/locations/${locationId}` });
    const told = (await house.run.store.journalAfter(null, 1_000)).slice(before.length);
    expect(told).toMatchObject([
      { event: "user:charger:updated", payload: { charger: { id: chargerId, location: { id: null } } } },
    ]);
    expect(await firstOf(house, "chargers")).toMatchObject({ locationId: null, location: { id: null } });
  });

  it("keeps it when the disk refuses to delete the location", async () => {
    const { house, chargerId } = await openWithCharger();
    await using _house = house;
    const locationId = await createLocation(house);
    await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload: { locationId } });
    house.home.disk.failWrites("lost");
    const refused = await house.ask({ method: "DELETE", url: `/locations/${locationId}` });
    expect([refused.statusCode, refused.json().type]).toEqual([503, "/problems/service-unavailable"]);
    expect((await house.ask({ url: `/locations/${locationId}` })).statusCode).toBe(200);
    expect(await firstOf(house, "chargers")).toMatchObject({ locationId, location: { id: locationId } });
    await house.pass(120_000);
    expect((await house.ask({ method: "DELETE", url: `/locations/${locationId}` })).statusCode).toBe(200);
  });

  it.each([
    ["an unknown location", { locationId: NOBODY }, 404],
    ["what is no id at all", { locationId: "home" }, 404],
    ["no location", {}, 400],
    ["a further key", { locationId: null, name: "x" }, 400],
  ])("is not put at %s", async (_what, payload, status) => {
    const { house, chargerId } = await openWithCharger();
    await using _house = house;
    const answer = await house.ask({ method: "PUT", url: `/chargers/${chargerId}`, payload });
    expect(answer.statusCode).toBe(status);
  });

  it("that does not exist is put nowhere", async () => {
    const { house } = await openWithCharger();
    await using _house = house;
    for (const url of [`/chargers/${NOBODY}`, `/hvacs/${NOBODY}`]) {
      const answer = await house.ask({ method: "PUT", url, payload: { locationId: null } });
      expect([answer.statusCode, answer.json().type]).toEqual([404, "/problems/not-found"]);
    }
  });
});

describe("a vehicle", () => {
  it("is at the nearest location within 150 m, and leaves it with its coordinates", async () => {
    const home = makeHome();
    const car = home.add("car", vehicleOptions(HOUSE.latitude, HOUSE.longitude));
    await using house = await openHouse(home);
    const near = await createLocation(house, { name: "near", latitude: HOUSE.latitude + 0.5 * DEGREES_PER_100_M });
    const nearer = await createLocation(house, { name: "nearer", latitude: HOUSE.latitude - 0.4 * DEGREES_PER_100_M });
    const at = async () => {
      await house.pass(2_000);
      return await firstOf(house, "vehicles");
    };
    expect(await at()).toMatchObject({ locationId: nearer, location: { id: nearer, latitude: HOUSE.latitude } });
    car.show("vehicle.latitude", HOUSE.latitude + 1.9 * DEGREES_PER_100_M);
    expect(await at()).toMatchObject({ locationId: near });
    car.show("vehicle.latitude", HOUSE.latitude + 2.1 * DEGREES_PER_100_M);
    expect(await at()).toMatchObject({ locationId: null, location: { id: null } });
  });

  it("is found anew when locations come, move and go", async () => {
    const home = makeHome();
    home.add("car", vehicleOptions(HOUSE.latitude, HOUSE.longitude));
    await using house = await openHouse(home);
    const id = await createLocation(house);
    expect(await firstOf(house, "vehicles")).toMatchObject({ location: { id } });
    await house.ask({ method: "PUT", url: `/locations/${id}`, payload: { latitude: 10 } });
    expect(await firstOf(house, "vehicles")).toMatchObject({ location: { id: null } });
    await house.ask({ method: "PUT", url: `/locations/${id}`, payload: { latitude: HOUSE.latitude } });
    expect(await firstOf(house, "vehicles")).toMatchObject({ location: { id } });
    await house.ask({ method: "DELETE", url: `/locations/${id}` });
    expect(await firstOf(house, "vehicles")).toMatchObject({ locationId: null, location: { id: null } });
  });
});
