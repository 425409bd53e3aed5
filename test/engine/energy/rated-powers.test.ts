/** The rated power of inverters, as far as their power shows it. */
import { expect, test } from "vitest";
import { RatedPowers } from "../../../src/engine/energy/rated-powers.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

test("a power that follows a limit slowly stands for a rated power only once it is steady", () => {
  const rated = new RatedPowers();
  const at = (second: number, powerW: number, limitPct: number) => rated.update("a", powerW, limitPct, second * SECOND);
  expect(at(0, 9_000, 100)).toBe(9_000);
  at(1, 9_000, 10);
  // It still comes down.
  expect(at(17, 8_000, 10)).toBe(9_000);
  expect(at(60, 1_000, 10)).toBe(9_000);
  expect(at(70, 1_005, 10)).toBeCloseTo(10_050);
  // It still goes up.
  at(71, 1_005, 40);
  expect(at(90, 2_000, 40)).toBeCloseTo(10_050);
  // A cloud shows nothing.
  at(120, 200, 40);
  expect(at(130, 200, 40)).toBeCloseTo(10_050);
});

test("a rated power that was estimated too high is corrected by a power that follows its limit", () => {
  const rated = new RatedPowers();
  for (let second = 0; second <= 20; second += 1) rated.update("a", 9_000, 100, second * SECOND);
  // It comes down by 10 W a second, which looks steady.
  let most = 0;
  for (let second = 21; second <= 900; second += 1) {
    const powerW = Math.max(2_000, 9_000 - 10 * (second - 21));
    most = Math.max(most, rated.update("a", powerW, 20, second * SECOND) ?? 0);
  }
  expect(most).toBeGreaterThan(40_000);
  expect(rated.update("a", 2_000, 20, 901 * SECOND)).toBe(10_000);
});

test("without feed-in, under a sun that gives less than the rated power, an inverter is lowered within a minute and stays so", async () => {
  const house = energyHouse({ exportKw: 0 }, {}, { isOn: false });
  const run = await house.start();
  const overS = async (seconds: number): Promise<number> => {
    let over = 0;
    for (let second = 0; second < seconds; second += 1) {
      house.world.loadA = (3_950 + 60 * Math.sin(second)) / 3 / 230;
      await house.advance(SECOND);
      if (Number(house.meter.values["meter.power"]) < -250) over += 1;
    }
    return over;
  };
  house.world.sunW = 4_350;
  expect(await overS(60)).toBeLessThan(45);
  expect(await overS(10 * 60)).toBe(0);
  // A cloud, and the sun again.
  house.world.sunW = 300;
  await overS(3 * 60);
  house.world.sunW = 4_350;
  expect(await overS(10 * 60)).toBeLessThan(15);
  expect(Number(house.panels.values["inverter.power"])).toBeGreaterThan(3_500);
  await run.close();
});

test("an inverter that follows its limits slowly is raised within two minutes when the house takes 3 kW more", async () => {
  const house = energyHouse({ exportKw: 3 }, {}, { isOn: false });
  // Like one behind a radio: the limit shows at once, the power follows by 40 W a second.
  house.world.rampW = 40;
  house.world.sunW = 9_000;
  const run = await house.start();
  const feedInW = (): number => -Number(house.meter.values["meter.power"]);
  await house.advance(8 * MINUTE);
  const before = Number(house.panels.values["inverter.power"]);
  // 1 A on each phase is used, 3 kW are fed in.
  expect(feedInW()).toBeGreaterThan(2_600);
  expect(feedInW()).toBeLessThanOrEqual(3_000);
  house.world.loadA += 3_000 / 3 / 230;
  let most = 0;
  for (let second = 0; second < 120; second += 1) {
    await house.advance(SECOND);
    most = Math.max(most, feedInW());
  }
  // Slower than the cycle, it may be 1 % above for a moment.
  expect(most).toBeLessThanOrEqual(3_030);
  expect(Number(house.panels.values["inverter.power"])).toBeGreaterThan(before + 2_600);
  expect(feedInW()).toBeGreaterThan(2_600);
  await run.close();
});
