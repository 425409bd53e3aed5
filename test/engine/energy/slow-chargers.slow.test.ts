/** Chargers that show a command only after a while, as those behind a maker's cloud do. */
import { describe, expect, test } from "vitest";
import { type EnergyHouse, energyHouse, gridA, MINUTE, SECOND } from "./energy-house.ts";

const FUSE_A = 16;

/** A charger that follows and shows each command only after its dead time. */
function slowHouse(deadMs: number) {
  const house = energyHouse({ fuseA: FUSE_A }, {}, { isOn: true, maxA: 16 });
  const { charger, home } = house;
  charger.onWrite = (point, value) => void home.world.clock.timer(deadMs, () => charger.show(point, value));
  return house;
}

/** The longest time above the fuse, s. */
async function longestOverloadS(house: EnergyHouse, seconds: number, fuseA = FUSE_A): Promise<number> {
  let longest = 0;
  let running = 0;
  for (let second = 0; second < seconds; second += 1) {
    await house.advance(SECOND);
    running = gridA(house) > fuseA + 0.01 ? running + 1 : 0;
    longest = Math.max(longest, running);
  }
  return longest;
}

describe("a charger behind a cloud", () => {
  test.each([8, 25, 40])("with a dead time of %i s is late and not out of control: its limit stays", async (deadS) => {
    const house = slowHouse(deadS * SECOND);
    const run = await house.start();
    await house.advance(2 * MINUTE);
    for (const loadA of [8, 3, 9]) {
      house.world.loadA = loadA;
      expect(await longestOverloadS(house, 240)).toBeLessThanOrEqual(deadS + 20);
      const shown = run.engine.services.energy.device(house.chargerId(run));
      expect(shown, `with ${loadA} A in the house`).toMatchObject({ isControlled: true });
    }
    expect(gridA(house)).toBeLessThanOrEqual(FUSE_A + 0.01);
    expect(run.engine.services.energy.state().alarms).toEqual([]);
    await run.close();
  });

  test("that takes no command at all counts as a plain load after a minute, and is tried again ten minutes later", async () => {
    const house = slowHouse(MINUTE);
    house.charger.onWrite = () => undefined;
    house.world.loadA = 8;
    const run = await house.start();
    const isControlled = (): boolean => run.engine.services.energy.device(house.chargerId(run)).isControlled === true;
    await house.advance(40 * SECOND);
    expect(isControlled()).toBe(true);
    await house.advance(MINUTE);
    expect(isControlled()).toBe(false);
    const written = house.charger.calls.filter(({ call }) => call === "write").length;
    await house.advance(8 * MINUTE);
    expect(house.charger.calls.filter(({ call }) => call === "write").length).toBe(written);
    house.charger.onWrite = (point, value) => house.charger.show(point, value);
    await house.advance(4 * MINUTE);
    expect(isControlled()).toBe(true);
    expect(gridA(house)).toBeLessThanOrEqual(FUSE_A + 0.01);
    await run.close();
  });
});

test("a charger gets its current before it starts, so that a slow second command leaves it at no higher one", async () => {
  const house = energyHouse({}, {}, { isOn: false, maxA: 32 });
  house.world.carMaxA = 32;
  const run = await house.start();
  const offered: unknown[] = [];
  house.charger.onWrite = (point, value) => {
    house.charger.show(point, value);
    if (house.charger.values["charger.enabled"] === true) offered.push(house.charger.values["charger.maxCurrent"]);
  };
  house.world.sunW = 5_500;
  const mode = run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "SURPLUS" });
  await house.home.world.clock.resolve(mode, 20 * SECOND);
  await house.advance(3 * MINUTE);
  expect(offered[0]).toBeLessThanOrEqual(8);
  await run.close();
});

test("a charger whose car took its time to start is not a slow one: when it ignores a limit, it is off before the fuse trips", async () => {
  const fuseA = 80;
  const house = energyHouse({ fuseA }, {}, { isOn: false, maxA: 16 });
  house.world.carMaxA = 0;
  const run = await house.start();
  const mode = run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "FAST" });
  await house.home.world.clock.resolve(mode, 20 * SECOND);
  await house.advance(100 * SECOND);
  house.world.carMaxA = 32;
  await house.advance(MINUTE);
  expect(gridA(house)).toBeGreaterThan(32);
  house.charger.onWrite = (point, value) => {
    if (point === "charger.enabled") house.charger.show(point, value);
  };
  house.world.loadA = 52;
  expect(await longestOverloadS(house, 90, fuseA)).toBeLessThanOrEqual(55);
  await run.close();
});

test("a charger whose gateway dies at full load falls to the safe current of its own timer, and not before", async () => {
  const house = energyHouse({ fuseA: 25 }, {}, { isOn: true, maxA: 6, holdMs: MINUTE, safeA: 6 });
  const run = await house.start();
  const mode = run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "FAST" });
  await house.home.world.clock.resolve(mode, 20 * SECOND);
  await house.advance(MINUTE);
  const fullA = Number(house.charger.values["charger.maxCurrent"]);
  expect(fullA).toBeGreaterThanOrEqual(16);
  for (let minute = 0; minute < 10; minute += 1) {
    await house.advance(MINUTE);
    expect(house.charger.values["charger.maxCurrent"]).toBe(fullA);
  }
  run.process.kill();
  house.home.disk.crash();
  // An oven of 16 A on each phase, with nobody there to trim the car.
  house.world.loadA = 16;
  await house.advance(MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(6);
  expect(gridA(house)).toBeLessThanOrEqual(25);
});

test("a current that somebody sets in surplus mode stays, although more than the sun is drawn by then", async () => {
  const house = energyHouse({}, {}, { isOn: true, maxA: 16 });
  const run = await house.start();
  house.world.sunW = 6_000;
  const mode = run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "SURPLUS" });
  await house.home.world.clock.resolve(mode, 20 * SECOND);
  await house.advance(3 * MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(7);
  house.charger.show("charger.maxCurrent", 13);
  await house.advance(5 * MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(13);
  await run.close();
});
