import { describe, expect, test } from "vitest";
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import type { Run } from "../home.ts";
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
    await house.advance(20 * MINUTE);
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
    expect(offeredA(house)).toBe(12);
    const shown = run.engine.services.energy.device(house.chargerId(run), "de-DE");
    expect(shown.reason?.code).toBe("fuse");
    expect(shown.reason?.text).toMatch(/^Die Hauptsicherung/);
    house.world.loadA = 1;
    await house.advance(15 * MINUTE);
    expect(offeredA(house)).toBe(16);
    expect(energyLeases(run)).toEqual([]);
    await run.close();
  });

  test("when the meter is silent, the charger falls to its safe current, which is told", async () => {
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

  test("a limit that somebody lifts again and again is written a bounded number of times", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(8);
    const { charger } = house;
    charger.onWrite = () => undefined;
    charger.show("charger.maxCurrent", 16);
    const before = charger.written("charger.maxCurrent").length;
    await house.advance(3 * MINUTE);
    expect(charger.written("charger.maxCurrent").length - before).toBeLessThanOrEqual(8);
    await run.close();
  });

  test("what the disk refuses is not written to the device", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    const run = await house.start();
    await house.advance(20 * SECOND);
    const before = house.charger.calls.filter(({ call }) => call === "write").length;
    house.home.disk.failWrites(...Array.from({ length: 200 }, () => "lost" as const));
    house.home.disk.failOpens(200);
    house.world.loadA = 9;
    await house.advance(20 * SECOND);
    expect(house.charger.calls.filter(({ call }) => call === "write").length).toBe(before);
    house.home.disk.failWrites();
    house.home.disk.failOpens(0);
    await house.advance(2 * MINUTE);
    expect(offeredA(house)).toBeLessThanOrEqual(7);
    await run.close();
  });
});

describe("over a crash", () => {
  test("nothing forced is left: a value that the next start does not need is given back", async () => {
    const house = energyHouse({ fuseA: 16 }, {}, { isOn: true, maxA: 16 });
    house.world.loadA = 8;
    const run = await house.start();
    await house.advance(30 * SECOND);
    expect(offeredA(house)).toBe(8);
    run.process.kill();
    house.home.disk.crash();
    house.world.loadA = 0;
    await house.advance(MINUTE);
    const next = await house.start();
    await house.advance(15 * MINUTE);
    expect(offeredA(house)).toBe(16);
    expect(energyLeases(next)).toEqual([]);
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
    expect(offeredA(house)).toBe(8);
    run.process.kill();
    house.home.disk.crash();
    const next = await house.start();
    house.world.loadA = 0;
    await house.advance(15 * MINUTE);
    expect(offeredA(house)).toBe(14);
    const leases = next.store.all("lease").map(({ point, value, origin }) => ({ point, value, origin }));
    expect(leases).toEqual([{ point: "charger.maxCurrent", value: 14, origin: undefined }]);
    await next.close();
  });
});

describe("who is in charge", () => {
  test("a client's stop and its cancellation are those of a person, whatever the mode", async () => {
    const house = energyHouse({}, {}, { isOn: true });
    const run = await house.start();
    await setMode(house, run, "FAST");
    await house.advance(20 * SECOND);
    await command(house, run, STOP);
    await house.advance(20 * SECOND);
    expect(offeredA(house)).toBe(0);
    await setMode(house, run, "FAST");
    await house.advance(8 * MINUTE);
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
