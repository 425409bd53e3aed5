import type { LightMyRequestResponse } from "fastify";
import { describe, expect, it } from "vitest";
import { NEWEST_VERSION, SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { type ApiHouse, openHouse } from "../support/api-house.ts";
import { makeBattery, makeChargeAction, makeCharger, makeHvac, makeVehicle, uuid } from "../support/makers.ts";

const PLACE = uuid(77);

interface Asked {
  readonly house: ApiHouse;
  readonly method?: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly version: string;
  readonly user?: string;
  readonly payload?: object;
}

function ask({ house, version, user, ...request }: Asked): Promise<LightMyRequestResponse> {
  const headers = { "service-version": version, ...(user !== undefined && { "service-user-id": user }) };
  return house.ask({ ...request, headers });
}

describe("every version", () => {
  it.each(SERVED_VERSIONS.map(({ date }) => date))("%s is served and named in the answer", async (version) => {
    await using house = await openHouse();
    const answer = await ask({ house, version, url: "/batteries" });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["service-version"]).toBe(version);
  });

  it("is the client's own when the header names none", async () => {
    await using house = await openHouse();
    const client = house.store.get("client", house.client.id);
    await house.store.commit([
      { table: "client", key: house.client.id, put: { ...client!, apiVersion: "2024-01-01" } },
    ]);
    house.engine.add("battery", makeBattery());
    const answer = await house.ask({ url: "/batteries" });
    expect(answer.headers["service-version"]).toBe("2024-01-01");
    expect(answer.json().data[0]).toHaveProperty("locationId");
  });

  it("yields to the header", async () => {
    await using house = await openHouse();
    const client = house.store.get("client", house.client.id);
    await house.store.commit([
      { table: "client", key: house.client.id, put: { ...client!, apiVersion: "2024-01-01" } },
    ]);
    const answer = await ask({ house, version: NEWEST_VERSION.date, url: "/batteries" });
    expect(answer.headers["service-version"]).toBe(NEWEST_VERSION.date);
  });

  it("is said of a refused token too", async () => {
    await using house = await openHouse();
    const headers = { authorization: "Bearer no", "service-version": "2024-01-01" };
    const answer = await house.api.inject({ url: "/batteries", headers });
    expect(answer.headers["service-version"]).toBe("2024-01-01");
    expect(answer.json()).toMatchObject({ error: "/problems/unauthorized" });
  });
});

describe("2024-01-01", () => {
  const version = "2024-01-01";

  it("has a battery's location at its top", async () => {
    await using house = await openHouse();
    const location = { id: PLACE, longitude: 4, latitude: 5, lastUpdated: null };
    house.engine.add("battery", makeBattery({ id: uuid(1), location, hemSystemId: uuid(9) }));
    const battery = (await ask({ house, version, url: `/batteries/${uuid(1)}` })).json();
    expect(battery).toMatchObject({ locationId: PLACE });
    expect(battery.location).toEqual({ longitude: 4, latitude: 5 });
    expect(battery).not.toHaveProperty("hemSystemId");
  });

  it("says null for an HVAC unit's unknown mode, and keeps its old fields", async () => {
    await using house = await openHouse();
    house.engine.add("hvac", makeHvac({ id: uuid(1), mode: "UNKNOWN" }));
    const hvac = (await ask({ house, version, url: `/hvacs/${uuid(1)}` })).json();
    expect(hvac.mode).toBeNull();
    expect(hvac).toHaveProperty("capabilities.capableHoldTypes");
    expect(hvac).toHaveProperty("location");
  });

  it("leaves out a deadline that there is not", async () => {
    await using house = await openHouse();
    house.engine.add("vehicle", makeVehicle({ id: uuid(1) }));
    const vehicle = (await ask({ house, version, url: `/vehicles/${uuid(1)}` })).json();
    expect(vehicle.smartChargingPolicy).toEqual({ isEnabled: false, minimumChargeLimit: 0 });
  });

  it("repeats a problem's type and detail", async () => {
    await using house = await openHouse();
    const problem = (await ask({ house, version, url: `/batteries/${uuid(1)}` })).json();
    expect(problem).toMatchObject({ type: "/problems/not-found", error: "/problems/not-found" });
    expect(problem.message).toBe(problem.detail);
  });

  it("has problem types of their own for what a schema refuses", async () => {
    await using house = await openHouse();
    const query = await ask({ house, version, url: "/batteries?pageSize=0" });
    expect(query.json().type).toBe("/problems/validation-error");
    const url = `/batteries/${uuid(1)}/operation-mode`;
    const body = await ask({ house, version, method: "POST", url, payload: {} });
    expect(body.json().type).toBe("/problems/payload-validation-error");
  });

  it("has no HEM systems", async () => {
    await using house = await openHouse();
    const answer = await ask({ house, version, url: "/hem-systems" });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe("There is nothing at /hem-systems in version 2024-01-01.");
  });
});

