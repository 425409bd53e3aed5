/** What the owner leaves to the plan of a battery: a floor and a ceiling that the battery itself knows nothing of. */
import { expect, test } from "vitest";
import { HOUR, MINUTE } from "./energy-house.ts";
import { learn, nextHourMs, planHouse } from "./plan-house.ts";

test("The plan neither discharges a battery below the floor of its owner nor charges it above the ceiling, and neither does what follows it", async () => {
  const house = planHouse();
  house.world.loadW = 2_000;
  const run = await house.start();
  const cheapMs = nextHourMs(house) + 2 * HOUR;
  house.world.priceAt = (hourMs) => (hourMs >= cheapMs && hourMs < cheapMs + 3 * HOUR ? "0.05" : "0.45");
  const { energy, energyPlans } = run.engine.services;
  await house.resolve(energy.setBatteryUse({ isPlanned: true, minSoc: 30, maxSoc: 70 }));
  await learn(house);
  await house.advance(MINUTE);
  const [planned] = energyPlans.view().devices;
  const stored = planned?.stored.map((kwh) => kwh ?? Number.NaN) ?? [];
  expect(stored.length).toBeGreaterThan(50);
  expect(Math.min(...stored)).toBeCloseTo(3, 1);
  expect(Math.max(...stored)).toBeCloseTo(7, 1);
  const levels: number[] = [];
  const modes = new Set<unknown>();
  while (house.home.world.clock.nowMs() < cheapMs + 5 * HOUR) {
    await house.advance(MINUTE);
    levels.push(Number(house.battery.values["battery.soc"]));
    modes.add(house.battery.values["battery.mode"]);
  }
  expect(Math.min(...levels)).toBeGreaterThan(29);
  expect(Math.min(...levels)).toBeLessThan(32);
  expect(Math.max(...levels)).toBeLessThan(71.5);
  expect(Math.max(...levels)).toBeGreaterThan(67);
  expect([...modes].toSorted()).toEqual(["IDLE", "IMPORT_FOCUS", "SELF_RELIANCE"]);
  await run.close();
});

test.each([
  ["a little below its reserve of 10 %", 10, 9],
  ["at 3 % that tells no reserve", null, 3],
])(
  "A battery %s is not charged from the grid for that in the dear hours before cheap ones",
  async (_which, reserve, soc) => {
    const house = planHouse();
    house.battery.show("battery.reserve", reserve);
    house.battery.show("battery.soc", soc);
    const run = await house.start();
    const cheapMs = nextHourMs(house) + 3 * HOUR;
    house.world.priceAt = (hourMs) => (hourMs >= cheapMs ? "0.20" : "0.45");
    await house.resolve(run.engine.services.energy.setBatteryUse({ isPlanned: true }));
    await learn(house);
    await house.advance(HOUR);
    expect(run.engine.services.energyPlans.view().isPlanned).toBe(true);
    expect(house.battery.written("battery.mode")).not.toContain("IMPORT_FOCUS");
    expect(house.battery.values["battery.soc"]).toBe(soc);
    await run.close();
  },
);
