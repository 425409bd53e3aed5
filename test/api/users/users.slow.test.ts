/** Users over HTTP, with the engine behind: who there is, what is linked, and what taking leave leaves behind. */
import { describe, expect, test } from "vitest";
import type { DeviceRecord } from "../../../src/store/records.ts";
import type { FakeDeviceOptions } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LIMIT_MS = 30_000;

/** A device that ann linked at run time. */
async function link(house: RealHouse, id: string, options: Omit<FakeDeviceOptions, "clock">, userId = "ann") {
  const device = house.home.add(id, options);
  const record: DeviceRecord = {
    id,
    adapter: "fake",
    options: {},
    source: "linked",
    userId,
    name: null,
    scopes: null,
    createdAtMs: 1_000,
  };
  const { users, fleet } = house.run.engine.services;
  await house.home.world.clock.resolve(users.ensure(userId), LIMIT_MS);
  await house.home.world.clock.resolve(fleet.add(record), LIMIT_MS);
  await house.pass(3 * SECOND);
  return device;
}

async function openConfigured(): Promise<RealHouse> {
  const home = makeHome();
  home.add("hybrid", batteryOptions({ values: { ...batteryOptions().values, "inverter.power": 3_000 } }));
  const house = await openRealHouse({ home });
  await house.pass(3 * SECOND);
  return house;
}

async function get(house: RealHouse, url: string, status = 200) {
  const answer = await house.ask({ url });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status);
  return answer.json();
}

async function remove(house: RealHouse, url: string, status = 204): Promise<void> {
  const answer = await house.ask({ method: "DELETE", url });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(status);
}

async function eventsOf(house: RealHouse): Promise<readonly string[]> {
  const { clock } = house.home.world;
  const entries = await clock.resolve(house.run.store.journalAfter(null, 1_000), LIMIT_MS);
  return entries.map(({ event }) => event);
}

describe("users", () => {
  test("are the owners of configured devices from the start, since the same instant for good", async () => {
    const house = await openConfigured();
    const { data } = await get(house, "/users");
    expect(data).toEqual([{ id: "home", createdAt: expect.any(String), scopes: ["all"] }]);
    await house.pass(HOUR);
    await house[Symbol.asyncDispose]();
    await using later = await openRealHouse({ home: house.home });
    expect((await get(later, "/users")).data).toEqual(data);
  });

  test("show what they linked, by vendor and type", async () => {
    await using house = await openConfigured();
    expect(await get(house, "/users/home")).toEqual({
      id: "home",
      createdAt: expect.any(String),
      scopes: ["all"],
      linkedVendors: [
        { vendor: "SOLAREDGE", vendorType: "battery", isValid: true },
        { vendor: "SOLAREDGE", vendorType: "inverter", isValid: true },
      ],
    });
  });

  test("are listed in pages, newest first", async () => {
    await using house = await openConfigured();
    const { users } = house.run.engine.services;
    for (const id of ["ann", "ben", "Zoë & co"]) {
      await house.pass(SECOND);
      await house.home.world.clock.resolve(users.ensure(id), LIMIT_MS);
    }
    const first = await get(house, "/users?pageSize=3");
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(["Zoë & co", "ben", "ann"]);
    const second = await get(house, `/users?pageSize=3&after=${first.pagination.after}`);
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(["home"]);
    expect((await get(house, `/users/${encodeURIComponent("Zoë & co")}`)).id).toBe("Zoë & co");
  });

  test.each(["", "a/b", "a\u0000b", "x".repeat(256)])("cannot be called %j", async (id) => {
    await using house = await openConfigured();
    const ensuring = house.home.world.clock.resolve(house.run.engine.services.users.ensure(id), LIMIT_MS);
    await expect(ensuring).rejects.toMatchObject({ slug: "bad-request" });
  });

  test.each([
    ["GET", "/users/nobody", "User does not exist"],
    ["DELETE", "/users/nobody", "User does not exist"],
    ["DELETE", "/users/nobody/authorization", "User does not exist"],
    ["DELETE", "/users/nobody/vendors/TESLA", "User does not exist"],
    ["DELETE", "/users/nobody/vendors/TESLA/battery", "User does not exist"],
    ["DELETE", "/users/home/vendors/ACME", "Not Found"],
    ["DELETE", "/users/home/vendors/TESLA/toaster", "Not Found"],
  ] as const)("%s %s is not found", async (method, url, title) => {
    await using house = await openConfigured();
    const answer = await house.ask({ method, url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ type: expect.stringContaining("not-found"), title });
  });
});

