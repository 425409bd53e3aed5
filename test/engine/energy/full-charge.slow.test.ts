/** A battery that was not full for ten days: seen over a restart, announced, filled in cheap hours, and then left as before. */
import { expect, test } from "vitest";
import type { Run } from "../home.ts";
import { HOUR, MINUTE } from "./energy-house.ts";
import { learn, nextHourMs, type PlanHouse, planHouse } from "./plan-house.ts";

const DAYS = 24 * HOUR;

function announced(run: Run, language?: string) {
  const [planned] = run.engine.services.energyPlans.view(language).devices;
  return planned?.reasons.find(({ code }) => code === "full-charge");
}

function reasonNow(run: Run, language?: string) {
  const { devices } = run.engine.services.energy.state(language);
  return devices.find(({ deviceType }) => deviceType === "battery")?.reason;
}

/** The gateway saw the battery at 50 %, and is started again ten days later, before two hours that are a little cheaper. */
async function tenDaysLater(): Promise<{ readonly house: PlanHouse; readonly run: Run; readonly cheapMs: number }> {
  const house = planHouse();
  const first = await house.start();
  await house.resolve(first.engine.services.energy.setBatteryUse({ isPlanned: true }));
  await learn(house);
  expect(announced(first)).toBeUndefined();
  await first.close();
  await house.advance(10 * DAYS);
  house.battery.show("battery.soc", 50);
  const cheapMs = nextHourMs(house) + 4 * HOUR;
  const isCheap = (hourMs: number) => (hourMs - cheapMs + 24 * HOUR) % (24 * HOUR) < 2 * HOUR;
  house.world.priceAt = (hourMs) => (isCheap(hourMs) ? "0.27" : "0.30");
  const run = await house.start();
  await house.advance(3 * MINUTE);
  return { house, run, cheapMs };
}

test("A battery that was not full for ten days, over a restart, is charged fully once in the cheapest hours, which is announced", async () => {
  const { house, run, cheapMs } = await tenDaysLater();
  const { energy } = run.engine.services;
  await house.resolve(energy.setBatteryUse({ maxSoc: 90 }));
  await house.advance(MINUTE);
  expect(announced(run)).toBeUndefined();
  expect(reasonNow(run)?.code).toBe("plan");
  await house.resolve(energy.setBatteryUse({ maxSoc: 100, mayChargeFromGrid: false }));
  await house.advance(MINUTE);
  expect(announced(run)).toMatchObject({ when: [], text: expect.stringMatching(/as soon as that is within reach/) });
  expect(reasonNow(run)?.code).toBe("plan");
  await house.resolve(energy.setBatteryUse({ mayChargeFromGrid: true }));
  await house.advance(MINUTE);
  expect(announced(run, "de-DE")?.text).toMatch(
    /^Wird von \d\d:00 .* Uhr einmal voll geladen, weil das in den letzten/,
  );
  expect(reasonNow(run, "fr-FR")?.text).toMatch(/^Se charge une fois complètement d’ici \d\d:\d\d, car cela/);
  const untilMs = Date.parse(reasonNow(run)?.until ?? "");
  expect(untilMs).toBeGreaterThan(cheapMs + HOUR);
  expect(untilMs).toBeLessThanOrEqual(cheapMs + 2 * HOUR);
  expect(house.battery.written("battery.mode")).not.toContain("IMPORT_FOCUS");
  await house.advance(cheapMs + 5 * MINUTE - house.home.world.clock.nowMs());
  expect(house.battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
  const levels: number[] = [];
  while (house.home.world.clock.nowMs() < cheapMs + 2 * HOUR) {
    await house.advance(MINUTE);
    levels.push(Number(house.battery.values["battery.soc"]));
  }
  expect(Math.max(...levels)).toBeGreaterThanOrEqual(99);
  // It serves the house again at once.
  expect(levels.at(-1)).toBeLessThan(97);
  expect(house.battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect([announced(run), reasonNow(run)?.code]).toEqual([undefined, "plan"]);
  await run.close();
});
