import { beforeAll, describe, expect, test } from "vitest";
import {
  gridWith,
  type HouseBattery,
  type MeasuredQuarter,
  runBattery,
} from "../../../src/domain/energy/plan/house-costs.ts";
import { EnergySimulationRequest } from "../../../src/domain/energy/plan/savings-view.ts";
import { simulateHouse } from "../../../src/engine/energy/plan/simulate-house.ts";
import { InProcessOptimizer } from "../../../src/platform/optimizer/in-process-optimizer.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { HOUR } from "./energy-house.ts";

const DAY = 24 * HOUR;
const START_MS = Date.UTC(2026, 5, 1);
const BATTERY: HouseBattery = {
  ...{ capacityKwh: 10, minKwh: 1, maxChargeKw: 5, maxDischargeKw: 5, efficiency: 0.93 },
};
const optimizer = new InProcessOptimizer();

beforeAll(async () => optimizer.ready());

/** A house without a battery: 600 W, 2 kW in the evening, some sun at noon; cheap at night and dear in the evening. */
function days(count: number, sunOnDay: (day: number) => number = () => 1.4): readonly MeasuredQuarter[] {
  return Array.from({ length: count * 96 }, (_, index): MeasuredQuarter => {
    const hour = (index % 96) / 4;
    const loadKw = hour >= 17 && hour < 21 ? 2 : 0.6;
    const sunKw = hour >= 10 && hour < 15 ? sunOnDay(Math.floor(index / 96)) : 0;
    const netKwh = (loadKw - sunKw) / 4;
    return {
      fromMs: START_MS + index * (HOUR / 4),
      ...{ importKwh: Math.max(0, netKwh), exportKwh: Math.max(0, -netKwh), generationKwh: sunKw / 4 },
      ...{ chargeKwh: 0, dischargeKwh: 0, level: null, exportPrice: 0.06 },
      importPrice: hour < 5 ? 0.15 : hour >= 17 && hour < 21 ? 0.45 : 0.3,
    };
  });
}

/** The same house with a battery that follows the meter. */
function withBattery(quarters: readonly MeasuredQuarter[]): readonly MeasuredQuarter[] {
  let storedKwh = BATTERY.minKwh;
  return quarters.map((quarter) => {
    const step = runBattery(BATTERY, storedKwh, (quarter.exportKwh - quarter.importKwh) * 4);
    const level = (storedKwh + step.storedKwh) * 5;
    ({ storedKwh } = step);
    const [chargeKwh, dischargeKwh] = [Math.max(0, step.powerKw) / 4, Math.max(0, -step.powerKw) / 4];
    return { ...quarter, ...gridWith(quarter, step.powerKw / 4), chargeKwh, dischargeKwh, level };
  });
}

async function simulated(
  request: object,
  all = days(12),
  battery: HouseBattery | null = BATTERY,
  measured: HouseBattery | null = null,
) {
  const fromMs = START_MS + 10 * DAY;
  const parsed = EnergySimulationRequest.parse({ days: 2, ...request });
  let turns = 0;
  const answer = await simulateHouse({
    request: parsed,
    ...{ all, battery, measured, zone: "UTC", optimizer, fromMs, currency: "EUR" },
    toMs: fromMs + parsed.days * DAY,
    clock: {
      sleep: async () => {
        turns += 1;
      },
    },
  });
  return { answer, turns };
}

describe("the last days, run again", () => {
  test("cost the same without a battery as they did in a house that had none", async () => {
    const { answer } = await simulated({ mode: "NONE" }, days(12), null);
    expect(answer.simulated).toEqual(answer.asItWas);
    expect(answer).toMatchObject({ measuredHours: 48, pricedHours: 48, saved: 0 });
  });

  test("cost less with a battery that follows the meter, and still less with one that is planned", async () => {
    const rule = await simulated({ mode: "PLAIN_RULE" });
    const planned = await simulated({ mode: "PLANNED" });
    expect(rule.answer.saved).toBeGreaterThan(0.2);
    expect(planned.answer.saved).toBeGreaterThan((rule.answer.saved ?? 0) + 0.5);
    // The event loop was given back at least each three hours.
    expect(planned.turns).toBeGreaterThanOrEqual(16);
  });

  test.each([
    ["dark days before sunny ones", 0.1, 3.5],
    ["sunny days before dark ones", 3.5, 0.1],
  ])(
    "cost the same as with the plain rule at a fixed price, without a forecast of the sun and with %s",
    async (_sun, beforeKw, nowKw) => {
      const all = days(12, (day) => (day < 10 ? beforeKw : nowKw));
      const rule = await simulated({ mode: "PLAIN_RULE", importPrice: 0.3 }, all);
      const { answer } = await simulated({ mode: "PLANNED", importPrice: 0.3 }, all);
      expect(answer.simulated).toEqual(rule.answer.simulated);
    },
  );

  test("cost no more than with the plain rule without a forecast of the sun, where each day has another one", async () => {
    const random = new SeededRandom(1);
    const sunKw = Array.from({ length: 18 }, () => random.between(0.1, 3.5));
    const all = days(18, (day) => sunKw[day] ?? 0);
    const rule = await simulated({ mode: "PLAIN_RULE", days: 8 }, all);
    const { answer } = await simulated({ mode: "PLANNED", days: 8 }, all);
    expect(answer.simulated.cost).toBeLessThanOrEqual(1.02 * (rule.answer.simulated.cost ?? Number.NaN));
  });

  test.each([
    ["all the time", 0, 0],
    ["but for half an hour in the sun", 11, 11.5],
    ["but for the sunny hours", 10, 15],
    ["but for the evening", 17, 20],
  ])("cost the same with the battery and the rule that the house had, measured %s", async (_when, fromHour, toHour) => {
    const isGap = ({ fromMs }: MeasuredQuarter) => {
      const hour = (fromMs % DAY) / HOUR;
      return hour >= fromHour && hour < toHour;
    };
    const all = withBattery(days(12, () => 3)).filter((quarter) => !isGap(quarter));
    const { answer } = await simulated({ mode: "PLAIN_RULE" }, all, BATTERY, BATTERY);
    expect(Math.abs(answer.saved ?? Number.NaN)).toBeLessThan(0.1);
  });

  test("cost other money at other prices", async () => {
    const { answer } = await simulated({ mode: "NONE", importPrice: 0.1, feedInPrice: 0 }, days(12), null);
    expect(answer.simulated.cost).toBeCloseTo(answer.simulated.import * 0.1, 3);
    expect(answer.saved).toBeGreaterThan(0);
  });

  test("have no cost where no price is known", async () => {
    const unpriced = days(12).map((quarter) => ({ ...quarter, importPrice: null, exportPrice: null }));
    const { answer } = await simulated({ mode: "PLANNED" }, unpriced);
    expect(answer).toMatchObject({ saved: null, asItWas: { cost: null } });
    expect(answer).toMatchObject({ measuredHours: 48, pricedHours: 0 });
  });
});
