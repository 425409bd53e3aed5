import { describe, expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import type { Run } from "../home.ts";
import { makeChargeSchedule } from "../schedules/schedule-house.ts";
import { carOptions, followCarSwitch } from "../smart/cars.ts";
import { type EnergyHouse, energyHouse, gridA, MINUTE, SECOND } from "./energy-house.ts";

const START: DesiredSetting = { targetType: "charger", kind: "START" };
const STOP: DesiredSetting = { targetType: "charger", kind: "STOP" };

function resolve<T>({ home }: EnergyHouse, work: Promise<T>): Promise<T> {
  return home.world.clock.resolve(work, 20 * SECOND);
}

async function setMode(house: EnergyHouse, run: Run, mode: "OFF" | "SURPLUS" | "MIN_SURPLUS" | "FAST"): Promise<void> {
  await resolve(house, run.engine.services.energy.setPolicy(house.chargerId(run), { mode }));
}

async function command(house: EnergyHouse, run: Run, setting: DesiredSetting): Promise<string> {
  const action = await resolve(house, run.engine.actions.start(house.chargerId(run), setting));
  return action.id;
}

function energyLeases(run: Run) {
  return run.store.all("lease").filter(({ origin }) => origin === "energy");
}

function offeredA({ charger }: EnergyHouse): number {
  return charger.values["charger.enabled"] === true ? Number(charger.values["charger.maxCurrent"]) : 0;
}

describe("modes of a charger", () => {
  test("surplus charging follows the sun, and stops when it is gone", async () => {
    const house = energyHouse({}, {}, { isOn: false });
    const run = await house.start();
    house.world.sunW = 8_000;
    await setMode(house, run, "SURPLUS");
    await house.advance(6 * MINUTE);
    expect(offeredA(house)).toBeGreaterThanOrEqual(9);
    expect(gridA(house)).toBeLessThan(1);
    house.world.sunW = 6_000;
    await house.advance(3 * MINUTE);
    expect(offeredA(house)).toBeGreaterThanOrEqual(6);
    expect(offeredA(house)).toBeLessThanOrEqual(8);
    house.world.sunW = 0;
    await house.wait(20 * MINUTE);
    expect(offeredA(house)).toBe(0);
    await run.close();
  });

  test("a mode is taken up again by the next start, and the value before is back after the mode is cleared", async () => {
    const house = energyHouse({}, {}, { isOn: true, maxA: 13 });
    const run = await house.start();
    await setMode(house, run, "MIN_SURPLUS");
    await house.advance(MINUTE);
    expect(offeredA(house)).toBe(6);
    await run.close();
    expect(offeredA(house)).toBe(13);
    const next = await house.start();
    await house.advance(MINUTE);
    expect(next.engine.services.energy.device(house.chargerId(next)).policy?.mode).toBe("MIN_SURPLUS");
    expect(offeredA(house)).toBe(6);
    await resolve(house, next.engine.services.energy.clearPolicy(house.chargerId(next)));
    await house.advance(MINUTE);
    expect(offeredA(house)).toBe(13);
    expect(energyLeases(next)).toEqual([]);
    await next.close();
  });

  test("a mode that is cleared gives back no more than the fuse leaves, in the same step", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    const run = await house.start();
    house.world.loadA = 6;
    await setMode(house, run, "MIN_SURPLUS");
    await house.advance(2 * MINUTE);
    expect(offeredA(house)).toBe(6);
    const before = house.charger.written("charger.maxCurrent").length;
    await resolve(house, run.engine.services.energy.clearPolicy(house.chargerId(run)));
    await house.advance(5 * MINUTE);
    const written = house.charger.written("charger.maxCurrent").slice(before).map(Number);
    expect(Math.max(...written, 0)).toBeLessThanOrEqual(10);
    expect(gridA(house)).toBeLessThanOrEqual(16);
    expect(offeredA(house)).toBe(9);
    house.world.loadA = 0;
    await house.advance(5 * MINUTE);
    expect(offeredA(house)).toBe(15);
    await run.close();
  });

  test("a client's start goes before the mode until the car is unplugged", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    await setMode(house, run, "OFF");
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(0);
    const id = await command(house, run, START);
    await house.advance(30 * SECOND);
    expect(run.engine.actions.get("charger", id)?.state).toBe("CONFIRMED");
    expect(offeredA(house)).toBeGreaterThan(0);
    expect(run.engine.services.energy.device(house.chargerId(run)).inCharge).toBe("person");
    house.world.isPlugged = false;
    await house.advance(30 * SECOND);
    house.world.isPlugged = true;
    await house.advance(2 * MINUTE);
    expect(offeredA(house)).toBe(0);
    await run.close();
  });

  test("what somebody changes at the charger stays in surplus mode, until a mode is set again", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    await setMode(house, run, "MIN_SURPLUS");
    await house.advance(MINUTE);
    house.charger.show("charger.maxCurrent", 11);
    await house.advance(MINUTE);
    expect(offeredA(house)).toBe(11);
    expect(run.engine.services.energy.device(house.chargerId(run)).inCharge).toBe("device");
    await setMode(house, run, "MIN_SURPLUS");
    await house.advance(MINUTE);
    expect(offeredA(house)).toBe(6);
    await run.close();
  });
});

