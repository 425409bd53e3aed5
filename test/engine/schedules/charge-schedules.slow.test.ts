import { describe, expect, it } from "vitest";
import { makeChargeSchedule, ScheduleHouse } from "./schedule-house.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NIGHT = { hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true };

/** A house in Berlin whose charger charges at night. */
async function nightHouse(
  at: string,
): Promise<{ house: ScheduleHouse; id: string; charger: ReturnType<ScheduleHouse["addCharger"]> }> {
  const house = new ScheduleHouse(at);
  const charger = house.addCharger();
  await house.start();
  const locationId = await house.locate("Europe/Berlin");
  const targetId = house.idOf("charger");
  await house.settled(house.run.engine.services.locations.assign("charger", targetId, locationId));
  const { id } = await house.create(makeChargeSchedule({ targetId, locationId, rules: [NIGHT] }));
  return { house, id, charger };
}

describe("a charge schedule", () => {
  it("starts and stops once at each transition of days with a change of the clock", { timeout: 60_000 }, async () => {
    const house = new ScheduleHouse("2026-03-27T11:00:00Z");
    const charger = house.addCharger("charger", { pollMs: 120_000 });
    await house.start();
    const locationId = await house.locate("Europe/Berlin");
    const targetId = house.idOf("charger");
    await house.settled(house.run.engine.services.locations.assign("charger", targetId, locationId));
    const rules = [NIGHT, { hourMinute: { from: "02:30", to: "04:00" }, shouldCharge: false }];
    await house.create(makeChargeSchedule({ targetId, locationId, rules }));
    await house.pass(4 * DAY_MS);
    await using _ = house;
    const switched = house.writes(charger).map((line) => line.replace("charger.enabled ", ""));
    expect(switched).toEqual([
      "2026-03-27T21:00Z true",
      "2026-03-28T01:30Z false",
      "2026-03-28T03:00Z true",
      "2026-03-28T05:00Z false",
      "2026-03-28T21:00Z true",
      // The clock jumps from 02:00 to 03:00: the pause begins at the jump.
      "2026-03-29T01:00Z false",
      "2026-03-29T02:00Z true",
      "2026-03-29T04:00Z false",
      "2026-03-29T20:00Z true",
      "2026-03-30T00:30Z false",
      "2026-03-30T02:00Z true",
      "2026-03-30T04:00Z false",
      "2026-03-30T20:00Z true",
      "2026-03-31T00:30Z false",
      "2026-03-31T02:00Z true",
      "2026-03-31T04:00Z false",
    ]);
    expect(house.actions().every((line) => line.endsWith("CONFIRMED"))).toBe(true);
    expect(house.actions()).toHaveLength(switched.length);
  });

  it("tells pending, then aligned, and what comes next", async () => {
    const { house, id } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    expect(house.chargeStatus(id)).toMatchObject({
      state: "ALIGNED",
      isCharging: false,
      isChargingExpected: false,
      isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: false },
      upcomingTransitions: [
        { at: "2026-06-21T20:00:00.000Z", shouldCharge: true },
        { at: "2026-06-22T04:00:00.000Z", shouldCharge: false },
      ],
      smartOverride: null,
    });
    await house.passUntil("2026-06-21T20:00:00Z", 60_000);
    expect(house.chargeStatus(id)).toMatchObject({
      state: "ALIGNED",
      isCharging: true,
      isChargingExpected: true,
      upcomingTransitions: [
        { at: "2026-06-22T04:00:00.000Z", shouldCharge: false },
        { at: "2026-06-22T20:00:00.000Z", shouldCharge: true },
      ],
    });
    const told = await house.told();
    expect(told[0]).toBe("ALIGNED");
    expect(told).toContain("PENDING");
    expect(told.at(-1)).toBe("ALIGNED");
    expect(told).not.toContain("MISALIGNED");
  });

  it("commands nothing that is so already, and nothing without a car", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    charger.show("charger.state", "UNPLUGGED");
    await house.passUntil("2026-06-21T21:00:00Z");
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isChargingExpected: false });
    expect(house.writes(charger)).toEqual([]);
    charger.show("charger.state", "PLUGGED_IN:STOPPED");
    await house.pass(60_000);
    expect(house.writes(charger)).toEqual(["2026-06-21T21:00Z charger.enabled true"]);
    charger.show("charger.state", "PLUGGED_IN:NO_POWER");
    await house.pass(20 * MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isChargingExpectedParts: { needsCharge: false } });
    expect(house.writes(charger)).toHaveLength(1);
  });

  it("stops a car that begins to charge by itself outside of its hours", async () => {
    const { house, charger } = await nightHouse("2026-06-21T10:00:00Z");
    await using _ = house;
    charger.show("charger.enabled", true);
    charger.show("charger.state", "PLUGGED_IN:CHARGING");
    await house.pass(60_000);
    expect(house.writes(charger)).toEqual(["2026-06-21T10:00Z charger.enabled false"]);
  });

  it("waits for a device that is unreachable at the transition, and commands it once", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:30:00Z");
    await using _ = house;
    charger.isUp = false;
    await house.passUntil("2026-06-21T23:00:00Z");
    expect(house.chargeStatus(id)).toMatchObject({ state: "MISALIGNED", isChargingExpected: true });
    expect(house.actions()).toEqual([]);
    charger.isUp = true;
    await house.pass(2 * MINUTE_MS);
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    expect(house.actions()).toHaveLength(1);
    expect(house.writes(charger)).toHaveLength(1);
  });

  it("tries a command that comes to nothing again after 1, 5, 15 and every 30 minutes", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:59:00Z");
    await using _ = house;
    charger.onWrite = () => undefined;
    await house.passUntil("2026-06-21T22:00:00Z");
    const begun = house.actions().map((line) => line.slice(11, 17));
    // Each command has five minutes to be followed.
    expect(begun).toEqual(["20:00Z", "20:06Z", "20:16Z", "20:36Z", "21:11Z", "21:46Z"]);
    expect(house.chargeStatus(id).state).toBe("MISALIGNED");
    await house.passUntil("2026-06-22T04:30:00Z");
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    const told = await house.told();
    expect(told.filter((state) => state === "PENDING").length).toBe(house.actions().length);
  });

  it("goes on with its retries after a restart", async () => {
    const { house, charger } = await nightHouse("2026-06-21T19:59:00Z");
    await using _ = house;
    charger.onWrite = () => undefined;
    await house.passUntil("2026-06-21T20:12:00Z");
    await house.restart();
    await house.passUntil("2026-06-21T20:18:00Z");
    expect(house.actions().map((line) => line.slice(11, 17))).toEqual(["20:00Z", "20:06Z", "20:16Z"]);
  });

  it("takes back its pending command when the rules change their mind", async () => {
    const { house, charger } = await nightHouse("2026-06-21T19:59:00Z");
    await using _ = house;
    charger.onWrite = () => undefined;
    const [entry] = house.run.engine.services.schedules.list("home");
    await house.passUntil("2026-06-21T20:01:00Z");
    await house.settled(house.run.engine.services.schedules.update(entry?.schedule.id ?? "", { rules: [] }));
    await house.pass(1_000);
    expect(house.actions()).toEqual(["2026-06-21T20:00Z schedule START REQUESTED_CANCELLATION"]);
  });
});