describe("2023-08-01", () => {
  it("has no scopes on assets", async () => {
    await using house = await openHouse();
    house.engine.add("charger", makeCharger({ id: uuid(1) }));
    const charger = (await ask({ house, version: "2023-08-01", url: `/chargers/${uuid(1)}` })).json();
    expect(charger).not.toHaveProperty("scopes");
  });

  it("refuses the header that names a user", async () => {
    await using house = await openHouse();
    const answer = await ask({ house, version: "2023-08-01", user: "home", url: "/chargers" });
    expect(answer.statusCode).toBe(400);
  });
});

describe("2023-05-01", () => {
  const version = "2023-05-01";

  it("needs the header for what belongs to a user", async () => {
    await using house = await openHouse();
    const answer = await ask({ house, version, url: "/chargers" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().issues).toMatchObject([{ in: "header", path: ["service-user-id"] }]);
    expect((await ask({ house, version, url: "/batteries" })).statusCode).toBe(200);
  });

  it("lists ids", async () => {
    await using house = await openHouse();
    house.engine.add("charger", makeCharger({ id: uuid(1) }), 1);
    house.engine.add("charger", makeCharger({ id: uuid(2) }), 2);
    const answer = await ask({ house, version, user: "home", url: "/chargers" });
    expect(answer.json()).toEqual([uuid(2), uuid(1)]);
  });

  it("lists vehicles whole, and says with 206 that one cannot be asked anew", async () => {
    await using house = await openHouse();
    house.engine.add("vehicle", makeVehicle({ id: uuid(1), isReachable: false, locationId: PLACE }));
    const cached = await ask({ house, version, user: "home", url: "/vehicles" });
    expect(cached.statusCode).toBe(200);
    expect(cached.json()).toMatchObject([{ id: uuid(1), chargingLocationId: PLACE }]);
    const anew = await ask({ house, version, user: "home", url: "/vehicles?field[]=chargeState" });
    expect(anew.statusCode).toBe(206);
    expect(anew.json()).toEqual(cached.json());
  });

  it("refuses a field that there is not", async () => {
    await using house = await openHouse();
    const answer = await ask({ house, version, user: "home", url: "/vehicles?field[]=colour" });
    expect(answer.json()).toMatchObject({ issues: [{ in: "query", path: ["field[]", 0], code: "invalid_enum" }] });
  });

  it("does not find a stranger's charger, and commands nothing", async () => {
    await using house = await openHouse();
    house.engine.add("charger", makeCharger({ id: uuid(1) }));
    const request = { house, version, user: "stranger" };
    expect((await ask({ ...request, url: `/chargers/${uuid(1)}` })).statusCode).toBe(404);
    const url = `/chargers/${uuid(1)}/charging`;
    const command = await ask({ ...request, method: "POST", url, payload: { action: "STOP" } });
    expect(command.statusCode).toBe(404);
    expect(house.engine.started).toEqual([]);
  });

  it("does not find a stranger's action", async () => {
    await using house = await openHouse();
    house.engine.known.set(uuid(5), makeChargeAction({ id: uuid(5) }));
    const url = `/chargers/actions/${uuid(5)}`;
    expect((await ask({ house, version, user: "home", url })).statusCode).toBe(200);
    expect((await ask({ house, version, user: "stranger", url })).statusCode).toBe(404);
  });

  it("has no hints to read a device", async () => {
    await using house = await openHouse();
    house.engine.add("charger", makeCharger({ id: uuid(1) }));
    const url = `/chargers/${uuid(1)}/refresh-hint`;
    expect((await ask({ house, version, user: "home", method: "POST", url })).statusCode).toBe(404);
    expect(house.engine.hinted).toEqual([]);
  });
});
