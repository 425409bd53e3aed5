/** What a battery's plan must not do for the sake of a price: wear it for too little, and buy what the sun brings. */
import { expect, test } from "vitest";
import { battery, batteryOf, car, carOf, hours, inputs, planned, START_MS } from "./plan-fixtures.ts";

const WORN = { ...battery, wearPerKwh: 0.04, storedKwh: 1, endValuePerKwh: 0 };

test.each([
  ["A spread of 3 ct that wear and losses use up moves nothing", [0.3, 0.3, 0.33, 0.33], 0],
  // Each kWh that comes out has cost 0.20 / 0.95 / 0.95, and its wear once.
  ["A spread of 15 ct pays, with the wear counted once", [0.2, 0.2, 0.35, 0.35], 2],
])("%s", async (_title, prices, givenKwh) => {
  const { powerKw } = batteryOf(await planned(inputs(hours(prices), { batteries: [WORN] })));
  const given = powerKw.reduce((sum, kw) => sum + Math.max(0, -kw), 0);
  expect(given).toBeCloseTo(givenKwh, 6);
  if (givenKwh === 0) expect(powerKw.every((kw) => Math.abs(kw) < 1e-6)).toBe(true);
});

test("In a cheap night before a sunny day no more is bought than lasts until the sun is there", async () => {
  // Four hours of night, two of a dear morning, four of sun that is sold for 8 ct, four of a dear evening.
  const prices = [0.1, 0.1, 0.1, 0.1, 0.35, 0.35, 0.25, 0.25, 0.25, 0.25, 0.4, 0.4, 0.4, 0.4];
  const slots = hours(prices, (slot) => ({ pvKw: slot >= 6 && slot < 10 ? 4 : 0 }));
  const { powerKw, storedKwh } = batteryOf(
    await planned(inputs(slots, { batteries: [{ ...battery, storedKwh: 1, endValuePerKwh: 0 }] })),
  );
  const boughtKwh = powerKw.slice(0, 4).reduce((sum, kw) => sum + Math.max(0, kw), 0);
  // The morning's two kWh, with the losses.
  expect(boughtKwh).toBeCloseTo(2 / 0.95 / 0.95, 4);
  expect(storedKwh[9]).toBeGreaterThan(5);
  expect(powerKw.slice(10).every((kw) => kw <= -1 + 1e-6)).toBe(true);
});

test("An hour at 10 EUR/kWh is planned around: the car waits, reaches its target, and the battery covers the house", async () => {
  const targets = [{ atMs: START_MS + 6 * 3_600_000, storedKwh: 40 }];
  const slots = hours([0.3, 0.3, 10, 0.3, 0.3, 0.3]);
  const plan = await planned(inputs(slots, { batteries: [battery], vehicles: [car({ targets })] }));
  expect(plan.slots[2]?.importKw).toBeCloseTo(0, 6);
  expect(carOf(plan).powerKw[2]).toBeCloseTo(0, 6);
  expect(carOf(plan).targets[0]?.shortKwh).toBe(0);
  expect(batteryOf(plan).powerKw[2]).toBeLessThanOrEqual(-1 + 1e-6);
});

test("Where a peak is paid for already a car charges up to it, and not above", async () => {
  const targets = [{ atMs: START_MS + 4 * 3_600_000, storedKwh: 25 }];
  // The cheap hour alone would do with the 10 kW of the car beside 1 kW of load.
  const slots = hours([0.3, 0.1, 0.3, 0.3]);
  const peak = { pricePerKw: 10, paidKw: 7 };
  const plan = await planned(inputs(slots, { vehicles: [car({ targets, storedKwh: 10 })], peak }));
  expect(Math.max(...plan.slots.map(({ importKw }) => importKw))).toBeCloseTo(7, 6);
  expect(carOf(plan).targets[0]?.shortKwh).toBe(0);
});

test("The reserve that the owner raised before a storm is kept at 0.60 EUR/kWh", async () => {
  const raised = { ...battery, storedKwh: 8, minKwh: 7, endValuePerKwh: 0 };
  const { powerKw, storedKwh } = batteryOf(await planned(inputs(hours([0.3, 0.6, 0.6, 0.6]), { batteries: [raised] })));
  expect(Math.min(...powerKw)).toBeLessThan(-0.5);
  expect(Math.min(...storedKwh)).toBeGreaterThanOrEqual(7 - 1e-6);
});
