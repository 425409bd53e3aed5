import { describe, expect, test } from "vitest";
import {
  batteryFrom,
  CostComparison,
  gridCost,
  gridWith,
  type HouseBattery,
  type MeasuredQuarter,
  runBattery,
} from "../../../../src/domain/energy/plan/house-costs.ts";

const QUARTER_MS = 900_000;
const BATTERY: HouseBattery = {
  ...{ capacityKwh: 10, minKwh: 1, maxChargeKw: 4, maxDischargeKw: 4, efficiency: 0.9 },
};

function quarter(index: number, more: Partial<MeasuredQuarter>): MeasuredQuarter {
  return {
    ...{ fromMs: index * QUARTER_MS, importKwh: 0, exportKwh: 0, chargeKwh: 0, dischargeKwh: 0, generationKwh: 0 },
    ...{ level: null, importPrice: 0.3, exportPrice: 0.1 },
    ...more,
  };
}

test("Energy without a price has no cost, and no energy costs nothing whatever it would cost", () => {
  expect(gridCost(1, 0, { importPrice: null, exportPrice: 0.1 })).toBeNull();
  expect(gridCost(1, 0, { importPrice: 0.3, exportPrice: null })).toBeCloseTo(0.3);
  expect(gridCost(0, 2, { importPrice: null, exportPrice: -0.1 })).toBeCloseTo(0.2);
  expect(gridCost(0, 0, { importPrice: null, exportPrice: null })).toBe(0);
});

test("A battery takes and gives no more than it has, than fits, and than its power", () => {
  expect(runBattery(BATTERY, 5, 9)).toEqual({ powerKw: 4, storedKwh: 5 + 4 * 0.9 * 0.25 });
  expect(runBattery(BATTERY, 10, 3).powerKw).toBe(0);
  expect(runBattery(BATTERY, 1.09, -4).powerKw).toBeCloseTo((-0.09 * 0.9) / 0.25);
});

test("What flowed both ways within a quarter hour stays with another battery", () => {
  const measured = quarter(0, { importKwh: 0.5, exportKwh: 0.2, dischargeKwh: 0.4 });
  const { importKwh, exportKwh } = gridWith(measured, 0);
  expect([importKwh, exportKwh].map((kwh) => Math.round(kwh * 100) / 100)).toEqual([0.9, 0.2]);
  expect(gridWith(measured, -0.4).importKwh).toBeCloseTo(0.5);
});

test("The efficiency is measured where enough was stored, and is believed only where it can be", () => {
  const flowed = Array.from({ length: 40 }, (_, index) =>
    quarter(index, index < 20 ? { chargeKwh: 0.5, level: 50 } : { dischargeKwh: 0.4, level: 50 }),
  );
  expect(batteryFrom(flowed, { capacityKwh: 10, reserve: 10 }).efficiency).toBeCloseTo(Math.sqrt(0.8));
  expect(batteryFrom([], { capacityKwh: 10, reserve: null }).efficiency).toBeCloseTo(Math.sqrt(0.86));
  const tooGood = flowed.map((each) => ({ ...each, dischargeKwh: each.dischargeKwh * 2 }));
  expect(batteryFrom(tooGood, { capacityKwh: 10, reserve: null }).efficiency).toBeCloseTo(Math.sqrt(0.98));
});

test("A battery that bought cheap saved money against the plain rule, with what it still has", () => {
  // Two quarter hours at 10 ct in which it charged 1 kWh each, then two at 40 ct in which the house needs 1 kWh each.
  const cheap = { importPrice: 0.1, importKwh: 1.1, chargeKwh: 1 };
  const dear = { importPrice: 0.4, importKwh: 0.2, dischargeKwh: 0.8 };
  const day = [
    quarter(0, { ...cheap, level: 10 }),
    quarter(1, { ...cheap, level: 19 }),
    quarter(2, { ...dear, level: 19 }),
    quarter(3, { ...dear, level: 10 }),
  ];
  const { cost, withoutBattery, plainRule, pricedHours } = new CostComparison(BATTERY).add(day);
  expect(pricedHours).toBe(1);
  expect(cost).toBeCloseTo(2.2 * 0.1 + 0.4 * 0.4);
  expect(withoutBattery).toBeCloseTo(0.2 * 0.1 + 2 * 0.4);
  // The rule's battery is at its reserve, so it does nothing.
  expect(plainRule).toBeCloseTo(withoutBattery ?? Number.NaN);
});

test("Hours without a price are left out of all costs alike, and nothing is known where none has one", () => {
  const priced = quarter(0, { importKwh: 1, level: 50 });
  const unpriced = quarter(1, { importKwh: 5, importPrice: null, level: 50 });
  const some = new CostComparison(null).add([priced, unpriced]);
  expect(some).toEqual({ measuredHours: 0.5, pricedHours: 0.25, cost: 0.3, withoutBattery: null, plainRule: null });
  expect(new CostComparison(BATTERY).add([unpriced])).toMatchObject({ pricedHours: 0, cost: null, plainRule: null });
  expect(new CostComparison(BATTERY).add([])).toMatchObject({ measuredHours: 0, cost: null });
});

describe("a house whose battery follows the meter", () => {
  /** 600 W, and 3 kW of sun from 8 to 16. */
  function sunnyDay(): readonly MeasuredQuarter[] {
    let storedKwh = 1;
    return Array.from({ length: 96 }, (_, index) => {
      const netKw = index >= 32 && index < 64 ? -2.4 : 0.6;
      const bare = quarter(index, { importKwh: Math.max(0, netKw) / 4, exportKwh: Math.max(0, -netKw) / 4 });
      const step = runBattery(BATTERY, storedKwh, -netKw);
      const level = (storedKwh + step.storedKwh) * 5;
      ({ storedKwh } = step);
      const [chargeKwh, dischargeKwh] = [Math.max(0, step.powerKw) / 4, Math.max(0, -step.powerKw) / 4];
      return { ...bare, ...gridWith(bare, step.powerKw / 4), chargeKwh, dischargeKwh, level };
    });
  }

  test.each([
    ["all day", 0, 0],
    ["but for half an hour in the sun", 40, 42],
    ["but for the sunny hours", 32, 64],
    ["but for the evening", 68, 80],
  ])("that was measured %s saved nothing against the plain rule", (_when, from, to) => {
    const measured = sunnyDay().filter((_, index) => index < from || index >= to);
    const { cost, plainRule } = new CostComparison(BATTERY).add(measured);
    expect(plainRule).toBeCloseTo(cost ?? Number.NaN, 1);
  });

  test("saved nothing by what it gave after sunny hours that were not measured, or have no price", () => {
    const isSunny = (index: number) => index >= 32 && index < 64;
    const unmeasured = sunnyDay().filter((_, index) => !isSunny(index));
    const unpriced = sunnyDay().map((each, index) => (isSunny(index) ? { ...each, exportPrice: null } : each));
    for (const day of [unmeasured, unpriced]) {
      const { cost, withoutBattery } = new CostComparison(BATTERY).add(day);
      expect((withoutBattery ?? Number.NaN) - (cost ?? 0)).toBeLessThan(0.5);
    }
  });
});
