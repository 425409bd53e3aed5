/** Detection of pairs of chargers and vehicles that are plugged in and out. */
import { describe, expect, test } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { chargerOptions, type Home, makeHome, type Run } from "../home.ts";
import { carOptions } from "../smart/cars.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 10 * SECOND;
const LOCATION = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" };

const UNPLUGGED = { "vehicle.state": "UNPLUGGED", "vehicle.power": 0 } as const;

/** A running gateway with its simulated home; `ids` are asset ids by name. */
interface PairingHome {
  readonly home: Home;
  readonly run: Run;
  readonly ids: Readonly<Record<string, string>>;
  pass(ms: number): Promise<void>;
}

/** Opens a gateway with named chargers and vehicles at one location, nothing plugged in. */
async function openGateway(chargers: readonly string[], cars: readonly string[]): Promise<PairingHome> {
  const home = makeHome();
  const options = chargerOptions();
  for (const name of chargers) {
    home.add(name, { ...options, values: { ...options.values, "charger.state": "UNPLUGGED" } });
  }
  const place = { "vehicle.latitude": LOCATION.latitude, "vehicle.longitude": LOCATION.longitude };
  for (const name of cars) home.add(name, carOptions({ ...UNPLUGGED, ...place }));
  const house = await open(home);
  const { locations } = house.run.engine.services;
  const { clock } = home.world;
  const { id } = await clock.resolve(locations.create("home", LOCATION), LIMIT_MS);
  for (const name of chargers) {
    await clock.resolve(locations.assign("charger", house.ids[name] ?? "", id), LIMIT_MS);
  }
  await house.pass(15 * MINUTE);
  return house;
}

async function open(home: Home): Promise<PairingHome> {
  const run = await home.start();
  await home.world.clock.advance(30 * SECOND);
  const ids = Object.fromEntries(
    run.engine.devices().flatMap(({ id, assets }) => assets.map((asset) => [id, asset.id] as const)),
  );
  return { home, run, ids, pass: (ms) => home.world.clock.advance(ms) };
}

