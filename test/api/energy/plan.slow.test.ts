import { describe, expect, test } from "vitest";
import { MINUTE } from "../../engine/energy/energy-house.ts";
import { planHouse } from "../../engine/energy/plan-house.ts";
import { openRealHouse } from "../support/real-house.ts";

async function openHouse() {
  const plan = planHouse();
  const house = await openRealHouse({ home: plan.home });
  const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
  await plan.resolve(house.run.engine.services.locations.create("home", place));
  return { house, plan };
}

describe("the plan over the API", () => {
  test("says in the language that is asked for why there is none, and makes one when a battery may be planned", async () => {
    const { house, plan } = await openHouse();
    await using _ = house;
    const url = "/local/energy/plan";
    const none = (await house.ask({ url: `${url}?language=sv-SE` })).json();
    expect(none).toMatchObject({ isPlanned: false, whyNot: { code: "nothing-to-plan" }, madeAt: null, slots: [] });
    expect(none.whyNot.text).toMatch(/^Det finns ingen plan/);
    // Without its solver, so that the answer does not wait for loading it.
    house.run.process.platform.optimizer.solve = async () => ({ status: "failed", detail: "not here" });
    await house.pass(80 * MINUTE);
    await house.ask({ method: "PUT", url: "/local/energy/battery-use", payload: { isPlanned: true } });
    await house.pass(MINUTE);
    const made = (await house.ask({ url })).json();
    expect(made).toMatchObject({ isPlanned: true, whyNot: null, method: "dynamic-program", currency: "EUR" });
    expect(made.forecasts).toMatchObject({ production: { source: "none" }, prices: { isFeedInKnown: true } });
    const [device] = made.devices;
    expect(device.power).toHaveLength(made.slots.length);
    expect(device.reasons[0].text).not.toBe("");
    plan.world.priceAt = () => null;
    plan.tellPrices();
    await house.pass(MINUTE);
    expect((await house.ask({ url })).json()).toMatchObject({
      isPlanned: false,
      whyNot: { code: "no-prices" },
      cost: null,
    });
    const entries = await plan.resolve(house.run.store.journalAfter(null, 5_000));
    const events = entries.filter(({ event }) => event === "local:energy:plan-updated");
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { plan: { isPlanned: true, whyNot: null, deviceIds: [device.id] } },
      { plan: { isPlanned: false, whyNot: "no-prices", deviceIds: [] } },
    ]);
  });
});

describe("savings over the API", () => {
  test("are those of the measured hours; what is not known is null, and a time that is too long is refused", async () => {
    const { house, plan } = await openHouse();
    await using _ = house;
    const url = "/local/energy/savings";
    await house.pass(130 * MINUTE);
    const { periods, currency, method } = (await house.ask({ url })).json();
    expect([currency, method]).toEqual(["EUR", expect.stringContaining("measured quarter hours")]);
    expect(periods.at(0)).toMatchObject({ measuredHours: 0, cost: null, savedByPlan: null });
    const today = periods.at(-1);
    expect(today.measuredHours).toBe(2);
    expect(today.pricedHours).toBe(2);
    // The battery covers the house: nothing is bought, and the plain rule would have done the same.
    expect(today.cost).toBeCloseTo(0, 2);
    expect(today.costWithoutBattery).toBeGreaterThan(0.05);
    expect(Math.abs(today.savedByPlan)).toBeLessThan(0.1);
    plan.world.priceAt = () => null;
    const unpriced = (await house.ask({ url: `${url}?resolution=MONTH` })).json().periods.at(-1);
    expect(unpriced).toMatchObject({ costWithoutBattery: null, savedByBattery: null });
    const long = await house.ask({ url: `${url}?from=2020-01-01T00:00:00Z` });
    expect([long.statusCode, long.json().detail]).toEqual([400, expect.stringContaining("92 days")]);
    const ahead = await house.ask({ url: `${url}?from=2090-01-01T00:00:00Z` });
    expect(ahead.statusCode).toBe(400);
  });
});

describe("simulations over the API", () => {
  test("of days that were not measured know no cost, and need a battery to simulate", async () => {
    const { house } = await openHouse();
    await using _ = house;
    const url = "/local/energy/simulate";
    await house.pass(MINUTE);
    const payload = { mode: "PLAIN_RULE", days: 1, capacityKwh: 10 };
    expect((await house.ask({ method: "POST", url, payload })).json()).toMatchObject({
      ...{ measuredHours: 0, saved: null },
      simulated: { cost: null, import: 0, export: 0 },
    });
    const wrong = await house.ask({ method: "POST", url, payload: { mode: "PLAIN_RULE", days: 30 } });
    expect(wrong.statusCode).toBe(400);
  });
});
