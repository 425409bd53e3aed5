import { describe, expect, it } from "vitest";
import type { VehicleSmartStatus } from "../../../src/domain/smart/vehicle-smart-charging.ts";
import { showCharging } from "../../engine/smart/cars.ts";
import type { RealHouse } from "../support/real-house.ts";
import { type CarHouse, HOUR, MINUTE, openCarHouse } from "../support/smart-house.ts";

const ON = { isEnabled: true, deadline: "08:00" };

async function put({ house, id }: CarHouse, payload: object) {
  return await house.ask({ method: "PUT", url: `/vehicles/${id}/smart-charging-policy`, payload });
}

/** By the service: a token lives for an hour only. */
async function status({ house, id }: Pick<CarHouse, "house" | "id">): Promise<VehicleSmartStatus> {
  return house.run.engine.services.vehicleSmart.status(id);
}

/** The states that were told, one after the other. */
async function events(house: RealHouse): Promise<VehicleSmartStatus["state"][]> {
  const entries = await house.home.world.clock.resolve(house.run.store.journalAfter(null, 10_000), 1_000);
  return entries
    .filter(({ event }) => event === "user:vehicle:smart-charging-status-updated")
    .map(({ payload }) => (payload as { smartChargingStatus: VehicleSmartStatus }).smartChargingStatus.state)
    .filter((state, index, all) => state !== all[index - 1]);
}

describe("the policy", () => {
  it("is off until it is set, stays what is left out, and stands in the vehicle", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    const url = `/vehicles/${world.id}/smart-charging-policy`;
    expect((await house.ask({ url })).json()).toEqual({ isEnabled: false, deadline: null, minimumChargeLimit: 0 });
    await put(world, { deadline: "07:30", colour: "green" });
    const answer = await put(world, { isEnabled: true, minimumChargeLimit: 60 });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ isEnabled: true, deadline: "07:30", minimumChargeLimit: 60 });
    expect((await house.ask({ url: `/vehicles/${world.id}` })).json()).toMatchObject({
      smartChargingPolicy: answer.json(),
    });
    expect((await put(world, { deadline: null, isEnabled: false })).json()).toMatchObject({ deadline: null });
  });

  it.each([
    [{ isEnabled: true }, {}, "A deadline is needed"],
    [{ ...ON, minimumChargeLimit: 90 }, { "vehicle.chargeLimit": 80 } as const, "above the vehicle's charge limit"],
    [{ ...ON, minimumChargeLimit: 30 }, {}, "is below 50 %"],
  ])("%j is refused for %j", async (payload, values, detail) => {
    const world = await openCarHouse({ values });
    await using _ = world.house;
    const answer = await put(world, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ title: "Cannot activate smart charging" });
    expect(answer.json().detail).toContain(detail);
    expect((await status(world)).state).toBe("DISABLED");
  });

  it("is refused without any price", async () => {
    const world = await openCarHouse({ tariff: null });
    await using _ = world.house;
    const answer = await put(world, ON);
    expect([answer.statusCode, answer.json().title]).toEqual([400, "Cannot activate smart charging"]);
    expect(answer.json().detail).toContain("no tariff");
  });

  it.each([[{ deadline: "25:00" }], [{ minimumChargeLimit: 101 }], [{ isEnabled: "yes" }]])(
    "%j is no policy",
    async (payload) => {
      const world = await openCarHouse();
      await using _ = world.house;
      expect((await put(world, payload)).statusCode).toBe(400);
    },
  );
});

