/** Chargers and vehicles that find each other, in a house where they come and go. */
import { describe, expect, test } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { chargerOptions, type Home, makeHome, type Run } from "../home.ts";
import { carOptions } from "../smart/cars.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 10 * SECOND;
const HOUSE = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" };

const UNPLUGGED = { "vehicle.state": "UNPLUGGED", "vehicle.power": 0 } as const;

interface House {
  readonly home: Home;
  readonly run: Run;
  readonly ids: Readonly<Record<string, string>>;
  pass(ms: number): Promise<void>;
}

/** A house with chargers and cars by their names, nothing plugged in, all at one place. */
async function makeHouse(chargers: readonly string[], cars: readonly string[]): Promise<House> {
  const home = makeHome();
  const options = chargerOptions();
  for (const name of chargers) {
    home.add(name, { ...options, values: { ...options.values, "charger.state": "UNPLUGGED" } });
  }
  const place = { "vehicle.latitude": HOUSE.latitude, "vehicle.longitude": HOUSE.longitude };
  for (const name of cars) home.add(name, carOptions({ ...UNPLUGGED, ...place }));
  const house = await open(home);
  const { locations } = house.run.engine.services;
  const { clock } = home.world;
  const { id } = await clock.resolve(locations.create("home", HOUSE), LIMIT_MS);
  for (const name of chargers) {
    await clock.resolve(locations.assign("charger", house.ids[name] ?? "", id), LIMIT_MS);
  }
  await house.pass(15 * MINUTE);
  return house;
}

async function open(home: Home): Promise<House> {
  const run = await home.start();
  await home.world.clock.advance(30 * SECOND);
  const ids = Object.fromEntries(
    run.engine.devices().flatMap(({ id, assets }) => assets.map((asset) => [id, asset.id] as const)),
  );
  return { home, run, ids, pass: (ms) => home.world.clock.advance(ms) };
}

