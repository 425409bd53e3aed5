/** A full charge of a battery that was not full for ten days. */
import { expect, test } from "vitest";
import { fullByMs } from "../../../../src/domain/energy/plan/full-charge.ts";
import type { PlanBattery, PlanSlot } from "../../../../src/domain/energy/plan/plan-inputs.ts";
import { battery, batteryOf, hours, inputs, planned, START_MS } from "./plan-fixtures.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No spread pays for what passes through this battery. */
const EMPTYISH: PlanBattery = { ...battery, storedKwh: 4, wearPerKwh: 0.05, mayDischargeToGrid: false };
const DUE: PlanBattery = { ...EMPTYISH, fullByMs: START_MS + 2 * DAY_MS };
/** Two days of the same price but for two hours of each night, the second night cheaper. */
const NIGHTS = Array.from({ length: 48 }, (_, hour) =>
  hour === 2 || hour === 3 ? 0.24 : hour === 26 || hour === 27 ? 0.22 : 0.28,
);

function boughtIn(slots: readonly PlanSlot[], powerKw: readonly number[]): readonly number[] {
  return powerKw.flatMap((kw, slot) => (kw > Math.max(0, (slots[slot]?.pvKw ?? 0) - 1) + 0.01 ? [slot] : []));
}

async function planOf(slots: readonly PlanSlot[], owned: PlanBattery) {
  const plan = await planned(inputs(slots, { batteries: [owned] }));
  const { fullAtMs, powerKw, reasons, storedKwh } = batteryOf(plan);
  const full = reasons.find(({ code }) => code === "full-charge");
  return { plan, fullAtMs, powerKw, storedKwh, full, bought: boughtIn(slots, powerKw) };
}

test("A battery is to be full ten days after its last full charge, within two days, and later within twelve hours", () => {
  expect(fullByMs(START_MS, START_MS + 10 * DAY_MS - 1)).toBeNull();
  expect(fullByMs(START_MS, START_MS + 10 * DAY_MS)).toBe(START_MS + 12 * DAY_MS);
  expect(fullByMs(START_MS, START_MS + 11 * DAY_MS)).toBe(START_MS + 12 * DAY_MS);
  expect(fullByMs(START_MS, START_MS + 30 * DAY_MS)).toBe(START_MS + 30 * DAY_MS + 12 * HOUR_MS);
});

test("A battery that is to be full after ten days is filled in the cheapest hours of the next two, and not without that", async () => {
  const slots = hours(NIGHTS);
  const without = await planOf(slots, EMPTYISH);
  expect(without).toMatchObject({ fullAtMs: null, full: undefined, bought: [] });
  const due = await planOf(slots, DUE);
  expect(due.fullAtMs).toBe(START_MS + 28 * HOUR_MS);
  expect(due.bought.filter((slot) => slot !== 26 && slot !== 27).length).toBeLessThanOrEqual(1);
  expect(due.bought).toEqual(expect.arrayContaining([26, 27]));
  expect(due.full?.when.at(-1)?.toMs).toBe(due.fullAtMs);
  const shorter = await planOf(slots, { ...DUE, fullByMs: START_MS + 12 * HOUR_MS });
  expect(shorter.fullAtMs).toBe(START_MS + 4 * HOUR_MS);
});

test("A battery that is to be full takes the sun of the next day, and buys nothing", async () => {
  const slots = hours(NIGHTS, (slot) => ({ pvKw: slot % 24 >= 10 && slot % 24 < 16 ? 5 : 0 }));
  const due = await planOf(slots, DUE);
  expect(due.fullAtMs).not.toBeNull();
  expect(due.bought).toEqual([]);
  expect(Math.max(...due.storedKwh)).toBeCloseTo(10, 1);
});

test("A battery that must not buy is filled from the sun alone, which it saves up for, and waits where that is not enough", async () => {
  const sunOf = (kw: number) => hours(NIGHTS, (slot) => ({ pvKw: slot % 24 >= 10 && slot % 24 < 14 ? kw : 0 }));
  const sunOnly = { ...DUE, mayChargeFromGrid: false };
  const due = await planOf(sunOf(3), sunOnly);
  expect(due.fullAtMs).toBe(START_MS + 14 * HOUR_MS);
  expect(due.bought).toEqual([]);
  const dark = await planOf(sunOf(1.5), sunOnly);
  expect(dark.fullAtMs).toBeNull();
  expect(dark.full?.when).toEqual([]);
  const before = await planOf(sunOf(1.5), { ...sunOnly, fullByMs: null });
  expect(dark.powerKw).toEqual(before.powerKw);
});

test("A limit of the import is kept while a battery is filled, and none is broken for it", async () => {
  const isCheap = (slot: number) => slot === 26 || slot === 27;
  const limited = hours(NIGHTS, (slot) => ({ maxImportKw: isCheap(slot) ? 1 : 3 }));
  const due = await planOf(limited, DUE);
  expect(due.fullAtMs).not.toBeNull();
  expect(Math.max(...due.plan.slots.map(({ overLimitKw }) => overLimitKw))).toBe(0);
  expect(due.bought.filter(isCheap)).toEqual([]);
  const shut = await planOf(
    hours(NIGHTS, () => ({ maxImportKw: 1 })),
    DUE,
  );
  expect(shut).toMatchObject({ fullAtMs: null, bought: [] });
});

test("A battery that is nearly full is filled within the hour, dear as it is", async () => {
  const due = await planOf(hours(NIGHTS), { ...DUE, storedKwh: 9.6 });
  expect(due.fullAtMs).toBe(START_MS + HOUR_MS);
});