describe("a night of smart charging", () => {
  it("stops the car, starts it when it is cheap, and has it full by the deadline", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    await put(world, ON);
    await house.pass(MINUTE);
    const paused = await status(world);
    expect(paused).toMatchObject({ state: "PLAN:EXECUTING:STOPPED", consideration: null, smartOverride: null });
    const { plan } = paused;
    expect((await house.ask({ url: `/vehicles/${world.id}/smart-charging-status` })).json()).toEqual(paused);
    expect(plan).toMatchObject({
      vehicleId: world.id,
      userId: "home",
      locationId: world.locationId,
      vendor: "TESLA",
      currency: "EUR",
      startAt: "2026-06-21T03:00:00.000Z",
      startConfirmedAt: null,
      endedAt: null,
      finalState: null,
      failureCondition: null,
    });
    expect(plan?.nonSmartCost).toBeCloseTo(25 * 0.3, 1);
    expect(plan?.smartCost).toBeCloseTo(25 * 0.1, 1);
    expect(world.car.values["vehicle.state"]).toBe("PLUGGED_IN:STOPPED");
    expect((await house.ask({ url: `/vehicles/${world.id}/smart-charging-plans/latest` })).json()).toEqual(plan);
    expect((await house.ask({ url: `/vehicles/${world.id}/smart-charging-plans/${plan?.id}` })).json()).toEqual(plan);
    await house.pass(3 * HOUR);
    expect((await status(world)).state).toBe("PLAN:EXECUTING:STARTED");
    await house.pass(3 * HOUR);
    const done = await status(world);
    expect(done).toMatchObject({ state: "PLAN:ENDED:FINISHED", plan: { failureCondition: null } });
    expect(Date.parse(done.plan?.endedAt ?? "")).toBeLessThan(Date.parse("2026-06-21T06:00:00Z"));
    expect(world.car.values["vehicle.soc"]).toBeCloseTo(100, 6);
    expect(await events(house)).toEqual([
      "CONSIDERING",
      "PLAN:EXECUTING:STOPPING",
      "PLAN:EXECUTING:STOPPED",
      "PLAN:EXECUTING:STARTING",
      "PLAN:EXECUTING:STARTED",
      "PLAN:ENDED:FINISHED",
    ]);
    const [shift] = house.run.engine.services.chargeShifts.between(world.id, 0, Number.MAX_SAFE_INTEGER);
    expect(shift).toMatchObject({
      pausedAtMs: Date.parse(done.plan?.stopConfirmedAt ?? ""),
      resumedAtMs: Date.parse(done.plan?.startConfirmedAt ?? ""),
      endedAtMs: Date.parse(done.plan?.endedAt ?? ""),
    });
  });

  it("refuses commands while a plan is executed, and obeys a smart override", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    await put(world, ON);
    await house.pass(MINUTE);
    const command = { method: "POST", url: `/vehicles/${world.id}/charging`, payload: { action: "START" } } as const;
    expect((await house.ask(command)).statusCode).toBe(422);
    await house.ask({ method: "POST", url: `/vehicles/${world.id}/smart-override` });
    await house.pass(MINUTE);
    expect(await status(world)).toMatchObject({
      state: "PLAN:EXECUTING:OVERRIDDEN",
      smartOverride: { endedAt: null, targetId: world.id },
    });
    expect(world.car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
    await house.ask({ method: "DELETE", url: `/vehicles/${world.id}/smart-override` });
    await house.pass(MINUTE);
    expect(await status(world)).toMatchObject({ state: "PLAN:EXECUTING:STOPPED", smartOverride: null });
    expect(world.car.values["vehicle.state"]).toBe("PLUGGED_IN:STOPPED");
  });

  it("lets the car charge again when it is switched off", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    await put(world, ON);
    await house.pass(MINUTE);
    await put(world, { isEnabled: false });
    await house.pass(MINUTE);
    expect(await status(world)).toMatchObject({
      state: "PLAN:ENDED:DISABLED",
      plan: { finalState: "PLAN:ENDED:DISABLED" },
    });
    expect(world.car.values["vehicle.state"]).toBe("PLUGGED_IN:CHARGING");
  });

  it("makes a new plan when the deadline changes", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    await put(world, ON);
    await house.pass(MINUTE);
    const first = (await status(world)).plan;
    await put(world, { deadline: "05:00" });
    await house.pass(MINUTE);
    const second = (await status(world)).plan;
    expect(second).toMatchObject({ startAt: "2026-06-21T02:15:00.000Z" });
    const ended = await house.ask({ url: `/vehicles/${world.id}/smart-charging-plans/${first?.id}` });
    expect(ended.json()).toMatchObject({ finalState: "PLAN:ENDED:DEADLINE_CHANGED" });
    expect(await events(house)).toContain("PLAN:ENDED:DEADLINE_CHANGED");
  });

  it("charges at any price below the minimum", async () => {
    const world = await openCarHouse();
    await using house = world.house;
    await put(world, { ...ON, minimumChargeLimit: 60 });
    await house.pass(20 * MINUTE);
    expect(await status(world)).toMatchObject({
      state: "CONSIDERING",
      consideration: { isPluggedIn: true, isCharging: true, atChargingLocation: true, hasTimeEstimate: true },
    });
    await house.pass(30 * MINUTE);
    expect((await status(world)).state).toBe("PLAN:EXECUTING:STOPPED");
    expect(world.car.values["vehicle.soc"]).toBeGreaterThanOrEqual(60);
  });

  it("says what it waits for", async () => {
    const world = await openCarHouse({ values: { "vehicle.state": "UNPLUGGED", "vehicle.power": 0 } });
    await using house = world.house;
    await put(world, ON);
    await house.pass(MINUTE);
    expect(await status(world)).toMatchObject({
      state: "CONSIDERING",
      plan: null,
      consideration: { isPluggedIn: false, isCharging: false, atChargingLocation: true, hasTimeEstimate: true },
    });
    expect((await house.ask({ url: `/vehicles/${world.id}/smart-charging-plans/latest` })).statusCode).toBe(404);
    world.car.show("vehicle.state", "PLUGGED_IN:STOPPED");
    showCharging(world.car, true);
    await house.pass(MINUTE);
    expect((await status(world)).state).toBe("PLAN:EXECUTING:STOPPED");
    world.car.show("vehicle.state", "UNPLUGGED");
    await house.pass(MINUTE);
    expect((await status(world)).state).toBe("PLAN:ENDED:UNPLUGGED");
  });
});
