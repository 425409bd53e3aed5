/** Limits of the feed-in, by the connection or by a price below zero, on the whole engine. */
import { describe, expect, test } from "vitest";
import type { Run } from "../home.ts";
import { energyHouse, gridA, MINUTE, NO_LIMITS, SECOND } from "./energy-house.ts";

function energyLeases(run: Run) {
  return run.store.all("lease").filter(({ origin }) => origin === "energy");
}

describe("the feed-in limit", () => {
  test("keeps the feed-in below it within a minute, and gives the panels back when it ends", async () => {
    let exportKw: number | null = null;
    const house = energyHouse({}, { connection: () => ({ ...NO_LIMITS, exportKw }) }, { isOn: false });
    const run = await house.start();
    house.world.sunW = 9_000;
    await house.advance(MINUTE);
    expect(gridA(house) * 3 * 230).toBeLessThan(-8_000);
    exportKw = 6;
    await house.advance(MINUTE);
    const fedInW: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      await house.advance(SECOND);
      fedInW.push(-gridA(house) * 3 * 230);
    }
    expect(Math.max(...fedInW)).toBeLessThanOrEqual(6_000);
    expect(Math.min(...fedInW)).toBeGreaterThan(5_000);
    exportKw = null;
    await house.wait(15 * MINUTE);
    expect(house.panels.values["inverter.powerLimit"]).toBe(100);
    expect(energyLeases(run)).toEqual([]);
    await run.close();
  });
});

describe("a price below zero for feeding in", () => {
  const pricing = (perKwh: number) => ({
    currency: "EUR",
    feedIn: { perKwh, marketFactor: 0, stopsBelowZero: true },
  });

  test("limits the panels to what the house takes, and says why", async () => {
    const house = energyHouse({}, {}, { isOn: false }, { pricing: pricing(-0.02) });
    const run = await house.start();
    house.world.sunW = 9_000;
    await house.advance(2 * MINUTE);
    expect(gridA(house) * 3 * 230).toBeGreaterThan(-100);
    expect(gridA(house) * 3 * 230).toBeLessThan(600);
    const { devices, isActive, hasLimits } = run.engine.services.energy.state();
    expect(devices.find(({ deviceType }) => deviceType === "inverter")?.reason?.code).toBe("negative-price");
    expect([isActive, hasLimits]).toEqual([true, false]);
    await run.close();
  });

  test("leaves the panels alone when it is above zero", async () => {
    const house = energyHouse({}, {}, { isOn: false }, { pricing: pricing(0.02) });
    const run = await house.start();
    house.world.sunW = 9_000;
    await house.advance(2 * MINUTE);
    expect(gridA(house) * 3 * 230).toBeLessThan(-8_000);
    expect(run.engine.services.energy.state().isActive).toBe(false);
    await run.close();
  });

  test("gives the panels back when it is over", async () => {
    let untilMs: number | null = 10 * MINUTE;
    const house = energyHouse({}, { feedInStopsUntilMs: () => untilMs }, { isOn: false });
    const run = await house.start();
    house.world.sunW = 9_000;
    await house.advance(2 * MINUTE);
    expect(house.panels.values["inverter.powerLimit"]).toBeLessThan(20);
    untilMs = null;
    await house.advance(15 * MINUTE);
    expect(house.panels.values["inverter.powerLimit"]).toBe(100);
    expect(energyLeases(run)).toEqual([]);
    await run.close();
  });
});