describe("deleting a user", () => {
  test("forgets the user, its devices, assets, actions and leases, with an event for each asset", async () => {
    const house = await openConfigured();
    const device = await link(house, "linked", chargerOptions());
    const [charger] = (await get(house, "/chargers")).data;
    const set = await house.ask({
      method: "POST",
      url: `/chargers/${charger.id}/max-current`,
      payload: { maxCurrent: 10 },
    });
    expect(set.statusCode).toBe(200);
    await house.pass(10 * SECOND);
    await remove(house, "/users/ann");
    expect(device.values["charger.maxCurrent"]).toBe(16);
    expect(device.openDrivers).toBe(0);
    await get(house, "/users/ann", 404);
    await get(house, `/chargers/${charger.id}`, 404);
    expect((await house.ask({ url: `/chargers/actions/${set.json().id}` })).statusCode).toBe(404);
    expect(await eventsOf(house)).toContain("user:charger:deleted");
    const { store } = house.run;
    const left = [...store.all("device"), ...store.all("lease"), ...store.all("action")];
    expect(left).toEqual([]);
    expect((await get(house, "/users")).data.map(({ id }: { id: string }) => id)).toEqual(["home"]);
    await house[Symbol.asyncDispose]();
    await using later = await openRealHouse({ home: house.home });
    await get(later, "/users/ann", 404);
    await get(later, "/users/home");
  });

  test("stops and hides its configured devices, over restarts, until they are linked again", async () => {
    const house = await openConfigured();
    const [battery] = (await get(house, "/batteries")).data;
    await remove(house, "/users/home");
    await get(house, "/users/home", 404);
    expect((await get(house, "/batteries")).data).toEqual([]);
    expect(house.home.devices["hybrid"]?.openDrivers).toBe(0);
    await house[Symbol.asyncDispose]();
    await using later = await openRealHouse({ home: house.home });
    await later.pass(MINUTE);
    await get(later, "/users/home", 404);
    expect((await get(later, "/batteries")).data).toEqual([]);
    expect(later.home.devices["hybrid"]?.openDrivers).toBe(0);
    const { fleet, users } = later.run.engine.services;
    expect(fleet.unlinked()).toMatchObject([{ deviceId: "hybrid", userId: "home" }]);
    await later.home.world.clock.resolve(users.ensure("home"), LIMIT_MS);
    await later.home.world.clock.resolve(fleet.relink(["hybrid"]), LIMIT_MS);
    await later.pass(3 * SECOND);
    const [again] = (await get(later, "/batteries")).data;
    expect(again).toMatchObject({ isReachable: true, userId: "home" });
    expect(again.id).not.toBe(battery.id);
  });
});

describe("deleting a vendor", () => {
  test("takes the assets of one type; the device goes on with the others", async () => {
    await using house = await openConfigured();
    await remove(house, "/users/home/vendors/SOLAREDGE/battery");
    expect((await get(house, "/batteries")).data).toEqual([]);
    await house.pass(3 * SECOND);
    expect((await get(house, "/batteries")).data).toEqual([]);
    expect((await get(house, "/inverters")).data).toMatchObject([{ isReachable: true }]);
    expect((await get(house, "/users/home")).linkedVendors).toEqual([
      { vendor: "SOLAREDGE", vendorType: "inverter", isValid: true },
    ]);
    await remove(house, "/users/home/vendors/SOLAREDGE/inverter");
    expect((await get(house, "/inverters")).data).toEqual([]);
    expect(house.home.devices["hybrid"]?.openDrivers).toBe(0);
  });

  test("takes all of a linked device when no other type of it is left", async () => {
    await using house = await openConfigured();
    await link(house, "linked", chargerOptions());
    await remove(house, "/users/ann/vendors/KEBA");
    await remove(house, "/users/ann/vendors/KEBA");
    expect((await get(house, "/chargers")).data).toEqual([]);
    expect(house.run.store.all("device")).toEqual([]);
    expect((await get(house, "/users/ann")).linkedVendors).toEqual([]);
    expect((await get(house, "/batteries")).data).toHaveLength(1);
  });
});

describe("deleting an authorization", () => {
  test("stops the devices, keeps what is known, and tells nothing more", async () => {
    await using house = await openConfigured();
    const device = await link(house, "linked", chargerOptions());
    const [charger] = (await get(house, "/chargers")).data;
    const before = (await eventsOf(house)).length;
    await remove(house, "/users/ann/authorization");
    expect(device.openDrivers).toBe(0);
    await house.pass(MINUTE);
    const shown = await get(house, `/chargers/${charger.id}`);
    expect(shown).toMatchObject({
      isReachable: false,
      information: charger.information,
      chargeState: charger.chargeState,
    });
    expect(shown.capabilities.startCharging).toMatchObject({ isCapable: false, interventionIds: [expect.any(String)] });
    expect((await get(house, "/users/ann")).linkedVendors).toEqual([]);
    const start = await house.ask({
      method: "POST",
      url: `/chargers/${charger.id}/charging`,
      payload: { action: "START" },
    });
    expect(start.statusCode).toBe(400);
    expect(house.run.store.get("device", "linked")?.options).toEqual({});
    expect((await eventsOf(house)).length).toBe(before);
    await remove(house, "/users/ann");
    expect((await eventsOf(house)).length).toBe(before);
  });

  test("is over when the user links again: the same assets come back, configured ones too", async () => {
    await using house = await openConfigured();
    await remove(house, "/users/home/authorization");
    const [battery] = (await get(house, "/batteries")).data;
    expect(battery.isReachable).toBe(false);
    await link(house, "linked", chargerOptions(), "home");
    await house.pass(5 * SECOND);
    const [again] = (await get(house, "/batteries")).data;
    expect(again).toMatchObject({ id: battery.id, isReachable: true });
    expect((await get(house, "/users/home")).linkedVendors).toHaveLength(3);
  });
});
