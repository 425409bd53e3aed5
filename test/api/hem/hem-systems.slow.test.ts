import { describe, expect, test } from "vitest";
import type { HemStatistics, HemSystem, HemYear } from "../../../src/domain/hem/hem-system.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const POLL_MS = 2 * MINUTE_MS;

interface Site {
  readonly house: RealHouse;
  readonly devices: Readonly<Record<"battery" | "inverter" | "meter", FakeDevice>>;
  get<Body>(url: string, status?: number): Promise<Body>;
  systems(): Promise<readonly HemSystem[]>;
  events(name: string): Promise<readonly unknown[]>;
}

/** A battery, an inverter and a meter that are read every two minutes, from 2026-06-21T00:00Z on (2:00 in Berlin). */
async function openSite(startMs?: number): Promise<Site> {
  const home = makeHome();
  if (startMs !== undefined) home.world.clock.setWallMs(startMs);
  const devices = {
    battery: home.add("battery", { ...batteryOptions(), pollMs: POLL_MS }),
    inverter: home.add("inverter", { values: { "inverter.power": 5_000 }, pollMs: POLL_MS }),
    meter: home.add("meter", { values: { "meter.power": -2_000 }, pollMs: POLL_MS }),
  };
  devices.battery.show("battery.power", 1_000);
  const house = await openRealHouse({ home });
  await house.pass(3 * MINUTE_MS);
  const get = async <Body>(url: string, status = 200): Promise<Body> => {
    const answer = await house.ask({ method: "GET", url });
    expect(answer.statusCode, answer.body).toBe(status);
    return answer.json<Body>();
  };
  return {
    house,
    devices,
    get,
    systems: async () => (await get<{ data: HemSystem[] }>("/hem-systems")).data,
    events: async (name) => {
      const journal = await house.run.store.journalAfter(null, 10_000);
      return journal.filter(({ event }) => event === name).map(({ payload }) => payload);
    },
  };
}

describe("energy systems", () => {
  test("the devices of a user are one system, and say so", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(6 * HOUR_MS);
    const [system, ...others] = await site.systems();
    expect(others).toStrictEqual([]);
    expect(system).toMatchObject({
      userId: "home",
      locationId: null,
      information: { name: "Home", timezone: "Europe/Berlin" },
    });
    for (const kind of ["batteries", "inverters", "meters"]) {
      const { data } = await site.get<{ data: { hemSystemId: string }[] }>(`/${kind}`);
      expect(data.map(({ hemSystemId }) => hemSystemId)).toStrictEqual([system!.id]);
    }
    expect(await site.get(`/hem-systems/${system!.id}`)).toStrictEqual(system);
    expect((await site.get<{ data: unknown[] }>("/users/home/hem-systems")).data).toStrictEqual([system]);
    await site.get("/users/stranger/hem-systems", 404);
    await site.get("/hem-systems/7f5f3c1e-52a0-4a5b-9d0e-6f3f5b2f7c11", 404);
  });

  test("today begins at local midnight, and the house consumes what came in and did not go out", async () => {
    const site = await openSite(Date.UTC(2026, 5, 21, 12));
    await using house = site.house;
    await house.pass(8 * HOUR_MS);
    const before = (await site.systems())[0]!.status.energy.today;
    expect(before.generation).toBeCloseTo(40, 0);
    expect(before.export).toBeCloseTo(16, 0);
    expect(before.charge).toBeCloseTo(8, 0);
    expect(before).toMatchObject({ import: 0, discharge: 0, unit: "kWh" });
    expect(before.consumption).toBeCloseTo(before.generation! - before.export! - before.charge!, 6);
    site.devices.meter.show("meter.power", 3_000);
    site.devices.battery.show("battery.power", -500);
    site.devices.inverter.show("inverter.power", 0);
    await house.pass(3 * HOUR_MS);
    const after = (await site.systems())[0]!.status.energy.today;
    // An hour after midnight in Berlin.
    expect(after).toMatchObject({ generation: 0, export: 0, charge: 0 });
    expect(after.import).toBeCloseTo(3, 0);
    expect(after.consumption).toBeCloseTo(after.import! + after.discharge!, 6);
  });

  test("it is discovered with its identity only, and told of as it changes", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(HOUR_MS);
    const found = await site.events("user:hem-system:discovered");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      user: { id: "home" },
      hemSystem: { information: { vendor: "HEMGATE" }, status: { lastSeen: null } },
    });
    const updates = await site.events("user:hem-system:updated");
    expect(updates.length).toBeGreaterThan(8);
    expect(updates.length).toBeLessThan(16);
    expect(updates.at(-1)).toMatchObject({
      updatedFields: expect.arrayContaining(["status.energy.today.generation"]),
    });
  });

  test("the id outlives a restart, and is not discovered again", async () => {
    const home = makeHome();
    home.add("battery", { ...batteryOptions(), pollMs: POLL_MS });
    const first = await openRealHouse({ home });
    await first.pass(3 * MINUTE_MS);
    const ids = async (house: RealHouse): Promise<readonly string[]> => {
      const answer = await house.ask({ method: "GET", url: "/hem-systems" });
      return answer.json<{ data: HemSystem[] }>().data.map(({ id }) => id);
    };
    const known = await ids(first);
    expect(known).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await using second = await openRealHouse({ home });
    await second.pass(3 * MINUTE_MS);
    expect(await ids(second)).toStrictEqual(known);
    const journal = await second.run.store.journalAfter(null, 10_000);
    const found = journal.filter(({ event }) => event === "user:hem-system:discovered");
    expect(found.map(({ payload }) => payload)).toMatchObject([
      { hemSystem: { information: { vendor: "SOLAREDGE" } } },
    ]);
  });

  test("it goes with its user, and so does the history", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(2 * HOUR_MS);
    const [system] = await site.systems();
    const removed = await house.ask({ method: "DELETE", url: "/users/home" });
    expect(removed.statusCode, removed.body).toBe(204);
    await house.pass(2 * MINUTE_MS);
    await site.get(`/hem-systems/${system!.id}`, 404);
    expect(await site.systems()).toStrictEqual([]);
    for (const deviceId of ["battery", "inverter", "meter"]) {
      expect(await house.run.store.history(deviceId, 0, 4e12)).toStrictEqual([]);
    }
    expect(house.run.store.all("forgotten")).toStrictEqual([]);
    expect(house.run.store.all("hem")).toStrictEqual([]);
  });
});