function device({ home }: PairingHome, name: string): FakeDevice {
  const found = home.devices[name];
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function plugIn(house: PairingHome, charger: string | null, car: string | null, watts = 7_000): void {
  if (charger !== null) {
    device(house, charger).show("charger.state", "PLUGGED_IN:CHARGING");
    device(house, charger).show("charger.power", watts);
  }
  if (car !== null) {
    device(house, car).show("vehicle.state", "PLUGGED_IN:CHARGING");
    device(house, car).show("vehicle.power", watts);
  }
}

function unplug(house: PairingHome, charger: string | null, car: string | null): void {
  if (charger !== null) {
    device(house, charger).show("charger.state", "UNPLUGGED");
    device(house, charger).show("charger.power", 0);
  }
  if (car !== null) {
    device(house, car).show("vehicle.state", "UNPLUGGED");
    device(house, car).show("vehicle.power", 0);
  }
}

/** Returns the name of the shown counterpart of a charger or vehicle; `null` and `undefined` as shown. */
function counterpartOf({ run, ids }: PairingHome, name: string): string | null | undefined {
  const id = ids[name] ?? "";
  const { assets } = run.engine;
  const charger = assets.get("charger", id);
  const shown =
    charger === null
      ? assets.get("vehicle", id)?.chargeState.pluggedInChargerId
      : charger.chargeState.pluggedInVehicleId;
  return Object.keys(ids).find((other) => ids[other] === shown) ?? (shown as null | undefined);
}

describe("pairing", () => {
  test("A charger and a vehicle that are plugged in together and charge alike are shown as a pair", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(5 * MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car")]).toEqual([undefined, undefined]);
    await house.pass(5 * MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car")]).toEqual(["car", "box"]);
    expect(house.run.store.all("pairing")).toMatchObject([
      { chargerId: house.ids["box"], vehicleId: house.ids["car"], isActive: true },
    ]);
    await house.run.close();
  });

  test("A new pair is published with its changed fields", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 1_000), LIMIT_MS);
    const fields = entries.map(({ payload }) => (payload as { updatedFields?: string[] }).updatedFields ?? []);
    expect(fields).toContainEqual(expect.arrayContaining(["chargeState.pluggedInChargerId"]));
    expect(fields).toContainEqual(expect.arrayContaining(["chargeState.pluggedInVehicleId"]));
    await house.run.close();
  });

  test("A known pair is shown as separated when it is unplugged, and as a pair at once when it is plugged in again", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    unplug(house, "box", "car");
    await house.pass(MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car")]).toEqual([null, null]);
    plugIn(house, "box", "car", 0);
    await house.pass(MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car")]).toEqual(["car", "box"]);
    await house.run.close();
  });

  test("A known pair is not shown when the vehicle charges elsewhere and a guest uses the charger", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    unplug(house, "box", "car");
    await house.pass(5 * MINUTE);
    plugIn(house, null, "car");
    await house.pass(5 * MINUTE);
    plugIn(house, "box", null);
    await house.pass(20 * MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car")]).toEqual([null, null]);
    await house.run.close();
  });

  test.each([
    ["the plug-ins are too far apart", 3 * MINUTE, 7_000],
    ["the car draws nothing", 0, 0],
  ])("A charger and a vehicle are not a pair if %s", async (_why, laterMs, watts) => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", null);
    await house.pass(laterMs);
    plugIn(house, null, "car", watts);
    await house.pass(30 * MINUTE);
    expect(house.run.store.all("pairing")).toEqual([]);
    expect(counterpartOf(house, "car")).toBeUndefined();
    await house.run.close();
  });

  test("A charger gets no pair as long as two vehicles match, and gets one when only one still matches", async () => {
    const house = await openGateway(["box"], ["car", "other"]);
    plugIn(house, "box", "car");
    plugIn(house, null, "other");
    await house.pass(12 * MINUTE);
    expect(house.run.store.all("pairing")).toEqual([]);
    // The other vehicle is full; the first one goes on charging after a pause.
    device(house, "other").show("vehicle.state", "PLUGGED_IN:COMPLETE");
    device(house, "other").show("vehicle.power", 0);
    await house.pass(20 * MINUTE);
    plugIn(house, "box", "car", 3_000);
    await house.pass(10 * MINUTE);
    expect([counterpartOf(house, "box"), counterpartOf(house, "car"), counterpartOf(house, "other")]).toEqual([
      "car",
      "box",
      undefined,
    ]);
    await house.run.close();
  });

  test("A pair and its connection are kept over a restart", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    await house.run.close();
    const again = await open(house.home);
    expect([counterpartOf(again, "box"), counterpartOf(again, "car")]).toEqual(["car", "box"]);
    unplug(again, "box", "car");
    await again.pass(MINUTE);
    expect([counterpartOf(again, "box"), counterpartOf(again, "car")]).toEqual([null, null]);
    await again.run.close();
  });

  test("A pair is deleted when one of its devices is removed", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(10 * MINUTE);
    await house.run.close();
    const run = await house.home.start({ devices: [{ id: "box", adapter: "fake" }] });
    await house.pass(MINUTE);
    const again = { ...house, run };
    expect(run.store.all("pairing")).toEqual([]);
    expect(counterpartOf(again, "box")).toBeUndefined();
    await run.close();
  });

  test("A pair is shown only after it could be stored", async () => {
    const house = await openGateway(["box"], ["car"]);
    plugIn(house, "box", "car");
    await house.pass(7 * MINUTE);
    house.home.disk.failWrites("lost", "lost", "lost", "lost");
    let storedWhenShown: number | null = null;
    house.run.engine.assets.observe((_kind, _id, asset) => {
      const isShown = asset !== null && "chargeState" in asset && "pluggedInVehicleId" in asset.chargeState;
      if (isShown) storedWhenShown ??= house.run.store.all("pairing").length;
    });
    await house.pass(10 * MINUTE);
    expect([counterpartOf(house, "box"), storedWhenShown]).toEqual(["car", 1]);
    await house.run.close();
  });
});
