import { expect, test } from "vitest";
import { energyHouse, HOUR, MINUTE, SECOND } from "./energy-house.ts";

test("without sun a planned charge shows its power for the least time on, then waits as late as its energy can be there", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const run = await house.start();
  const chargedWh = (): number => Number(house.charger.values["charger.energySession"]);
  const by = new Date(house.home.world.clock.nowMs() + 2 * HOUR).toISOString();
  const target = { kind: "ONCE", by, soc: null, energyKwh: 3.5 } as const;
  await house.home.world.clock.resolve(
    run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "PLANNED", target }),
    20 * SECOND,
  );
  // An unknown car may be a slow one, with 3.68 kW, that had to start 86 min before.
  await house.advance(33 * MINUTE);
  expect(chargedWh()).toBe(0);
  // It draws 11 kW, so that it may wait: what it took is the current of the minimum time on, 6 A for 10 min.
  await house.advance(12 * MINUTE);
  expect(chargedWh()).toBeGreaterThan(685);
  expect(chargedWh()).toBeLessThan(725);
  const shownWh = chargedWh();
  await house.advance(30 * MINUTE);
  expect(chargedWh()).toBe(shownWh);
  await house.advance(45 * MINUTE);
  expect(chargedWh()).toBeGreaterThan(3_500);
  // With what 6 A bring while it waits 3 min for sun.
  expect(chargedWh()).toBeLessThan(3_725);
  expect(house.charger.values["charger.enabled"]).toBe(false);
  await run.close();
});
