/** A battery where all hours cost the same but one. */
import { expect, test } from "vitest";
import { HOUR, MINUTE } from "./energy-house.ts";
import { learn, nextHourMs, type PlanHouse, planHouse } from "./plan-house.ts";

/** One hour of each day, some hours ahead, costs something else. */
function oneHour(house: PlanHouse, hoursAhead: number, cost: string): number {
  const fromMs = nextHourMs(house) + hoursAhead * HOUR;
  house.world.priceAt = (hourMs) => ((hourMs - fromMs + 24 * HOUR) % (24 * HOUR) < HOUR ? cost : "0.30");
  return fromMs;
}

function socOf({ battery }: PlanHouse): number {
  return Number(battery.values["battery.soc"]);
}

async function until(house: PlanHouse, atMs: number): Promise<void> {
  await house.advance(atMs - house.home.world.clock.nowMs());
}

test.each([
  ["0.10", "IMPORT_FOCUS"],
  // Of 30 ct the losses of 14 % and the wear leave less than 24 ct.
  ["0.26", "SELF_RELIANCE"],
])("a battery in a house with one hour at %s EUR is in %s in that hour", async (cost, mode) => {
  const house = planHouse();
  const run = await house.start();
  await learn(house);
  const cheapMs = oneHour(house, 1, cost);
  await house.resolve(run.engine.services.energy.setBatteryUse({ isPlanned: true }));
  await until(house, cheapMs - MINUTE);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  const before = socOf(house);
  await until(house, cheapMs + 5 * MINUTE);
  expect(house.battery.values["battery.mode"]).toBe(mode);
  await until(house, cheapMs + HOUR + 5 * MINUTE);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  if (mode === "IMPORT_FOCUS") expect(socOf(house)).toBeGreaterThan(before + 30);
  else expect(socOf(house)).toBeLessThan(before);
  await run.close();
});

test("a battery that must not buy keeps what the dear hours need, and gives it then", async () => {
  const house = planHouse();
  house.battery.show("battery.soc", 38);
  const run = await house.start();
  await learn(house);
  const dearMs = oneHour(house, 6, "0.60");
  const use = { isPlanned: true, mayChargeFromGrid: false };
  await house.resolve(run.engine.services.energy.setBatteryUse(use));
  await until(house, dearMs - MINUTE);
  // It does not give its last 10 %, and 0.8 kWh for today's and for tomorrow's dear hour each; without the plan it is empty.
  expect(house.battery.written("battery.mode")).toContain("IDLE");
  expect(socOf(house)).toBeGreaterThan(25);
  await until(house, dearMs + 5 * MINUTE);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  await until(house, dearMs + HOUR - MINUTE);
  expect(Number(house.battery.values["battery.power"])).toBeLessThan(-700);
  await run.close();
});
