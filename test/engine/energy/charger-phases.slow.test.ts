import { expect, test } from "vitest";
import type { Run } from "../home.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";

async function setMode(house: EnergyHouse, run: Run, mode: "SURPLUS" | "FAST"): Promise<void> {
  const work = run.engine.services.energy.setPolicy(house.chargerId(run), { mode });
  await house.home.world.clock.resolve(work, 20 * SECOND);
}

async function clearMode(house: EnergyHouse, run: Run): Promise<void> {
  await house.home.world.clock.resolve(run.engine.services.energy.clearPolicy(house.chargerId(run)), 20 * SECOND);
}

function phasesNow({ charger }: EnergyHouse): unknown {
  return charger.values["charger.phases"];
}

function powerW({ charger }: EnergyHouse): number {
  return Number(charger.values["charger.power"]);
}

/** The writes of the phases and of the switch, in their order. */
function writesOf({ charger }: EnergyHouse): readonly string[] {
  return charger.calls
    .filter(({ call, point }) => call === "write" && (point === "charger.phases" || point === "charger.enabled"))
    .map(({ point, value }) => `${point} ${value}`);
}

function underLoad(house: EnergyHouse): () => boolean {
  let wasUnderLoad = false;
  let before = phasesNow(house);
  let beforeW = 0;
  const look = (): void => {
    if (phasesNow(house) !== before && beforeW > 0) wasUnderLoad = true;
    [before, beforeW] = [phasesNow(house), powerW(house)];
    house.home.world.clock.timer(100, look);
  };
  look();
  return () => wasUnderLoad;
}

test("little surplus charges on one phase, and the phases before are back after the mode is cleared and the car stopped", async () => {
  const house = energyHouse({}, {}, { isOn: false, phases: 3 });
  const run = await house.start();
  const wasUnderLoad = underLoad(house);
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(8 * MINUTE);
  expect(phasesNow(house)).toBe(1);
  expect(powerW(house)).toBeGreaterThanOrEqual(1_840);
  await clearMode(house, run);
  await house.advance(2 * MINUTE);
  // Charging was stopped before the mode, so it is again; then the phases are given back.
  expect(powerW(house)).toBe(0);
  expect(phasesNow(house)).toBe(3);
  expect(wasUnderLoad()).toBe(false);
  expect(run.store.all("lease").filter(({ origin }) => origin === "energy")).toEqual([]);
  await run.close();
});

test("phases are not given back while the car charges on, and are when it stops", async () => {
  const house = energyHouse({}, {}, { isOn: true, phases: 3 });
  const run = await house.start();
  const wasUnderLoad = underLoad(house);
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(25 * MINUTE);
  expect(phasesNow(house)).toBe(1);
  await clearMode(house, run);
  await house.advance(5 * MINUTE);
  expect([phasesNow(house), powerW(house) > 3_000]).toEqual([1, true]);
  house.world.isPlugged = false;
  await house.advance(MINUTE);
  expect(phasesNow(house)).toBe(3);
  expect(wasUnderLoad()).toBe(false);
  await run.close();
});

test("a charger that waited on one phase is switched back before it is released to charge", async () => {
  const house = energyHouse({}, {}, { isOn: true, phases: 3 });
  const run = await house.start();
  const wasUnderLoad = underLoad(house);
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(25 * MINUTE);
  house.world.sunW = 0;
  await house.wait(20 * MINUTE);
  expect([phasesNow(house), powerW(house)]).toEqual([1, 0]);
  await clearMode(house, run);
  await house.advance(2 * MINUTE);
  expect([phasesNow(house), powerW(house) > 10_000]).toEqual([3, true]);
  expect(writesOf(house).slice(-2)).toEqual(["charger.phases 3", "charger.enabled true"]);
  expect(wasUnderLoad()).toBe(false);
  await run.close();
});

test("a charger that decides by itself gets that back", async () => {
  const house = energyHouse({}, {}, { isOn: false, phases: 0 });
  const run = await house.start();
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(8 * MINUTE);
  expect(phasesNow(house)).toBe(1);
  await clearMode(house, run);
  await house.advance(2 * MINUTE);
  expect(phasesNow(house)).toBe(0);
  await run.close();
});

test("a stop of the gateway under load leaves the phases, and the next start gives them back at rest", async () => {
  const house = energyHouse({}, {}, { isOn: true, phases: 3 });
  const run = await house.start();
  const wasUnderLoad = underLoad(house);
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(25 * MINUTE);
  await clearMode(house, run);
  await house.advance(10 * SECOND);
  await run.close();
  await house.advance(MINUTE);
  expect(phasesNow(house)).toBe(1);
  const next = await house.start();
  await house.advance(3 * MINUTE);
  expect([phasesNow(house), powerW(house) > 0]).toEqual([1, true]);
  house.world.isPlugged = false;
  await house.advance(2 * MINUTE);
  expect(phasesNow(house)).toBe(3);
  expect(wasUnderLoad()).toBe(false);
  await next.close();
});

test("without a mode nobody switches the phases, whatever limits say", async () => {
  const house = energyHouse({ fuseA: 10 }, {}, { isOn: true, phases: 3 });
  const run = await house.start();
  await house.wait(10 * MINUTE);
  expect(writesOf(house).filter((write) => write.startsWith("charger.phases"))).toEqual([]);
  await run.close();
});

test("what somebody sets at the charger stays: the mode waits until the car is unplugged", async () => {
  const house = energyHouse({}, {}, { isOn: false, phases: 3 });
  const run = await house.start();
  house.world.sunW = 3_000;
  await setMode(house, run, "SURPLUS");
  await house.wait(8 * MINUTE);
  house.charger.show("charger.phases", 3);
  await house.advance(2 * MINUTE);
  expect(phasesNow(house)).toBe(3);
  expect(run.engine.services.energy.device(house.chargerId(run)).inCharge).toBe("device");
  await run.close();
});
