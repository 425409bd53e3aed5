/** A vehicle whose smart charging is on, at a charger with an energy mode: each is in charge of its own device. */
import { expect, test } from "vitest";
import { carHouse } from "./car-house.ts";
import { HOUR, MINUTE } from "./energy-house.ts";

test("smart charging pauses the vehicle, the charger's mode stays in charge of the charger, and both charge at night", async () => {
  const { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA } = await carHouse();
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
  const { house, run, services, resolve, chargerId, smart, offeredA } = await carHouse();
  await resolve(services.energy.setPolicy(chargerId, { mode: "OFF" }));
  await smart(true);
  await house.wait(HOUR);
  expect(offeredA()).toBe(0);
  expect(services.energy.device(chargerId).reason?.code).toBe("mode-off");
  await run.close();
});

test("when smart charging is switched off, the vehicle charges again by the charger's mode", async () => {
  const { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA } = await carHouse();
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
  const { house, run, services, resolve, chargerId, vehicleId, smart } = await carHouse();
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

test("a vehicle that is away keeps its name, and is no unknown id", async () => {
  const { house, run, car, services, resolve, vehicleId } = await carHouse();
  await resolve(services.energy.setPolicy(vehicleId, { mode: "SURPLUS" }));
  car.show("vehicle.state", "UNPLUGGED");
  car.show("vehicle.latitude", 48.1);
  house.world.isPlugged = false;
  await house.advance(2 * MINUTE);
  expect(services.energy.state().devices.map(({ id }) => id)).not.toContain(vehicleId);
  expect(services.energy.device(vehicleId)).toMatchObject({ name: "Home vehicle", isControlled: false, reason: null });
  await run.close();
});
