import { describe, expect, it } from "vitest";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { makeChargeSchedule, ScheduleHouse } from "./schedule-house.ts";

const MINUTE_MS = 60_000;

interface Charging {
  readonly house: ScheduleHouse;
  readonly charger: FakeDevice;
  readonly targetId: string;
  readonly id: string;
}

/** A house in UTC whose charger charges from 22:00 on. */
async function openHouse(at = "2026-06-21T12:00:00Z"): Promise<Charging> {
  const house = new ScheduleHouse(at);
  const charger = house.addCharger("charger", { pollMs: 30_000 });
  await house.start();
  const targetId = house.idOf("charger");
  const rules = [{ hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true }];
  const { id } = await house.create(makeChargeSchedule({ targetId, rules }));
  await house.pass(1_000);
  return { house, charger, targetId, id };
}

const START = { targetType: "charger", kind: "START" } as const;

describe("who is in charge", () => {
  it("is the schedule: a client's command is refused", async () => {
    const { house, targetId } = await openHouse();
    await using _ = house;
    const refused = house.settled(house.run.engine.actions.start(targetId, START));
    await expect(refused).rejects.toMatchObject({ slug: "service-controlled-entity" });
  });

  it("is nobody once the schedule is switched off, deleted, or elsewhere", async () => {
    const { house, targetId, id } = await openHouse();
    await using _ = house;
    const { schedules, controllers } = house.run.engine.services;
    const locationId = await house.locate("Europe/Berlin");
    await house.settled(schedules.update(id, { locationId }));
    expect(house.status(id).state).toBe("INACTIVE:AWAY");
    expect(controllers.inChargeOf(targetId)).toBeNull();
    await house.settled(schedules.update(id, { locationId: null }));
    expect(controllers.inChargeOf(targetId)).toBe("schedule");
    await house.settled(schedules.update(id, { isEnabled: false }));
    expect(house.status(id).state).toBe("INACTIVE:DISABLED");
    expect(controllers.inChargeOf(targetId)).toBeNull();
    await house.settled(schedules.update(id, { isEnabled: true }));
    expect(await house.settled(schedules.remove(id))).toBe(true);
    expect(controllers.inChargeOf(targetId)).toBeNull();
    expect(schedules.status(id)).toBeNull();
  });

  it("is another feature after it took the target: the schedule is switched off for good", async () => {
    const { house, targetId, id, charger } = await openHouse("2026-06-21T21:59:00Z");
    await using _ = house;
    charger.onWrite = () => undefined;
    await house.pass(2 * MINUTE_MS);
    expect(house.status(id).state).toBe("PENDING");
    await house.settled(
      house.run.engine.services.controllers.takeOver(targetId, "smart-charging", async () => undefined),
    );
    expect(house.status(id).state).toBe("INACTIVE:DISABLED");
    expect(house.actions()).toEqual(["2026-06-21T22:00Z schedule START REQUESTED_CANCELLATION"]);
    await house.restart();
    await house.pass(10 * MINUTE_MS);
    expect(house.run.engine.services.schedules.get(id)).toMatchObject({ isEnabled: false });
    expect(house.actions()).toHaveLength(1);
  });

  it("waits for a current that a client set before, and then goes on", async () => {
    const house = new ScheduleHouse("2026-06-21T12:00:00Z");
    const charger = house.addCharger();
    await house.start();
    await using _ = house;
    const targetId = house.idOf("charger");
    const follow = charger.onWrite;
    charger.onWrite = (point, value) => {
      if (point !== "charger.maxCurrent") follow(point, value);
    };
    await house.settled(house.run.engine.actions.start(targetId, { targetType: "charger", maxCurrent: 10 }));
    const { id } = await house.create(makeChargeSchedule({ targetId, defaultShouldCharge: true }));
    await house.pass(4 * MINUTE_MS);
    expect(house.status(id).state).toBe("MISALIGNED");
    await house.pass(2 * MINUTE_MS);
    expect(house.status(id).state).toBe("ALIGNED");
    expect(house.actions().map((line) => line.slice(18))).toEqual([
      "client charger NO_RESPONSE",
      "schedule START CONFIRMED",
    ]);
  });

  it("shares a client's command that is pending for the same", async () => {
    const house = new ScheduleHouse("2026-06-21T12:00:00Z");
    const charger = house.addCharger();
    const follow = charger.onWrite;
    charger.onWrite = () => undefined;
    await house.start();
    await using _ = house;
    const targetId = house.idOf("charger");
    await house.settled(house.run.engine.actions.start(targetId, START));
    const { id } = await house.create(makeChargeSchedule({ targetId, defaultShouldCharge: true }));
    await house.pass(1_000);
    expect(house.status(id).state).toBe("PENDING");
    charger.onWrite = follow;
    await house.pass(MINUTE_MS);
    expect(house.status(id).state).toBe("ALIGNED");
    expect(house.actions().map((line) => line.slice(18))).toEqual(["client START CONFIRMED"]);
  });

  it("is one schedule a target", async () => {
    const { house, targetId } = await openHouse();
    await using _ = house;
    const another = makeChargeSchedule({ targetId });
    const taken = { slug: "bad-request", message: "Another schedule is active for this target" };
    await expect(house.create(another)).rejects.toMatchObject(taken);
    const { id } = await house.create({ ...another, isEnabled: false });
    const { schedules } = house.run.engine.services;
    await expect(house.settled(schedules.update(id, { isEnabled: true }))).rejects.toMatchObject(taken);
  });

  it("is one schedule, also when two are made at the same time", async () => {
    const house = new ScheduleHouse("2026-06-21T12:00:00Z");
    house.addCharger();
    await house.start();
    await using _ = house;
    const fields = makeChargeSchedule({ targetId: house.idOf("charger") });
    const { schedules } = house.run.engine.services;
    const both = await house.settled(Promise.allSettled([1, 2].map(() => schedules.create("home", fields))));
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("a smart override", () => {
  it("keeps the schedule away until charging stops, and then the schedule goes on", async () => {
    const { house, id, targetId, charger } = await openHouse();
    await using _ = house;
    const { smartOverrides } = house.run.engine.services;
    const override = await house.settled(smartOverrides.start("charger", targetId));
    await house.pass(MINUTE_MS);
    const { userId: _userId, vendor: _vendor, ...embedded } = override;
    expect(house.chargeStatus(id)).toMatchObject({
      state: "INACTIVE:OVERRIDDEN",
      isCharging: true,
      isChargingExpected: false,
      smartOverride: embedded,
    });
    // Transitions come and go.
    await house.passUntil("2026-06-22T07:00:00Z");
    expect(house.writes(charger)).toEqual(["2026-06-21T12:00Z charger.enabled true"]);
    // A person unplugs: the override is over, and there is nothing to do.
    charger.show("charger.state", "UNPLUGGED");
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", smartOverride: null });
    expect(house.writes(charger)).toHaveLength(1);
  });

  it("that is ended hands the target back to the schedule, which commands it once", async () => {
    const { house, id, targetId, charger } = await openHouse();
    await using _ = house;
    const { smartOverrides } = house.run.engine.services;
    await house.settled(smartOverrides.start("charger", targetId));
    await house.pass(MINUTE_MS);
    await house.settled(smartOverrides.end("charger", targetId));
    await house.pass(30 * MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isCharging: false });
    expect(charger.written("charger.enabled")).toEqual([true, false]);
  });

  it("begun while the schedule's own command is pending takes its place", async () => {
    const { house, id, targetId, charger } = await openHouse("2026-06-22T05:58:00Z");
    await using _ = house;
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isCharging: true });
    const follow = charger.onWrite;
    charger.onWrite = () => undefined;
    await house.passUntil("2026-06-22T06:00:00Z");
    expect(house.status(id).state).toBe("PENDING");
    await house.settled(house.run.engine.services.smartOverrides.start("charger", targetId));
    charger.onWrite = follow;
    await house.pass(20 * MINUTE_MS);
    expect(house.status(id).state).toBe("INACTIVE:OVERRIDDEN");
    expect(house.actions().filter((line) => line.includes("schedule STOP"))).toEqual([
      "2026-06-22T06:00Z schedule STOP REQUESTED_CANCELLATION",
    ]);
    expect(charger.values["charger.enabled"]).toBe(true);
  });

  it("survives a restart with the schedule kept away", async () => {
    const { house, id, targetId, charger } = await openHouse();
    await using _ = house;
    await house.settled(house.run.engine.services.smartOverrides.start("charger", targetId));
    await house.pass(MINUTE_MS);
    house.kill();
    await house.start();
    await house.pass(30 * MINUTE_MS);
    expect(house.status(id).state).toBe("INACTIVE:OVERRIDDEN");
    expect(charger.written("charger.enabled")).toEqual([true]);
  });
});

describe("what goes away", () => {
  it("a location takes its schedules with it: at none, and switched off", async () => {
    const { house, id, targetId } = await openHouse();
    await using _ = house;
    const { schedules, locations } = house.run.engine.services;
    const locationId = await house.locate("Europe/Berlin");
    await house.settled(locations.assign("charger", targetId, locationId));
    await house.settled(schedules.update(id, { locationId }));
    await house.settled(locations.remove(locationId));
    expect(schedules.get(id)).toMatchObject({ locationId: null, isEnabled: false });
    expect(house.status(id).state).toBe("INACTIVE:DISABLED");
    await house.restart();
    expect(house.run.engine.services.schedules.get(id)).toMatchObject({ locationId: null, isEnabled: false });
  });

  it("a location's new zone counts at once", async () => {
    const { house, id } = await openHouse();
    await using _ = house;
    const { schedules, locations } = house.run.engine.services;
    const locationId = await house.locate("Europe/Berlin");
    await house.settled(schedules.update(id, { locationId }));
    expect(house.chargeStatus(id).upcomingTransitions[0]?.at).toBe("2026-06-21T20:00:00.000Z");
    await house.settled(locations.update(locationId, { timezoneName: "Asia/Tokyo" }));
    await house.pass(1_000);
    expect(house.chargeStatus(id).isChargingExpectedParts.shouldCharge).toBe(false);
    expect(house.chargeStatus(id).upcomingTransitions[0]?.at).toBe("2026-06-21T13:00:00.000Z");
  });

  it("a user takes its schedules with it", async () => {
    const { house, id, targetId } = await openHouse();
    await using _ = house;
    await house.settled(house.run.engine.services.userRemovals.remove("home"));
    await house.pass(1_000);
    const { schedules, controllers } = house.run.engine.services;
    expect(schedules.get(id)).toBeNull();
    expect(controllers.inChargeOf(targetId)).toBeNull();
    expect(house.run.store.all("schedule")).toEqual([]);
    expect(house.run.store.all("schedule-state")).toEqual([]);
  });

  it("credentials that are refused make the schedule inactive, and accepted ones active again", async () => {
    const { house, id, targetId, charger } = await openHouse("2026-06-21T21:59:00Z");
    await using _ = house;
    charger.onWrite = () => undefined;
    await house.pass(2 * MINUTE_MS);
    expect(house.status(id).state).toBe("PENDING");
    const { authorizations, controllers } = house.run.engine.services;
    const vendor = house.run.engine.assets.get("charger", targetId)?.vendor ?? "";
    await house.settled(authorizations.invalidate("home", vendor, "charger"));
    await house.pass(1_000);
    expect(house.status(id).state).toBe("INACTIVE:INCAPABLE");
    expect(controllers.inChargeOf(targetId)).toBeNull();
    expect(house.actions()).toEqual(["2026-06-21T22:00Z schedule START REQUESTED_CANCELLATION"]);
    await house.settled(authorizations.restore("home", vendor));
    await house.pass(MINUTE_MS);
    expect(house.status(id).state).toBe("PENDING");
  });

  it("a status whose schedule is gone goes with the next start", async () => {
    const { house, id } = await openHouse();
    await using _ = house;
    await house.settled(house.run.store.commit([{ table: "schedule", key: id, remove: true }], []));
    house.kill();
    await house.start();
    expect(house.run.store.all("schedule-state")).toEqual([]);
  });

  it("a device leaves its schedule behind, which can still be switched off", async () => {
    const { house, id } = await openHouse();
    await using _ = house;
    await house.stop();
    delete house.home.devices["charger"];
    house.home.add("other", { values: { "battery.soc": 50, "battery.power": 0 } });
    await house.start();
    await house.pass(MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "INACTIVE:INCAPABLE", isCharging: false });
    await house.settled(house.run.engine.services.schedules.update(id, { isEnabled: false }));
    expect(house.status(id).state).toBe("INACTIVE:DISABLED");
  });
});