describe("statistics of an energy system", () => {
  type Series = HemStatistics["timeseries"]["generation"];
  function dataOf(series: Series) {
    if (!series.isAvailable) throw new Error(series.reason);
    return series.data;
  }

  test("a day is given in 5 minutes of mean power, from midnight to 23:55, null ahead", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(4 * HOUR_MS);
    const [system] = await site.systems();
    const { timeseries } = await site.get<HemStatistics>(`/hem-systems/${system!.id}/statistics?interval=2026-06-21`);
    expect(timeseries.generation).toMatchObject({
      isAvailable: true,
      unit: "kW",
      unitType: "Power",
      sampling: { mode: "bucketed", resolution: "PT5M" },
      timezone: "Europe/Berlin",
    });
    const generation = dataOf(timeseries.generation);
    expect(generation).toHaveLength(288);
    expect(generation[0]).toStrictEqual({ t: "2026-06-21T00:00:00+02:00", v: null });
    expect(generation[30]).toStrictEqual({ t: "2026-06-21T02:30:00+02:00", v: 5 });
    expect(generation.at(-1)).toStrictEqual({ t: "2026-06-21T23:55:00+02:00", v: null });
    expect(dataOf(timeseries.consumption)[30]?.v).toBe(2);
    expect(dataOf(timeseries.export)[30]?.v).toBe(2);
    expect(dataOf(timeseries.charge)[30]?.v).toBe(1);
    expect(dataOf(timeseries.batteryLevel)[30]?.v).toBe(55.5);
  });

  test("a month is given in days of energy, without the state of charge", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(45 * HOUR_MS);
    const [system] = await site.systems();
    const { timeseries } = await site.get<HemStatistics>(`/hem-systems/${system!.id}/statistics?interval=2026-06`);
    const days = dataOf(timeseries.generation);
    expect(timeseries.generation).toMatchObject({ unit: "kWh", unitType: "Energy", sampling: { resolution: "P1D" } });
    expect(days).toHaveLength(30);
    expect(days[20]?.v).toBeCloseTo(22 * 5, 0);
    expect(days[21]).toStrictEqual({ t: "2026-06-22T00:00:00+02:00", v: expect.closeTo(115, 0) });
    expect(days[22]?.v).toBeNull();
    expect(timeseries.batteryLevel).toMatchObject({ isAvailable: false });
  });

  test("a year is given in months of energy, and what is not over yet is what it is until now", async () => {
    const site = await openSite();
    await using house = site.house;
    await house.pass(45 * HOUR_MS);
    const [system] = await site.systems();
    const { months } = await site.get<HemYear>(`/local/hem-systems/${system!.id}/years/2026`);
    expect(months.map(({ t }) => t.slice(0, 7))).toEqual(
      Array.from({ length: 12 }, (_none, index) => `2026-${String(index + 1).padStart(2, "0")}`),
    );
    expect(months[5]?.generation).toBeCloseTo(22 * 5 + 115, 0);
    expect(months[4]?.generation).toBeNull();
    expect(months[6]?.generation).toBeNull();
  });

  test("a day on which the clocks change has 23 or 25 hours", async () => {
    for (const [startMs, interval, count] of [
      [Date.UTC(2026, 2, 28, 20), "2026-03-29", 276],
      [Date.UTC(2026, 9, 24, 20), "2026-10-25", 300],
    ] as const) {
      const site = await openSite(startMs);
      await using house = site.house;
      await house.pass(24 * HOUR_MS);
      const [system] = await site.systems();
      const { timeseries } = await site.get<HemStatistics>(
        `/hem-systems/${system!.id}/statistics?interval=${interval}`,
      );
      const data = dataOf(timeseries.generation);
      expect(data).toHaveLength(count);
      expect(new Set(data.map(({ t }) => t)).size).toBe(count);
      expect(data[0]?.t).toBe(`${interval}T00:00:00${count === 276 ? "+01:00" : "+02:00"}`);
      expect(data.at(-1)?.t).toBe(`${interval}T23:55:00${count === 276 ? "+02:00" : "+01:00"}`);
    }
  });

  test("what no device can tell says why", async () => {
    const home = makeHome();
    home.add("meter", { values: { "meter.energyImport": 5_000 }, pollMs: POLL_MS });
    await using house = await openRealHouse({ home });
    await house.pass(3 * MINUTE_MS);
    const { data } = (await house.ask({ method: "GET", url: "/hem-systems" })).json<{ data: HemSystem[] }>();
    const answer = await house.ask({
      method: "GET",
      url: `/hem-systems/${data[0]!.id}/statistics?interval=2026-06-21`,
    });
    const { timeseries } = answer.json<HemStatistics>();
    expect(timeseries.import.isAvailable).toBe(true);
    for (const name of ["generation", "consumption", "export", "charge", "discharge", "batteryLevel"] as const) {
      expect(timeseries[name]).toStrictEqual({ isAvailable: false, reason: expect.any(String) });
    }
  });

  test("times before the installation, ahead, or off the calendar are refused, and so is a system that measures nothing", async () => {
    const home = makeHome();
    home.add("inverter", { values: { "inverter.powerLimit": 100 }, pollMs: POLL_MS });
    await using house = await openRealHouse({ home });
    await house.pass(3 * MINUTE_MS);
    const { data } = (await house.ask({ method: "GET", url: "/hem-systems" })).json<{ data: HemSystem[] }>();
    const ask = async (query: string): Promise<string> => {
      const answer = await house.ask({ method: "GET", url: `/hem-systems/${data[0]!.id}/statistics${query}` });
      return `${answer.statusCode} ${answer.json<{ type: string }>().type}`;
    };
    for (const interval of [
      "2026-06-20",
      "2026-05",
      "2026-06-22",
      "2026-07",
      "2026-06-31",
      "2026-13",
      "2025",
      "2027",
      "0000",
      "today",
    ]) {
      expect(await ask(`?interval=${interval}`), interval).toBe("400 /problems/bad-request");
    }
    expect(await ask("")).toBe("400 /problems/bad-request");
    expect(await ask("?interval=2026-06-21")).toBe("422 /problems/hem-system-statistics-not-available");
  });

  test("while the disk refuses there is a time to come again", async () => {
    const site = await openSite();
    await using house = site.house;
    const [system] = await site.systems();
    house.home.disk.failWrites("lost", "lost", "lost", "lost");
    house.home.disk.failOpens(1_000);
    await house.pass(10 * MINUTE_MS);
    const answer = await house.ask({ method: "GET", url: `/hem-systems/${system!.id}/statistics?interval=2026-06-21` });
    expect(answer.statusCode, answer.body).toBe(503);
    expect(answer.json<{ type: string }>().type).toBe("/problems/vendor-temporarily-unavailable");
    expect(answer.headers["retry-after"]).toBe("30");
  });
});
