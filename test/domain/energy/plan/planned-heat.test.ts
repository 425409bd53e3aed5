/** Heat in a plan: hot water and buildings as stores, what is bought for them, and why. */
import { describe, expect, test } from "vitest";
import { planReasonText, REASON_LANGUAGES } from "../../../../src/domain/energy/energy-texts.ts";
import { changedHeatStore, drawnKw, heatStoreFault, knownHeatStore } from "../../../../src/domain/energy/heat-store.ts";
import type { EnergyPlan, PlannedHeat } from "../../../../src/domain/energy/plan/energy-plan.ts";
import { heatInPlan } from "../../../../src/domain/energy/plan/plan-acts.ts";
import type { PlanHeat, PlanSlot } from "../../../../src/domain/energy/plan/plan-inputs.ts";
import { car, hours, inputs, planned, START_MS } from "./plan-fixtures.ts";

const HOUR_MS = 3_600_000;
const STORE = knownHeatStore(null, "heater");
const DEAR_WITH_CHEAP = [0.4, 0.4, 0.4, 0.1, 0.1, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4];

/** The usual tank of 300 l with a rod of 3 kW; water is drawn all day. */
function tank(slots: readonly PlanSlot[], more: Partial<PlanHeat> = {}): PlanHeat {
  const { surroundingsC: outdoorC, heatPerPower, minC, maxC } = STORE;
  return {
    ...{ id: "tank", temperatureC: 52, maxKw: 3, heatCapacityKwhPerK: STORE.kwhPerK, heatLossKwPerK: STORE.lossKwPerK },
    slots: slots.map(() => ({ outdoorC, heatPerPower, gainKw: -drawnKw(STORE), minC, maxC })),
    ...more,
  };
}

