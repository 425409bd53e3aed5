/** A vehicle whose smart charging is on, at a charger with an energy mode: each is in charge of its own device. */
import { expect, test } from "vitest";
import { carOptions, fillWhileCharging, followCarSwitch } from "../smart/cars.ts";
import { energyHouse, HOUR, MINUTE, SECOND } from "./energy-house.ts";

const PLACE = { latitude: 52.5, longitude: 13.4 };
const LOCATION = { name: "House", ...PLACE, timezoneName: "UTC" };
const RATES = [
  { name: "day", cost: "0.30" },
  { name: "night", cost: "0.10" },
];
/** The house's clock begins at midnight. */
const NIGHT = {
  tariffId: "night",
  tariffIntervals: [
    { name: "day", from: "00:00", to: "00:30" },
    { name: "night", from: "00:30", to: "03:00" },
    { name: "day", from: "03:00", to: "24:00" },
  ],
};

async function openHouse() {
  const house = energyHouse({}, {}, { isOn: true });
  const car = house.home.add(
    "car",
    carOptions({ "vehicle.soc": 55, "vehicle.latitude": PLACE.latitude, "vehicle.longitude": PLACE.longitude }),
  );
  followCarSwitch(car);
  const follow = car.onWrite;
  car.onWrite = (point, value) => {
    follow?.(point, value);
    // The car draws from the charger only while it wants to charge itself.
    if (point === "vehicle.enabled") house.world.carMaxA = value === true ? 16 : 0;
  };
  const run = await house.start();
  fillWhileCharging(car, house.home.world.clock);
  const { services, assets } = run.engine;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  const chargerId = house.chargerId(run);
  const vehicleId = assets.list("vehicle")[0]?.asset.id ?? "";
  const { id } = await resolve(services.locations.create("home", LOCATION));
  await resolve(services.locations.assign("charger", chargerId, id));
  await resolve(services.tariffs.put("night", RATES));
  await resolve(services.tariffs.link(id, NIGHT as never));
  await house.advance(MINUTE);
  const smart = (isEnabled: boolean) =>
    resolve(
      services.vehicleSmart.setPolicy(vehicleId, { isEnabled, deadline: "07:00", minimumChargeLimit: 50 } as never),
    );
  const offeredA = () =>
    house.charger.values["charger.enabled"] === true ? Number(house.charger.values["charger.maxCurrent"]) : 0;
  return { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA };
}

test("smart charging pauses the vehicle, the charger's mode stays in charge of the charger, and both charge at night", async () => {
  const { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA } = await openHouse();
  const { energy, controllers } = services;
  await resolve(energy.setPolicy(chargerId, { mode: "FAST" }));
  await smart(true);
  await house.wait(10 * MINUTE);
  expect([controllers.inChargeOf(vehicleId), controllers.inChargeOf(chargerId)]).toEqual(["smart-charging", "energy"]);
  expect(energy.device(chargerId)).toMatchObject({ policy: { mode: "FAST" }, inCharge: "energy" });
  // The car is paused by itself, and the charger goes on offering what its mode allows.
  expect([car.values["vehicle.enabled"], offeredA() > 0]).toEqual([false, true]);
  expect(energy.state().alarms).toEqual([]);
  await house.wait(50 * MINUTE);
  expect([car.values["vehicle.enabled"], offeredA() > 0]).toEqual([true, true]);
  await run.close();
});

test("a mode OFF of the charger stays, though the vehicle's smart charging starts the vehicle", async () => {
  const { house, run, services, resolve, chargerId, smart, offeredA } = await openHouse();
  await resolve(services.energy.setPolicy(chargerId, { mode: "OFF" }));
  await smart(true);
  await house.wait(HOUR);
  expect(offeredA()).toBe(0);
  expect(services.energy.device(chargerId).reason?.code).toBe("mode-off");
  await run.close();
});

test("when smart charging is switched off, the vehicle charges again by the charger's mode", async () => {
  const { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA } = await openHouse();
  await resolve(services.energy.setPolicy(chargerId, { mode: "FAST" }));
  await smart(true);
  await house.wait(10 * MINUTE);
  expect(car.values["vehicle.enabled"]).toBe(false);
  await smart(false);
  await house.wait(10 * MINUTE);
  expect([car.values["vehicle.enabled"], offeredA() > 0]).toEqual([true, true]);
  expect(services.controllers.inChargeOf(vehicleId)).toBeNull();
  await run.close();
});

test("a mode of the vehicle switches its smart charging off, and leaves the charger's mode", async () => {
  const { house, run, services, resolve, chargerId, vehicleId, smart } = await openHouse();
  await resolve(services.energy.setPolicy(chargerId, { mode: "FAST" }));
  await smart(true);
  await house.wait(10 * MINUTE);
  await resolve(services.energy.setPolicy(vehicleId, { mode: "FAST" }));
  expect(services.vehicleSmart.policy(vehicleId).isEnabled).toBe(false);
  expect(services.energy.policy(chargerId)?.mode).toBe("FAST");
  await smart(true);
  expect(services.energy.policy(vehicleId)).toBeNull();
  expect(services.energy.policy(chargerId)?.mode).toBe("FAST");
  await run.close();
});