describe("the fuse", () => {
  test("a client's charge is trimmed before the fuse is overloaded, and given back when there is room", async () => {
    const house = energyHouse({ fuseA: 20 }, {}, { isOn: false, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    const id = await command(house, run, START);
    for (let second = 0; second < 60; second += 1) {
      await house.advance(SECOND);
      if (second > 10) expect(gridA(house)).toBeLessThanOrEqual(20.01);
    }
    expect(run.engine.actions.get("charger", id)?.state).toBe("CONFIRMED");
    expect(offeredA(house)).toBe(11);
    const shown = run.engine.services.energy.device(house.chargerId(run), "de-DE");
    expect(shown.reason?.code).toBe("fuse");
    expect(shown.reason?.text).toMatch(/^Die Hauptsicherung/);
    house.world.loadA = 1;
    await house.wait(15 * MINUTE);
    expect(offeredA(house)).toBe(16);
    expect(energyLeases(run)).toEqual([]);
    await run.close();
  });

  test("when the meter is silent, the charger falls to its safe current, and an alarm begins", async () => {
    const house = energyHouse({ fuseA: 25 }, {}, { isOn: true, maxA: 16 });
    const run = await house.start();
    await setMode(house, run, "FAST");
    await house.advance(MINUTE);
    expect(offeredA(house)).toBeGreaterThanOrEqual(16);
    house.meter.isUp = false;
    await house.advance(2 * MINUTE);
    expect(offeredA(house)).toBe(6);
    expect(run.engine.services.energy.state().alarms.map(({ code }) => code)).toContain("meter-silent");
    await run.close();
  });

  test("a meter that is found to be wired the wrong way round decides nothing until its finding is confirmed", async () => {
    const house = energyHouse({ fuseA: 20 }, {}, { isOn: true, maxA: 16 });
    house.world.isMeterReversed = true;
    const run = await house.start();
    const { energy, checks } = run.engine.services;
    await setMode(house, run, "FAST");
    for (let turn = 0; turn < 12; turn += 1) {
      house.world.carMaxA = turn % 2 === 0 ? 6 : 16;
      await house.advance(20 * SECOND);
    }
    const [finding] = checks.list().filter((each) => each.finding.check === "sign");
    expect(finding).toMatchObject({ state: "OPEN", finding: { deviceId: "meter" } });
    expect(offeredA(house)).toBe(6);
    expect(energy.state().alarms.map(({ code }) => code)).toEqual(["meter-reversed"]);
    expect(energy.device(house.chargerId(run), "sv-SE").reason?.text).toMatch(/^Elmätaren är felvänd/);
    await resolve(house, checks.confirm(finding?.id ?? ""));
    await house.advance(2 * MINUTE);
    expect(offeredA(house)).toBeGreaterThanOrEqual(16);
    expect(energy.state().alarms).toEqual([]);
    await run.close();
  });

  test("a turned meter that shows the right direction again decides before its finding is closed", async () => {
    const house = energyHouse({ fuseA: 20 }, {}, { isOn: true, maxA: 16 });
    house.world.isMeterReversed = true;
    const run = await house.start();
    const { energy, checks } = run.engine.services;
    await setMode(house, run, "FAST");
    const seen = new Set<string>();
    for (let turn = 0; turn < 30; turn += 1) {
      if (turn === 12) house.world.isMeterReversed = false;
      house.world.sunW = turn % 2 === 0 ? 0 : 7_000;
      await house.advance(20 * SECOND);
      const isOpen = checks.list().some(({ state, finding }) => state === "OPEN" && finding.check === "sign");
      seen.add(
        `${isOpen ? "open" : "closed"}, ${energy
          .state()
          .alarms.map(({ code }) => code)
          .join()}`,
      );
    }
    expect([...seen]).toEqual(["closed, ", "open, meter-reversed", "open, "]);
    await run.close();
  });

  test("a limit that somebody lifts again and again is written a bounded number of times", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(7);
    const { charger } = house;
    charger.onWrite = () => undefined;
    charger.show("charger.maxCurrent", 16);
    const before = charger.written("charger.maxCurrent").length;
    await house.advance(3 * MINUTE);
    expect(charger.written("charger.maxCurrent").length - before).toBeLessThanOrEqual(8);
    await run.close();
  });

  test("what the disk refuses is not written to the device", async () => {
    const house = energyHouse({ fuseA: 20 }, {}, { isOn: true, maxA: 16 });
    const run = await house.start();
    await house.advance(20 * SECOND);
    const before = house.charger.calls.filter(({ call }) => call === "write").length;
    house.home.disk.failWrites(...Array.from({ length: 20 }, () => "lost" as const));
    house.home.disk.failOpens(20);
    house.world.loadA = 9;
    await house.advance(20 * SECOND);
    expect(house.charger.calls.filter(({ call }) => call === "write").length).toBe(before);
    await house.wait(10 * MINUTE);
    expect(offeredA(house)).toBeLessThanOrEqual(11);
    await run.close();
  });
});

test("a control cycle that fails leaves the charger at its least current, and goes on afterwards", async () => {
  let isBroken = false;
  const limits = (): readonly [] => {
    if (isBroken) throw new Error("broken");
    return [];
  };
  const house = energyHouse({ fuseA: 25 }, { limits }, { isOn: true, maxA: 16 });
  const run = await house.start();
  await house.advance(20 * SECOND);
  isBroken = true;
  await house.advance(20 * SECOND);
  expect(offeredA(house)).toBe(6);
  isBroken = false;
  expect(run.engine.services.energy.state().alarms.map(({ code }) => code)).toEqual(["control-failed"]);
  await house.advance(5 * MINUTE);
  expect(run.engine.services.energy.state().alarms).toEqual([]);
  expect(offeredA(house)).toBe(16);
  expect(energyLeases(run)).toEqual([]);
  await run.close();
});

describe("over a crash", () => {
  test("nothing forced is left: a value that the next start does not need is given back", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(7);
    run.process.kill();
    house.home.disk.crash();
    house.world.loadA = 0;
    await house.advance(MINUTE);
    const next = await house.start();
    await house.wait(15 * MINUTE);
    expect(offeredA(house)).toBe(16);
    expect(energyLeases(next)).toEqual([]);
    await next.close();
  });

  test("what is given back after a crash is no more than the fuse leaves, from its first write on", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(7);
    run.process.kill();
    house.home.disk.crash();
    house.world.loadA = 4;
    await house.advance(MINUTE);
    const before = house.charger.written("charger.maxCurrent").length;
    const next = await house.start();
    await house.wait(10 * MINUTE);
    const written = house.charger.written("charger.maxCurrent").slice(before).map(Number);
    expect(Math.max(...written)).toBe(11);
    expect(offeredA(house)).toBe(11);
    await next.close();
  });

  test("what a client held below the limit is held again", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    const run = await house.start();
    await command(house, run, { targetType: "charger", maxCurrent: 14 });
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(14);
    house.world.loadA = 8;
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(7);
    run.process.kill();
    house.home.disk.crash();
    const next = await house.start();
    house.world.loadA = 0;
    await house.wait(15 * MINUTE);
    expect(offeredA(house)).toBe(14);
    const leases = next.store.all("lease").map(({ point, value, origin }) => ({ point, value, origin }));
    expect(leases).toEqual([{ point: "charger.maxCurrent", value: 14, origin: undefined }]);
    await next.close();
  });
});