it("many schedules do what is due at one transition side by side", async () => {
  const house = new ScheduleHouse("2026-06-21T21:59:00Z");
  const chargers = Array.from({ length: 40 }, (_, nth) => house.addCharger(`charger-${nth}`));
  await house.start();
  await using _ = house;
  const rules = [{ hourMinute: { from: "22:00", to: "06:00" }, shouldCharge: true }];
  const targets = house.run.engine.assets.list("charger").map(({ asset }) => asset.id);
  for (const targetId of targets) await house.create(makeChargeSchedule({ targetId, rules }));
  await house.passUntil("2026-06-21T22:00:00Z", 2_000);
  expect(chargers.map((charger) => charger.written("charger.enabled"))).toEqual(chargers.map(() => [true]));
});

describe("what is told", () => {
  it("carries status, schedule and what changed, in the commit that stores it", async () => {
    const { house, id } = await openHouse("2026-06-21T21:59:00Z");
    await using _ = house;
    const heard: (string | null)[] = [];
    using _listening = house.run.engine.services.schedules.observe((_id, status) => heard.push(status?.state ?? null));
    await house.pass(2 * MINUTE_MS);
    const entries = await house.settled(house.run.store.journalAfter(null, 1_000));
    const told = entries.filter(({ event }) => event === "user:schedule:execution-updated");
    expect(told[0]?.payload).toMatchObject({ user: { id: "home" }, status: { scheduleId: id }, schedule: { id } });
    const pending = told.find(({ payload }) => JSON.stringify(payload).includes('"state":"PENDING"'));
    expect(pending?.payload).toMatchObject({
      updatedFields: expect.arrayContaining(["state", "isChargingExpected", "isChargingExpectedParts.shouldCharge"]),
    });
    expect(house.run.store.get("schedule-state", id)?.status).toEqual(house.status(id));
    await house.settled(house.run.engine.services.schedules.remove(id));
    expect(heard.at(0)).toBe("PENDING");
    expect(heard.at(-1)).toBeNull();
  });

  it("waits on a full disk, and is told when there is room", async () => {
    const { house, id } = await openHouse("2026-06-21T21:59:00Z");
    await using _ = house;
    house.home.disk.failWrites("lost", "lost", "lost");
    await house.pass(5 * MINUTE_MS);
    expect(house.chargeStatus(id)).toMatchObject({ state: "ALIGNED", isCharging: true });
    expect(house.run.store.get("schedule-state", id)?.status).toEqual(house.status(id));
  });
});