describe("a restart", () => {
  it("is no news while nothing changed", async () => {
    const { house, id } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    await house.passUntil("2026-06-21T21:00:00Z");
    const before = house.status(id);
    const told = await house.told();
    house.kill();
    await house.start();
    await house.pass(5 * MINUTE_MS);
    expect(house.status(id)).toEqual(before);
    expect((await house.told()).length).toBe(told.length);
  });

  it("in order leaves the charger as it was found, and starts it again once", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    await house.passUntil("2026-06-21T21:00:00Z");
    await house.restart();
    await house.pass(5 * MINUTE_MS);
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    expect(charger.written("charger.enabled")).toEqual([true, false, true]);
    expect(house.actions().every((line) => line.endsWith("START CONFIRMED"))).toBe(true);
    expect(house.actions()).toHaveLength(2);
  });

  it("after the hours of charging does not begin to charge again", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    await house.passUntil("2026-06-21T21:00:00Z");
    await house.stop();
    await house.passUntil("2026-06-22T08:00:00Z");
    await house.start();
    await house.pass(5 * MINUTE_MS);
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    expect(charger.written("charger.enabled")).toEqual([true, false]);
  });

  it("just before a transition does not lose it", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    await house.passUntil("2026-06-21T19:59:59Z", 0);
    house.kill();
    await house.pass(3_000);
    await house.start();
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    expect(house.writes(charger)).toEqual(["2026-06-21T20:00Z charger.enabled true"]);
  });

  it("after hours away does what counts now, not what was missed", async () => {
    const { house, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    house.kill();
    await house.pass(2 * DAY_MS);
    await house.start();
    await house.pass(5 * MINUTE_MS);
    expect(house.writes(charger)).toEqual([]);
    expect(house.actions()).toEqual([]);
  });

  it("while its command is pending sends no second one", async () => {
    const { house, id, charger } = await nightHouse("2026-06-21T19:00:00Z");
    await using _ = house;
    let isDeaf = true;
    const follow = charger.onWrite;
    charger.onWrite = (point, value) => {
      if (!isDeaf) follow(point, value);
    };
    await house.passUntil("2026-06-21T20:00:00Z", 3_000);
    expect(house.chargeStatus(id).state).toBe("PENDING");
    house.kill();
    isDeaf = false;
    await house.start();
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id).state).toBe("ALIGNED");
    expect(house.actions()).toEqual(["2026-06-21T20:00Z schedule START CONFIRMED"]);
  });
});

describe("the wall clock", () => {
  it("starts nothing before it is synced", async () => {
    const { house, charger } = await nightHouse("2026-06-21T19:59:00Z");
    await using _ = house;
    house.home.world.clock.setQuality("restored");
    await house.passUntil("2026-06-21T21:00:00Z");
    expect(house.writes(charger)).toEqual([]);
    house.home.world.clock.setQuality("synced");
    await house.pass(61_000);
    expect(house.writes(charger)).toHaveLength(1);
  });

  it("is looked at again within a minute after it was set", async () => {
    const { house, charger } = await nightHouse("2026-06-21T10:00:00Z");
    await using _ = house;
    const { clock } = house.home.world;
    clock.setWallMs(Date.parse("2026-06-21T23:00:00Z"));
    await house.pass(61_000);
    expect(charger.written("charger.enabled")).toEqual([true]);
    // Days ahead and back again: one command a change, nothing for the days between.
    clock.setWallMs(Date.parse("2026-06-29T12:00:00Z"));
    await house.pass(61_000);
    clock.setWallMs(Date.parse("2026-06-21T23:30:00Z"));
    await house.pass(61_000);
    expect(charger.written("charger.enabled")).toEqual([true, false, true]);
  });
});
