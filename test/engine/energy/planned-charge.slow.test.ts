import { expect, test } from "vitest";
import { energyHouse, HOUR, SECOND } from "./energy-house.ts";

test("a planned charge without sun begins as late as its energy can be there in time, and ends when it is", async () => {
  const house = energyHouse({}, {}, { isOn: false });
  const run = await house.start();
  const chargedWh = (): number => Number(house.charger.values["charger.energySession"]);
  const by = new Date(house.home.world.clock.nowMs() + 6 * HOUR).toISOString();
  const target = { kind: "ONCE", by, soc: null, energyKwh: 11 } as const;
  await house.home.world.clock.resolve(
    run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "PLANNED", target }),
    20 * SECOND,
  );
  await house.wait(HOUR);
  expect(chargedWh()).toBe(0);
  await house.wait(5 * HOUR);
  expect(chargedWh()).toBeGreaterThan(11_000);
  expect(chargedWh()).toBeLessThan(11_500);
  expect(house.charger.values["charger.enabled"]).toBe(false);
  await run.close();
});