describe("who is in charge", () => {
  test("a client's stop goes before the mode, until a mode is set again", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    await setMode(house, run, "FAST");
    await house.advance(20 * SECOND);
    await command(house, run, STOP);
    await house.advance(20 * SECOND);
    expect(offeredA(house)).toBe(0);
    await setMode(house, run, "FAST");
    await house.wait(8 * MINUTE);
    expect(offeredA(house)).toBeGreaterThan(0);
    await run.close();
  });

  test("smart charging takes a charger over from the energy manager, and the other way round", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    const { energy, chargerSmart, controllers } = run.engine.services;
    const id = house.chargerId(run);
    await setMode(house, run, "FAST");
    expect(controllers.inChargeOf(id)).toBe("energy");
    await resolve(house, chargerSmart.setPolicy(id, { isEnabled: true, deadline: "07:00", chargingDuration: "02:00" }));
    expect(energy.device(id).policy).toBeNull();
    await setMode(house, run, "FAST");
    expect(chargerSmart.policy(id).isEnabled).toBe(false);
    await run.close();
  });

  test("a schedule takes a charger over from the energy manager, and the other way round", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    const { energy, schedules, controllers } = run.engine.services;
    const targetId = house.chargerId(run);
    await setMode(house, run, "FAST");
    const schedule = makeChargeSchedule({ targetId, rules: [] });
    const { id } = await resolve(house, schedules.create("home", schedule));
    expect(controllers.inChargeOf(targetId)).toBe("schedule");
    expect(energy.device(targetId).policy).toBeNull();
    await setMode(house, run, "FAST");
    expect(controllers.inChargeOf(targetId)).toBe("energy");
    expect(schedules.get(id)?.isEnabled).toBe(false);
    await run.close();
  });

  test("a vehicle's smart charging takes it over from the energy manager, and the other way round", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const car = house.home.add("car", carOptions());
    followCarSwitch(car);
    const run = await house.start();
    const { energy, vehicleSmart, controllers } = run.engine.services;
    const id = run.engine.assets.list("vehicle")[0]?.asset.id ?? "";
    await resolve(house, energy.setPolicy(id, { mode: "FAST" }));
    expect(controllers.inChargeOf(id)).toBe("energy");
    const release = controllers.takeOver(id, "smart-charging", async () => vehicleSmart.policy(id));
    await resolve(house, release);
    expect(() => energy.device(id)).toThrow("knows no device");
    await resolve(house, energy.setPolicy(id, { mode: "OFF" }));
    await house.advance(2 * MINUTE);
    expect(car.values["vehicle.enabled"]).toBe(false);
    await run.close();
  });

  test("a smart override starts charging whatever the mode, and the mode goes on after it", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    const { energy, smartOverrides } = run.engine.services;
    await setMode(house, run, "OFF");
    await house.advance(30 * SECOND);
    const id = house.chargerId(run);
    await resolve(house, smartOverrides.start("charger", id));
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBeGreaterThan(0);
    expect(energy.device(id).inCharge).toBe("person");
    await resolve(house, smartOverrides.end("charger", id));
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(0);
    await run.close();
  });
});
