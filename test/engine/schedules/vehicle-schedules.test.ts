import { describe, expect, it } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { carOptions, followCarSwitch } from "../smart/cars.ts";
import { makeChargeSchedule, ScheduleHouse } from "./schedule-house.ts";

const MINUTE_MS = 60_000;
const AWAY = 48.1;
const HOME = 52.5;
const NIGHT = { hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true };

interface Driveway {
  readonly house: ScheduleHouse;
  readonly car: FakeDevice;
  readonly locationId: string;
  readonly targetId: string;
}

/** A house in Berlin with a car at it, plugged in and charging. */
async function openDriveway(at: string): Promise<Driveway> {
  const house = new ScheduleHouse(at);
  const car = house.home.add("car", carOptions({ "vehicle.latitude": HOME, "vehicle.longitude": 13.4 }));
  followCarSwitch(car);
  await house.start();
  const locationId = await house.locate("Europe/Berlin");
  await house.pass(20_000);
  return { house, car, locationId, targetId: house.idOf("vehicle") };
}

describe("a vehicle's schedule", () => {
  it("without a location counts at any known one, by the clock there, and nowhere else", async () => {
    const { house, car, targetId } = await openDriveway("2026-06-21T12:00:00Z");
    await using _ = house;
    const fields = makeChargeSchedule({ targetType: "vehicle", targetId, rules: [NIGHT] });
    const { id } = await house.create(fields);
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isCharging: false });
    expect(house.chargeStatus(id).upcomingTransitions[0]?.at).toBe("2026-06-21T20:00:00.000Z");
    // Public charging is left alone.
    car.show("vehicle.latitude", AWAY);
    car.show("vehicle.state", "PLUGGED_IN:CHARGING");
    await house.pass(30 * MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "INACTIVE:AWAY", isCharging: true });
    expect(car.written("vehicle.enabled")).toEqual([false]);
    const stop = house.run.engine.actions.start(targetId, { targetType: "vehicle", kind: "STOP" });
    await expect(house.settled(stop)).resolves.toMatchObject({ state: "PENDING" });
  });

  it("at a location counts there only", async () => {
    const { house, car, targetId, locationId } = await openDriveway("2026-06-21T12:00:00Z");
    await using _ = house;
    const { id } = await house.create(
      makeChargeSchedule({ targetType: "vehicle", targetId, locationId, defaultShouldCharge: true }),
    );
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isCharging: true });
    car.show("vehicle.latitude", AWAY);
    await house.pass(MINUTE_MS);
    expect(house.status(id).state).toBe("INACTIVE:AWAY");
    car.show("vehicle.latitude", HOME);
    await house.pass(MINUTE_MS);
    expect(house.status(id).state).toBe("ALIGNED");
    expect(car.written("vehicle.enabled")).toEqual([]);
  });

  it("does not expect a full car to charge", async () => {
    const { house, car, targetId } = await openDriveway("2026-06-21T12:00:00Z");
    await using _ = house;
    const { id } = await house.create(
      makeChargeSchedule({ targetType: "vehicle", targetId, defaultShouldCharge: true }),
    );
    car.show("vehicle.soc", 100);
    car.show("vehicle.state", "PLUGGED_IN:COMPLETE");
    await house.pass(40 * MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({
      state: "ALIGNED",
      isCharging: false,
      isChargingExpectedParts: { needsCharge: false, isPluggedIn: true, shouldCharge: true },
    });
    expect(house.actions()).toEqual([]);
  });

  it("is no news after a crash, although nobody knows where the car is until it is read", async () => {
    const { house, car, targetId } = await openDriveway("2026-06-21T12:00:00Z");
    await using _ = house;
    const { id } = await house.create(makeChargeSchedule({ targetType: "vehicle", targetId, rules: [NIGHT] }));
    await house.pass(MINUTE_MS);
    const before = house.status(id);
    const told = await house.told();
    house.kill();
    car.isUp = false;
    await house.start();
    await house.pass(10 * MINUTE_MS);
    car.isUp = true;
    await house.pass(5 * MINUTE_MS);
    expect(house.status(id)).toEqual(before);
    expect(await house.told()).toEqual(told);
    expect(car.written("vehicle.enabled")).toEqual([false]);
  });
});
