/** What the energy manager decides about no longer, because it has left the house or the meter has, is given back. */
import { expect, test } from "vitest";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import type { OperationMode } from "../../../src/points/points.ts";
import { batteryOptions } from "../home.ts";
import { carOptions, followCarSwitch } from "../smart/cars.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const PLACE = { latitude: 52.5, longitude: 13.4 };
const METER = { id: "meter", adapter: "fake", options: {}, source: "linked", userId: "home", name: null } as const;

/** A house whose meter was added by its owner, who may remove it. */
async function addedMeterHouse(site: Partial<SiteConnection>) {
  const plan: { mode: OperationMode | null } = { mode: null };
  const house = energyHouse(site, { plannedMode: () => plan.mode });
  const battery = house.home.add("battery", batteryOptions());
  const devices = ["panels", "charger", "battery"].map((id) => ({ id, adapter: "fake" }));
  const run = await house.home.start({ devices });
  const { fleet } = run.engine.services;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  const addMeter = () => resolve(fleet.add({ ...METER, scopes: null, createdAtMs: 1_000 }));
  await addMeter();
  await house.advance(30 * SECOND);
  return { ...house, battery, plan, run, addMeter, removeMeter: () => resolve(fleet.remove([METER.id])) };
}

test("Without a meter a forced charge is given back", async () => {
  const house = await addedMeterHouse({ importKw: 20 });
  const { battery, plan, run } = house;
  house.world.isPlugged = false;
  await house.advance(2 * MINUTE);
  plan.mode = "IMPORT_FOCUS";
  await house.advance(30 * SECOND);
  expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
  await house.removeMeter();
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect(run.store.all("lease")).toEqual([]);
  await run.close();
});

test("A meter that is connected again within seconds lifts no limit meanwhile, and one that stays away does", async () => {
  const house = await addedMeterHouse({ importKw: 5 });
  const { charger, run } = house;
  expect(charger.values["charger.maxCurrent"]).toBe(6);
  const before = charger.written("charger.maxCurrent").length;
  await house.removeMeter();
  await house.advance(8 * SECOND);
  await house.addMeter();
  await house.advance(MINUTE);
  expect(Math.max(6, ...charger.written("charger.maxCurrent").slice(before).map(Number))).toBe(6);
  await house.removeMeter();
  await house.advance(MINUTE);
  expect(charger.values["charger.maxCurrent"]).toBe(16);
  await run.close();
});

/** A vehicle at home in mode `OFF`. */
async function switchedOffCar() {
  const house = energyHouse({ fuseA: 25 }, {}, { isOn: false });
  house.world.isPlugged = false;
  const options = carOptions({ "vehicle.latitude": PLACE.latitude, "vehicle.longitude": PLACE.longitude });
  const car = house.home.add("car", { ...options, pollMs: 5 * SECOND });
  followCarSwitch(car);
  const run = await house.start();
  const { services, assets } = run.engine;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  await resolve(services.locations.create("home", { name: "House", ...PLACE, timezoneName: "UTC" }));
  await house.advance(20 * SECOND);
  const id = assets.list("vehicle")[0]?.asset.id ?? "";
  await resolve(services.energy.setPolicy(id, { mode: "OFF" }));
  await house.advance(30 * SECOND);
  return { house, car, run, id, resolve };
}

test("A vehicle that leaves is not kept from charging elsewhere, and its mode goes on when it is back", async () => {
  const { house, car, run } = await switchedOffCar();
  expect(car.values["vehicle.enabled"]).toBe(false);
  car.show("vehicle.latitude", 48.1);
  await house.advance(MINUTE);
  expect(car.values["vehicle.enabled"]).toBe(true);
  expect(run.store.all("lease")).toEqual([]);
  car.show("vehicle.latitude", PLACE.latitude);
  await house.advance(MINUTE);
  expect(car.values["vehicle.enabled"]).toBe(false);
  await run.close();
});

test("What a client asked of a vehicle ends when it is unplugged elsewhere, too", async () => {
  const { house, car, run, id, resolve } = await switchedOffCar();
  expect(car.values["vehicle.enabled"]).toBe(false);
  await resolve(run.engine.actions.start(id, { targetType: "vehicle", kind: "START" }));
  await house.advance(MINUTE);
  expect(car.values["vehicle.enabled"]).toBe(true);
  // A cloud shows both at once.
  car.show("vehicle.latitude", 48.1);
  car.show("vehicle.state", "UNPLUGGED");
  await house.advance(10 * MINUTE);
  car.show("vehicle.state", "PLUGGED_IN:CHARGING");
  car.show("vehicle.latitude", PLACE.latitude);
  await house.advance(MINUTE);
  expect(car.values["vehicle.enabled"]).toBe(false);
  await run.close();
});