function device({ home }: House, name: string): FakeDevice {
  const found = home.devices[name];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function plugIn(house: House, charger: string | null, car: string | null, watts = 7_000): void {
  if (charger !== null) {
    device(house, charger).show("charger.state", "PLUGGED_IN:CHARGING");
    device(house, charger).show("charger.power", watts);
  }
  if (car !== null) {
    device(house, car).show("vehicle.state", "PLUGGED_IN:CHARGING");
    device(house, car).show("vehicle.power", watts);
  }
}

function unplug(house: House, charger: string | null, car: string | null): void {
  if (charger !== null) {
    device(house, charger).show("charger.state", "UNPLUGGED");
    device(house, charger).show("charger.power", 0);
  }
  if (car !== null) {
    device(house, car).show("vehicle.state", "UNPLUGGED");
    device(house, car).show("vehicle.power", 0);
  }
}

/** The name of what hangs on a charger or car; null and undefined as they are shown. */
function on({ run, ids }: House, name: string): string | null | undefined {
  const id = ids[name] ?? "";
  const { assets } = run.engine;
  const charger = assets.get("charger", id);
  const shown =
    charger === null
      ? assets.get("vehicle", id)?.chargeState.pluggedInChargerId
      : charger.chargeState.pluggedInVehicleId;
  return Object.keys(ids).find((other) => ids[other] === shown) ?? (shown as null | undefined);
}

describe("a charger and a vehicle", () => {
  test("that were plugged in together and charge alike are a pair, and shown on each other", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(5 * MINUTE);
    expect([on(house, "box"), on(house, "car")]).toEqual([undefined, undefined]);
    await house.pass(5 * MINUTE);
    expect([on(house, "box"), on(house, "car")]).toEqual(["car", "box"]);
    expect(house.run.store.all("pairing")).toMatchObject([
      { chargerId: house.ids["box"], vehicleId: house.ids["car"], isActive: true },
    ]);
    await house.run.close();
  });

  test("are told with the field that changed", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 1_000), LIMIT_MS);
    const fields = entries.map(({ payload }) => (payload as { updatedFields?: string[] }).updatedFields ?? []);
    expect(fields).toContainEqual(expect.arrayContaining(["chargeState.pluggedInChargerId"]));
    expect(fields).toContainEqual(expect.arrayContaining(["chargeState.pluggedInVehicleId"]));
    await house.run.close();
  });

  test("are apart once one leaves, and together at the next plug-in without waiting", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    unplug(house, "box", "car");
    await house.pass(MINUTE);
    expect([on(house, "box"), on(house, "car")]).toEqual([null, null]);
    plugIn(house, "box", "car", 0);
    await house.pass(MINUTE);
    expect([on(house, "box"), on(house, "car")]).toEqual(["car", "box"]);
    await house.run.close();
  });

  test("are apart when the car charges elsewhere and a guest comes", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    unplug(house, "box", "car");
    await house.pass(5 * MINUTE);
    plugIn(house, null, "car");
    await house.pass(5 * MINUTE);
    plugIn(house, "box", null);
    await house.pass(20 * MINUTE);
    expect([on(house, "box"), on(house, "car")]).toEqual([null, null]);
    await house.run.close();
  });

  test.each([
    ["the plug-ins are too far apart", 3 * MINUTE, 7_000],
    ["the car draws nothing", 0, 0],
  ])("are no pair when %s", async (_why, laterMs, watts) => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", null);
    await house.pass(laterMs);
    plugIn(house, null, "car", watts);
    await house.pass(30 * MINUTE);
    expect(house.run.store.all("pairing")).toEqual([]);
    expect(on(house, "car")).toBeUndefined();
    await house.run.close();
  });

  test("are no pair as long as another car fits as well, and are once the cars differ", async () => {
    const house = await makeHouse(["box"], ["car", "other"]);
    plugIn(house, "box", "car");
    plugIn(house, null, "other");
    await house.pass(12 * MINUTE);
    expect(house.run.store.all("pairing")).toEqual([]);
    // The other one has had enough; the car goes on, paused for a while.
    device(house, "other").show("vehicle.state", "PLUGGED_IN:COMPLETE");
    device(house, "other").show("vehicle.power", 0);
    await house.pass(20 * MINUTE);
    plugIn(house, "box", "car", 3_000);
    await house.pass(10 * MINUTE);
    expect([on(house, "box"), on(house, "car"), on(house, "other")]).toEqual(["car", "box", undefined]);
    await house.run.close();
  });

  test("stay a pair over a restart, together with what was connected", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    await house.run.close();
    const again = await open(house.home);
    expect([on(again, "box"), on(again, "car")]).toEqual(["car", "box"]);
    unplug(again, "box", "car");
    await again.pass(MINUTE);
    expect([on(again, "box"), on(again, "car")]).toEqual([null, null]);
    await again.run.close();
  });

  test("are a pair only until one of them is taken out", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    await house.run.close();
    const run = await house.home.start({ devices: [{ id: "box", adapter: "fake" }] });
    await house.pass(MINUTE);
    const again = { ...house, run };
    expect(run.store.all("pairing")).toEqual([]);
    expect(on(again, "box")).toBeUndefined();
    await run.close();
  });

  test("are shown again when the disk takes what it refused", async () => {
    const house = await makeHouse(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(7 * MINUTE);
    house.home.disk.failWrites("lost", "lost", "lost", "lost");
    let storedWhenShown: number | null = null;
    house.run.engine.assets.observe((_kind, _id, asset) => {
      const isShown = asset !== null && "chargeState" in asset && "pluggedInVehicleId" in asset.chargeState;
      if (isShown) storedWhenShown ??= house.run.store.all("pairing").length;
    });
    await house.pass(10 * MINUTE);
    expect([on(house, "box"), storedWhenShown]).toEqual(["car", 1]);
    await house.run.close();
  });
});
