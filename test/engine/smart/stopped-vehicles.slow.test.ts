/** Smart charging of a vehicle that somebody had stopped through the gateway: it is planned, and charges. */
import { expect, test } from "vitest";
import { carHouse } from "../energy/car-house.ts";
import { HOUR, MINUTE } from "../energy/energy-house.ts";
import { makeChargeSchedule } from "../schedules/schedule-house.ts";
import { showCharging } from "./cars.ts";

type Opened = Awaited<ReturnType<typeof carHouse>>;

/** The car at the wallbox is stopped by a schedule that allows no charging. */
async function stopBySchedule({ house, services, resolve, vehicleId }: Opened): Promise<void> {
  const schedule = makeChargeSchedule({ targetType: "vehicle", targetId: vehicleId });
  await resolve(services.schedules.create("home", schedule));
  await house.advance(MINUTE);
}

async function stopByClient({ house, run, resolve, vehicleId }: Opened): Promise<void> {
  await resolve(run.engine.actions.start(vehicleId, { targetType: "vehicle", kind: "STOP" }));
  await house.advance(MINUTE);
}

function stateOf({ services, vehicleId }: Opened): string {
  return services.vehicleSmart.status(vehicleId).state;
}

async function unplug({ car, house }: Opened): Promise<void> {
  car.show("vehicle.state", "UNPLUGGED");
  car.show("vehicle.power", 0);
  await house.wait(5 * MINUTE);
}

/** A car whose charging is switched off does not begin at the plug. */
function plugIn({ car }: Opened): void {
  car.show("vehicle.state", "PLUGGED_IN:STOPPED");
  showCharging(car, car.values["vehicle.enabled"] === true);
}

test.each([
  ["a schedule", stopBySchedule],
  ["a client", stopByClient],
] as const)(
  "a vehicle that %s had stopped waits for the cheap hours and charges once smart charging is on",
  async (_, stop) => {
    const opened = await carHouse();
    await stop(opened);
    expect(opened.car.values["vehicle.state"]).toBe("PLUGGED_IN:STOPPED");
    await opened.smart(true);
    await opened.house.wait(5 * MINUTE);
    expect([stateOf(opened), opened.car.values["vehicle.enabled"]]).toEqual(["PLAN:EXECUTING:STOPPED", false]);
    // The cheap hours begin at 00:30.
    await opened.house.wait(HOUR);
    expect([stateOf(opened), opened.car.values["vehicle.state"]]).toEqual([
      "PLAN:EXECUTING:STARTED",
      "PLUGGED_IN:CHARGING",
    ]);
    await opened.run.close();
  },
);

test("a vehicle that a client had stopped charges at once where waiting saves nothing", async () => {
  const opened = await carHouse();
  opened.car.show("vehicle.chargeLimit", 100);
  await opened.house.wait(35 * MINUTE);
  await stopByClient(opened);
  await opened.smart(true);
  await opened.house.wait(5 * MINUTE);
  expect(opened.car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
  await opened.run.close();
});

test("a stop by a client while smart charging is on lasts until the vehicle is unplugged, and not beyond", async () => {
  const opened = await carHouse();
  // In the cheap hours nothing is gained by a plan, so that a client may stop the vehicle.
  opened.car.show("vehicle.chargeLimit", 100);
  await opened.house.wait(35 * MINUTE);
  await opened.smart(true);
  await opened.house.wait(5 * MINUTE);
  expect(stateOf(opened)).toBe("CONSIDERING");
  await stopByClient(opened);
  await opened.house.wait(20 * MINUTE);
  expect([stateOf(opened), opened.car.values["vehicle.enabled"]]).toEqual(["CONSIDERING", false]);
  await unplug(opened);
  expect(opened.car.values["vehicle.enabled"]).toBe(false);
  plugIn(opened);
  await opened.house.wait(10 * MINUTE);
  expect(opened.car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
  await opened.run.close();
});

test("a vehicle that drove away from a plan's pause charges after the next plug-in", async () => {
  const opened = await carHouse();
  await opened.smart(true);
  await opened.house.wait(5 * MINUTE);
  expect(stateOf(opened)).toBe("PLAN:EXECUTING:STOPPED");
  await unplug(opened);
  plugIn(opened);
  await opened.house.wait(5 * MINUTE);
  expect(stateOf(opened)).toBe("PLAN:EXECUTING:STOPPED");
  await opened.house.wait(50 * MINUTE);
  expect([stateOf(opened), opened.car.values["vehicle.state"]]).toEqual([
    "PLAN:EXECUTING:STARTED",
    "PLUGGED_IN:CHARGING",
  ]);
  await opened.run.close();
});

test("a vehicle that a client stopped stays stopped when smart charging is switched on and off again, or a schedule takes over", async () => {
  const opened = await carHouse();
  await stopByClient(opened);
  await unplug(opened);
  await opened.smart(true);
  await opened.house.wait(5 * MINUTE);
  await opened.smart(false);
  plugIn(opened);
  await opened.house.wait(10 * MINUTE);
  expect(opened.car.values["vehicle.enabled"]).toBe(false);
  await unplug(opened);
  await opened.smart(true);
  await opened.house.wait(5 * MINUTE);
  await stopBySchedule(opened);
  plugIn(opened);
  await opened.house.wait(10 * MINUTE);
  expect(opened.car.values["vehicle.enabled"]).toBe(false);
  await opened.run.close();
});
