import { describe, expect, it } from "vitest";
import { heatPumpOptions, makeTemperatureSchedule, ScheduleHouse } from "./schedule-house.ts";

const MINUTE_MS = 60_000;
const NIGHT = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 17 } as const;
const DAY = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 21 } as const;
const OWN = { holdType: "SCHEDULED" } as const;

async function openHouse(at: string) {
  const house = new ScheduleHouse(at);
  const unit = house.home.add("heat-pump", heatPumpOptions({ pollMs: 20_000 }));
  await house.start();
  const targetId = house.idOf("hvac");
  const rules = [
    { hourMinute: { from: "22:00", to: "05:30" }, targetState: NIGHT },
    { hourMinute: { from: "12:00", to: "13:00" }, targetState: OWN },
  ];
  const schedule = await house.create(makeTemperatureSchedule({ targetId, defaultTargetState: DAY, rules }));
  await house.pass(MINUTE_MS);
  return { house, unit, targetId, id: schedule.id };
}

describe("a temperature schedule", () => {
  it("holds what counts now, and says what comes next", async () => {
    const { house, id, unit } = await openHouse("2026-06-21T20:00:00Z");
    await using _ = house;
    expect(house.status(id)).toMatchObject({
      scheduleType: "TEMPERATURE",
      state: "ALIGNED",
      current: DAY,
      expected: DAY,
      upcomingTransitions: [
        { at: "2026-06-21T22:00:00.000Z", target: NIGHT },
        { at: "2026-06-22T05:30:00.000Z", target: DAY },
      ],
    });
    await house.passUntil("2026-06-21T22:01:00Z");
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: NIGHT, expected: NIGHT });
    expect(unit.written("hvac.heatSetpoint")).toEqual([21, 17]);
  });

  it("hands the unit back to its own schedule, and takes it again", async () => {
    const { house, id, unit } = await openHouse("2026-06-22T11:30:00Z");
    await using _ = house;
    await house.passUntil("2026-06-22T12:02:00Z");
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: OWN, expected: OWN });
    await house.passUntil("2026-06-22T13:02:00Z");
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: DAY });
    expect(unit.written("hvac.holdType")).toEqual(["PERMANENT", "SCHEDULED", "PERMANENT"]);
  });

  it("counts a setpoint within half a degree as the same, and corrects more", async () => {
    const { house, id, unit } = await openHouse("2026-06-21T18:00:00Z");
    await using _ = house;
    unit.show("hvac.heatSetpoint", 21.5);
    await house.pass(30 * MINUTE_MS);
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: { heatSetpoint: 21.5 } });
    expect(unit.written("hvac.heatSetpoint")).toEqual([21]);
    unit.show("hvac.heatSetpoint", 23);
    await house.pass(5 * MINUTE_MS);
    expect(unit.written("hvac.heatSetpoint")).toEqual([21, 21]);
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: DAY });
  });

  it("refuses a client's hold meanwhile", async () => {
    const { house, targetId } = await openHouse("2026-06-21T18:00:00Z");
    await using _ = house;
    const held = house.run.engine.actions.start(targetId, { targetType: "hvac", target: NIGHT });
    await expect(house.settled(held)).rejects.toMatchObject({ slug: "service-controlled-entity" });
  });

  it("takes the place of a client's hold that is still pending when it is switched on", async () => {
    const { house, unit, id, targetId } = await openHouse("2026-06-21T18:00:00Z");
    await using _ = house;
    const { schedules } = house.run.engine.services;
    await house.settled(schedules.update(id, { isEnabled: false }));
    unit.onWrite = () => undefined;
    const held = await house.settled(house.run.engine.actions.start(targetId, { targetType: "hvac", target: NIGHT }));
    unit.show("hvac.heatSetpoint", 25);
    await house.pass(30_000);
    await house.settled(schedules.update(id, { isEnabled: true }));
    await house.pass(1_000);
    expect(house.status(id)).toMatchObject({ state: "PENDING", expected: DAY });
    expect(house.run.engine.actions.get("hvac", held.id)).toMatchObject({ failureReason: { type: "CONFLICT" } });
  });

  it("cannot control a unit that lacks a kind of hold that it names", async () => {
    const house = new ScheduleHouse("2026-06-21T18:00:00Z");
    const { controls = [], values } = heatPumpOptions();
    const { "hvac.holdType": _hold, ...points } = values;
    const without = controls.filter(({ point }) => point !== "hvac.holdType");
    house.home.add("air", heatPumpOptions({ controls: without, values: points }));
    await house.start();
    await using _ = house;
    const targetId = house.idOf("hvac");
    const { id } = await house.create(makeTemperatureSchedule({ targetId, rules: [{ targetState: OWN }] }));
    await house.pass(MINUTE_MS);
    expect(house.status(id)).toMatchObject({ state: "INACTIVE:INCAPABLE", expected: OWN });
    const { schedules } = house.run.engine.services;
    await house.settled(schedules.update(id, { rules: [{ targetState: NIGHT }] }));
    await house.pass(MINUTE_MS);
    expect(house.status(id)).toMatchObject({ state: "ALIGNED", current: NIGHT });
  });
});
