import { describe, expect, test } from "vitest";
import { noPlanText, planReasonText } from "../../../../src/domain/energy/energy-texts.ts";
import type { PlanReason } from "../../../../src/domain/energy/plan/energy-plan.ts";
import { chargeInPlan, storedInPlan, storedValueInPlan } from "../../../../src/domain/energy/plan/plan-acts.ts";
import { QUARTER_HOUR_MS } from "../../../../src/domain/energy/plan/plan-inputs.ts";
import { slotLimits } from "../../../../src/domain/energy/plan/slot-limits.ts";
import { meanReader } from "../../../../src/domain/energy/plan/spans.ts";
import { sunFromEarlierDays } from "../../../../src/domain/energy/plan/sun-forecast.ts";
import { NO_LIMITS } from "../../../engine/energy/energy-house.ts";
import { battery, car, hours, inputs, planned, START_MS } from "./plan-fixtures.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("what a plan says now", () => {
  const twoHours = inputs(hours([0.1, 0.4]), {
    vehicles: [car({ targets: [{ atMs: START_MS + 2 * HOUR_MS, storedKwh: 20 }] })],
  });

  test("is the planned power of a vehicle until it changes, and nothing where it waits", async () => {
    const plan = await planned(twoHours);
    expect(chargeInPlan(plan, "car", 10, START_MS + 60_000)).toEqual({ kw: 10, untilMs: START_MS + HOUR_MS });
    expect(chargeInPlan(plan, "car", 10, START_MS + HOUR_MS)).toEqual({ kw: 0, untilMs: START_MS + 2 * HOUR_MS });
  });

  test("is nothing at all of a device that it does not have, and after its end", async () => {
    const plan = await planned(twoHours);
    expect(chargeInPlan(plan, "other", 10, START_MS)).toBeNull();
    expect(chargeInPlan(plan, "car", 10, START_MS + 3 * HOUR_MS)).toBeNull();
    expect(storedValueInPlan(plan, "car", START_MS)).toBeNull();
  });

  test("does not name prices that are guessed", async () => {
    const slots = hours([0.1, null, 0.4]);
    const plan = await planned(inputs(slots, { batteries: [battery] }));
    expect(storedValueInPlan(plan, "battery", START_MS + HOUR_MS)).toMatchObject({ importPrice: null });
    expect(storedValueInPlan(plan, "battery", START_MS)).toMatchObject({ importPrice: 0.1, exportPrice: 0.08 });
  });

  test("includes how much is stored on the way from one slot to the next", async () => {
    const plan = await planned(twoHours);
    const [device] = plan.devices;
    if (device?.kind !== "vehicle") throw new Error("no vehicle");
    expect(storedInPlan(plan, device, 10, START_MS + HOUR_MS / 2)).toBeCloseTo(15);
    expect(storedInPlan(plan, device, 10, START_MS - 1)).toBeNull();
  });
});

describe("the sun from earlier days", () => {
  const nowMs = START_MS + 12 * HOUR_MS;
  const times = [{ fromMs: nowMs, toMs: nowMs + HOUR_MS }];
  const daily = (kw: (day: number) => number): Map<number, number> => {
    const measured = new Map<number, number>();
    for (let day = 1; day <= 7; day++) {
      for (let quarter = -8; quarter < 8; quarter++)
        measured.set(nowMs - day * DAY_MS + quarter * QUARTER_HOUR_MS, kw(day));
    }
    return measured;
  };

  test("is half of yesterday and half of the week", () => {
    const [kw] = sunFromEarlierDays(
      daily((day) => (day === 1 ? 8 : 1)),
      times,
      nowMs,
    );
    expect(kw).toBeCloseTo(0.5 * 8 + 0.5 * 2);
  });

  test("is less where the last hour was darker than on the days before, and ever less so", () => {
    const measured = daily(() => 4);
    for (let back = 1; back <= 4; back++) measured.set(nowMs - back * QUARTER_HOUR_MS, 2);
    const later = { fromMs: nowMs + 4 * HOUR_MS, toMs: nowMs + 4 * HOUR_MS + QUARTER_HOUR_MS };
    for (let day = 1; day <= 7; day++) measured.set(later.fromMs - day * DAY_MS, 4);
    const [soon, then] = sunFromEarlierDays(measured, [...times, later], nowMs);
    expect(soon).toBeGreaterThan(2);
    expect(soon).toBeLessThan(2.6);
    expect(then).toBe(4);
  });

  test("is not known where no day was measured", () => {
    expect(sunFromEarlierDays(new Map(), times, nowMs)).toEqual([null]);
  });
});

test("The lowest limit of each time counts, one with an end until then, and one without an end for good", () => {
  const times = hours([0.1, 0.1]);
  const limit = { direction: "import", scope: "connection" } as const;
  const limits = [
    { ...limit, watts: 6_000, untilMs: START_MS + HOUR_MS },
    { ...limit, watts: 12_000, untilMs: null },
    { ...limit, scope: "controllable", watts: 4_200, untilMs: null } as const,
  ];
  const [first, second] = slotLimits({ ...NO_LIMITS, fuseA: 25, exportKw: 5 }, limits, times);
  expect(first).toEqual({ maxImportKw: 6, maxExportKw: 5, maxControllableKw: 4.2 });
  expect(second?.maxImportKw).toBe(12);
  expect(slotLimits({ ...NO_LIMITS, fuseA: 20 }, [], times)[0]?.maxImportKw).toBeCloseTo(0.97 * 20 * 0.69);
});

test("A mean is known only where all of its time is", () => {
  const mean = meanReader([
    { fromMs: 0, toMs: 10, value: 1 },
    { fromMs: 10, toMs: 20, value: 3 },
    { fromMs: 25, toMs: 30, value: 9 },
  ]);
  expect(mean(5, 15)).toBe(2);
  expect(mean(15, 25)).toBeNull();
  expect(mean(25, 30)).toBe(9);
});

test("A plan's reasons are sentences in five languages, with times of day and money as people there write them", () => {
  const span = (hour: number) => ({ fromMs: START_MS + hour * HOUR_MS, toMs: START_MS + (hour + 1) * HOUR_MS });
  const reason: PlanReason = {
    ...{ code: "cheaper" as const, when: [span(1), span(3)] },
    ...{ priceDifference: 0.125, alternative: span(17), shortKwh: null },
  };
  const said = (language: string) => planReasonText(reason, { zone: "UTC", language, currency: "EUR" });
  expect(said("en-US")).toBe(
    "Takes power from the grid from 01:00 to 02:00 and from 03:00 to 04:00, because a kWh costs €0.125 less than from 17:00 to 18:00.",
  );
  expect(said("de-AT")).toContain("weil eine kWh 0,125\u00a0€ weniger kostet als von 17:00 bis 18:00 Uhr.");
  for (const language of ["fr-FR", "nl-NL", "sv-SE"]) expect(said(language)).toMatch(/0,125/);
  expect(said("xx")).toBe(said("en-US"));
  expect(noPlanText("no-prices", "nl-NL")).toMatch(/^Er is geen plan/);
});