function heatOf({ devices }: EnergyPlan, id = "tank"): PlannedHeat {
  const found = devices.find((device) => device.id === id);
  if (found?.kind !== "heat") throw new Error("no heat in the plan");
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe("a tank", () => {
  test("is heated in the cheap hours for the dear ones, and the reason says so", async () => {
    const slots = hours(DEAR_WITH_CHEAP);
    const { powerKw, temperatureC, coldKh, reasons } = heatOf(
      await planned(inputs(slots, { heats: [tank(slots, { maxKw: 0.8 })] })),
    );
    expect(sum([powerKw[3]!, powerKw[4]!])).toBeGreaterThan(1);
    expect(sum(powerKw.filter((_, slot) => slot !== 3 && slot !== 4))).toBeCloseTo(0, 6);
    expect(Math.min(...temperatureC)).toBeGreaterThanOrEqual(45 - 1e-6);
    expect(coldKh).toBe(0);
    const [reason] = reasons;
    expect(reason).toMatchObject({ code: "heats-cheaper", priceDifference: expect.closeTo(0.3, 6) });
    expect(planReasonText(reason!, { zone: "UTC", language: "en-US", currency: "EUR" })).toMatch(
      /^Heats from 03:00 to 05:00, because a kWh costs €0.30 less than from /,
    );
    for (const language of REASON_LANGUAGES)
      expect(planReasonText(reason!, { zone: "UTC", language, currency: "EUR" })).toMatch(/05:00.*0[.,]30/);
  });

  test("never falls below its lowest temperature while its rod can hold it, however dear energy is", async () => {
    const slots = hours(Array<number>(12).fill(3));
    const heat = heatOf(await planned(inputs(slots, { heats: [tank(slots, { temperatureC: 46 })] })));
    expect(Math.min(...heat.temperatureC)).toBeGreaterThanOrEqual(45 - 1e-6);
    expect(heat.reasons.map(({ code }) => code)).toEqual(["comfort"]);
  });

  test("that is too cold is heated with all its rod has, and the plan says how long it stays cold", async () => {
    const slots = hours(DEAR_WITH_CHEAP);
    const heat = heatOf(await planned(inputs(slots, { heats: [tank(slots, { temperatureC: 30, maxKw: 1 })] })));
    expect(heat.powerKw.slice(0, 3)).toEqual([expect.closeTo(1, 6), expect.closeTo(1, 6), expect.closeTo(1, 6)]);
    expect(Math.max(...heat.powerKw)).toBeLessThanOrEqual(1 + 1e-6);
    expect(heat.coldKh).toBeGreaterThan(10);
  });

  test("is heated less and longer under a limit of the grid operator, and as warm", async () => {
    const slots = hours(DEAR_WITH_CHEAP, (slot) => ({ maxControllableKw: slot === 3 || slot === 4 ? 0.3 : null }));
    const heat = heatOf(await planned(inputs(slots, { heats: [tank(slots)] })));
    expect(heat.powerKw[3]).toBeCloseTo(0.3, 6);
    expect(heat.powerKw[4]).toBeCloseTo(0.3, 6);
    expect(sum(heat.powerKw.slice(5))).toBeGreaterThan(0.1);
    expect(Math.min(...heat.temperatureC)).toBeGreaterThanOrEqual(45 - 1e-6);
  });

  test("gets cold rather than that the import goes above its limit", async () => {
    const slots = hours(DEAR_WITH_CHEAP, () => ({ loadKw: 1, maxImportKw: 1.05 }));
    const plan = await planned(inputs(slots, { heats: [tank(slots, { temperatureC: 45 })] }));
    expect(Math.max(...plan.slots.map(({ overLimitKw }) => overLimitKw))).toBe(0);
    expect(heatOf(plan).coldKh).toBeGreaterThan(0);
  });

  test("takes the sun, from which nothing is bought, and no more than its highest temperature", async () => {
    const slots = hours(DEAR_WITH_CHEAP.fill(0.4), (slot) => ({ pvKw: slot === 2 ? 3.5 : 0 }));
    const plan = await planned(inputs(slots, { heats: [tank(slots)] }));
    const { powerKw, temperatureC, reasons } = heatOf(plan);
    expect(powerKw[2]).toBeGreaterThan(1);
    expect(Math.max(...temperatureC)).toBeLessThanOrEqual(60 + 1e-6);
    expect(reasons[0]?.code).toBe("surplus");
    const heat = { maxKw: 3, isSwitched: false, minC: 45 };
    expect(heatInPlan(plan, "tank", heat, START_MS + 2.5 * HOUR_MS)).toMatchObject({ kw: 0 });
  });

  test("of unknown temperature is left out, and everything else is planned", async () => {
    const slots = hours([0.1, 0.4]);
    const plan = await planned(inputs(slots, { heats: [tank(slots, { temperatureC: null })], vehicles: [car()] }));
    expect(plan.devices.map(({ id }) => id)).toEqual(["car"]);
    expect(plan.leftOut).toMatchObject([{ id: "tank", reason: { code: "unknown-charge" } }]);
  });
});

describe("what is bought now", () => {
  const shown = (powerKw: readonly number[], pvKw = 0): EnergyPlan => ({
    ...{ kind: "plan", method: "linear-program", cost: 0, leftOut: [] },
    slots: powerKw.map((_, slot) => ({
      ...{ fromMs: START_MS + slot * HOUR_MS, toMs: START_MS + (slot + 1) * HOUR_MS, importPrice: 0.3, exportPrice: 0 },
      ...{
        surplusPrice: 0,
        isPriceKnown: true,
        loadKw: 1,
        pvKw,
        importKw: 0,
        exportKw: 0,
        curtailedKw: 0,
        overLimitKw: 0,
        cost: 0,
      },
    })),
    devices: [{ kind: "heat", id: "tank", powerKw, temperatureC: powerKw.map(() => 50), coldKh: 0, reasons: [] }],
  });

  test.each([
    ["a rod gets the planned power until the next change", false, [1.2, 0.8, 0], 0, { kw: 1.2, untilMs: 2 }],
    ["a rod gets what the sun does not give", false, [1.2, 0, 0], 1.5, { kw: 0.7, untilMs: 1 }],
    ["a heat pump is on where it is planned for half of the time or more", true, [1.2, 0, 0], 0, { kw: 2, untilMs: 1 }],
    ["a heat pump is off where it is planned for less", true, [0.8, 1.6, 0], 0, { kw: 0, untilMs: 1 }],
  ])("%s", (_title, isSwitched, powerKw, pvKw, { kw, untilMs }) => {
    const found = heatInPlan(shown(powerKw, pvKw), "tank", { maxKw: 2, isSwitched, minC: 45 }, START_MS + 60_000);
    expect(found).toEqual({ kw: expect.closeTo(kw, 9), untilMs: START_MS + untilMs * HOUR_MS });
  });

  test("is nothing for a heat pump that keeps the planned temperature by itself, and all for a rod", () => {
    const plan = shown([1.2]);
    expect(heatInPlan(plan, "tank", { maxKw: 2, isSwitched: true, minC: 50 }, START_MS)).toMatchObject({ kw: 0 });
    expect(heatInPlan(plan, "tank", { maxKw: 2, isSwitched: false, minC: 50 }, START_MS)).toMatchObject({ kw: 1.2 });
  });

  test("is not known of a device that the plan does not have, nor after its end", () => {
    const heat = { maxKw: 2, isSwitched: false, minC: 45 };
    expect(heatInPlan(shown([1]), "other", heat, START_MS)).toBeNull();
    expect(heatInPlan(shown([1]), "tank", heat, START_MS + HOUR_MS)).toBeNull();
  });
});

test("What is not set of a store is that of a tank or a building, and its temperatures have to be apart", () => {
  const none = { kwhPerK: null, lossKwPerK: null, surroundingsC: null, heatPerPower: null, usedKwhPerDay: null };
  expect(knownHeatStore({ ...none, minC: 50, maxC: null }, "heater")).toEqual({ ...STORE, minC: 50 });
  expect(knownHeatStore(null, "heat-pump")).toMatchObject({ minC: 20, maxC: 22, heatPerPower: 3 });
  expect(heatStoreFault(knownHeatStore({ ...none, minC: 60, maxC: null }, "heater"))).toMatch(/minC is 60 °C .* 60 °C/);
  expect(heatStoreFault(STORE)).toBeNull();
});

test("A change of a store keeps what it leaves out, and null forgets all of it", () => {
  const warmer = changedHeatStore(null, { minC: 50 });
  expect(changedHeatStore(warmer, { maxC: 65, minC: undefined })).toMatchObject({ minC: 50, maxC: 65, kwhPerK: null });
  expect(changedHeatStore(warmer, undefined)).toEqual(warmer);
  expect(changedHeatStore(warmer, { minC: null })).toMatchObject({ minC: null });
  expect(changedHeatStore(warmer, null)).toBeNull();
});
