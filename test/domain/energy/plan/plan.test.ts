import fc from "fast-check";
import { expect, test } from "vitest";
import { makePlan } from "../../../../src/domain/energy/plan/make-plan.ts";
import { storedValueInPlan } from "../../../../src/domain/energy/plan/plan-acts.ts";
import { type PlanInputs, planTimes } from "../../../../src/domain/energy/plan/plan-inputs.ts";
import { planOneBattery } from "../../../../src/domain/energy/plan/plan-one-battery.ts";
import { storedEnergyPolicy } from "../../../../src/domain/energy/plan/stored-energy-policy.ts";
import { battery, batteryOf, car, carOf, hours, inputs, planned, START_MS } from "./plan-fixtures.ts";

const HOUR_MS = 3_600_000;

test("A vehicle charges in the cheapest hours before its target, and the reason names the difference and the other time", async () => {
  const target = { atMs: START_MS + 6 * HOUR_MS, storedKwh: 30 };
  const plan = await planned(
    inputs(hours([0.3, 0.3, 0.2, 0.2, 0.3, 0.3, 0.1, 0.1]), { vehicles: [car({ targets: [target] })] }),
  );
  const { powerKw, targets, reasons } = carOf(plan);
  expect(powerKw).toEqual([0, 0, 10, 10, 0, 0, 0, 0]);
  expect(targets).toEqual([{ atMs: target.atMs, targetKwh: 30, shortKwh: 0 }]);
  expect(reasons).toEqual([
    {
      code: "cheaper",
      when: [{ fromMs: START_MS + 2 * HOUR_MS, toMs: START_MS + 4 * HOUR_MS }],
      priceDifference: expect.closeTo(0.1, 9),
      alternative: { fromMs: START_MS, toMs: START_MS + 6 * HOUR_MS },
      shortKwh: null,
    },
  ]);
});

test("A target that cannot be reached is missed by as little as possible, and the plan says by how much", async () => {
  const targets = [{ atMs: START_MS + 2 * HOUR_MS, storedKwh: 45 }];
  const plan = await planned(inputs(hours([0.3, 0.3, 0.1]), { vehicles: [car({ targets })] }));
  expect(carOf(plan)).toMatchObject({ powerKw: [10, 10, 0], targets: [{ shortKwh: 15 }] });
  expect(carOf(plan).reasons[0]).toMatchObject({ code: "out-of-reach", shortKwh: 15 });
});

test("A vehicle never charges with less than its least power in a quarter hour", async () => {
  const slots = planTimes(START_MS, "fine")
    .slice(0, 8)
    .map((time, slot) => ({ ...hours([0.2 + slot / 100])[0]!, ...time }));
  const targets = [{ atMs: START_MS + 2 * HOUR_MS, storedKwh: 10.3 }];
  const plan = await planned(inputs(slots, { vehicles: [car({ minKw: 4, targets })] }));
  expect(carOf(plan).powerKw.every((kw) => kw < 1e-6 || kw >= 4 - 1e-6)).toBe(true);
  expect(carOf(plan).targets[0]?.shortKwh).toBe(0);
});

test("A battery buys in cheap hours for dear ones, and its shadow price lies between both", async () => {
  const plan = await planned(inputs(hours([0.1, 0.1, 0.4, 0.4]), { batteries: [{ ...battery, storedKwh: 1 }] }));
  const { powerKw, shadowPrice, reasons } = batteryOf(plan);
  expect(powerKw[0]! + powerKw[1]!).toBeCloseTo(2 / 0.95 / 0.95, 6);
  expect(powerKw[2]).toBeCloseTo(-1, 6);
  expect(shadowPrice[0]).toBeGreaterThan(0.1);
  expect(shadowPrice[0]).toBeLessThan(0.4);
  expect(reasons.map(({ code }) => code)).toEqual(["cheaper", "waits-for-dearer-hours", "covers-house"]);
});

test("The value of a stored kWh is the mean of what one more brings and one less costs, where it can have both", async () => {
  const even = { ...battery, chargeEfficiency: 1, dischargeEfficiency: 1, endValuePerKwh: 0 };
  // Just enough for the dear hour: one more would save 0.19 in the cheap one, and one less costs 0.39.
  const enough = { ...even, storedKwh: 2, mayChargeFromGrid: false, mayDischargeToGrid: false };
  const prices = hours([0.2, 0.4]);
  for (const value of batteryOf(await planned(inputs(prices, { batteries: [enough] }))).shadowPrice)
    expect(value).toBeCloseTo(0.29, 6);
  // One less than the least would have to be bought above the limit at once, and have the penalty of that as its value.
  const least = { ...even, storedKwh: 1 };
  const limited = hours([0.2, 0.4], () => ({ maxImportKw: 1 }));
  expect(Math.max(...batteryOf(await planned(inputs(limited, { batteries: [least] }))).shadowPrice)).toBeLessThan(0.41);
});

test("Where prices are not known a battery does not buy, and the plan ends where they do", async () => {
  const plan = await planned(
    inputs(hours([0.3, null, 0.4, null, null]), { batteries: [{ ...battery, endValuePerKwh: 1 }] }),
  );
  expect(plan.slots).toHaveLength(3);
  expect(plan.slots[1]).toMatchObject({ isPriceKnown: false, importPrice: 0.4 });
  expect(batteryOf(plan).powerKw[1]).toBeLessThanOrEqual(0);
});

test("Without any price, and with a battery of unknown charge, there is no plan", async () => {
  const never = () => Promise.reject(new Error("nothing is to be solved"));
  expect(await makePlan(inputs(hours([null, null])), never)).toMatchObject({ kind: "no-plan", reason: "no-prices" });
  const unknown = inputs(hours([0.3]), { batteries: [{ ...battery, storedKwh: null }] });
  expect(await makePlan(unknown, never)).toMatchObject({
    kind: "no-plan",
    reason: "unknown-charge",
    detail: "battery",
  });
});

test("A vehicle of unknown charge is left out, and the rest is planned", async () => {
  const plan = await planned(inputs(hours([0.3, 0.2]), { batteries: [battery], vehicles: [car({ storedKwh: null })] }));
  expect(plan.leftOut).toMatchObject([{ id: "car", reason: { code: "unknown-charge" } }]);
  expect(plan.devices.map(({ kind }) => kind)).toEqual(["battery"]);
});

test.each([
  ["below its reserve", 0.2],
  ["above its highest charge", 11],
])("A battery %s has a plan, and gets back within its bounds", async (_where, storedKwh) => {
  const plan = await planned(inputs(hours([0.3, 0.3, 0.3]), { batteries: [{ ...battery, storedKwh }] }));
  expect(batteryOf(plan).storedKwh.at(-1)).toBeGreaterThanOrEqual(1 - 1e-6);
  expect(batteryOf(plan).storedKwh.at(-1)).toBeLessThanOrEqual(10 + 1e-6);
});

test("At negative prices a battery does not burn power by charging and discharging at once", async () => {
  const slots = hours([-0.5, -0.5, 0.3], () => ({ exportPrice: -0.6 }));
  const plan = await planned(inputs(slots, { batteries: [{ ...battery, storedKwh: 10, wearPerKwh: 0 }] }));
  const [first] = plan.slots;
  expect(first!.importKw - first!.exportKw).toBeCloseTo(1 + batteryOf(plan).powerKw[0]!, 6);
  const change = batteryOf(plan).storedKwh[0]! - 10;
  const kw = batteryOf(plan).powerKw[0]!;
  expect(change).toBeCloseTo(kw > 0 ? kw * 0.95 : kw / 0.95, 6);
});

test("Panels are curtailed at a negative feed-in price if they can be", async () => {
  const slots = hours([0.3], () => ({ exportPrice: -0.1, pvKw: 5 }));
  expect((await planned(inputs(slots, { canCurtail: true }))).slots[0]).toMatchObject({ exportKw: 0, curtailedKw: 4 });
  expect((await planned(inputs(slots))).slots[0]).toMatchObject({ exportKw: 4, curtailedKw: 0 });
});

test("The fuse comes before a target, and a load above it is no reason for having no plan", async () => {
  const targets = [{ atMs: START_MS + 2 * HOUR_MS, storedKwh: 30 }];
  const slots = hours([0.3, 0.3], (slot) => ({ maxImportKw: 4, loadKw: slot === 0 ? 1 : 6 }));
  const plan = await planned(inputs(slots, { vehicles: [car({ targets })] }));
  expect(carOf(plan).powerKw).toEqual([3, 0]);
  expect(plan.slots[1]).toMatchObject({ importKw: 6, overLimitKw: 2 });
});

test("A limit of the grid operator for what is controllable leaves the load alone", async () => {
  const targets = [{ atMs: START_MS + 2 * HOUR_MS, storedKwh: 30 }];
  const slots = hours([0.3, 0.3], () => ({ maxControllableKw: 4.2 }));
  const { powerKw } = carOf(await planned(inputs(slots, { vehicles: [car({ targets })] })));
  expect(powerKw).toEqual([expect.closeTo(4.2, 6), expect.closeTo(4.2, 6)]);
});

test("A paid peak is not exceeded when time suffices", async () => {
  const targets = [{ atMs: START_MS + 4 * HOUR_MS, storedKwh: 30 }];
  const from = inputs(hours([0.3, 0.2, 0.3, 0.3]), {
    vehicles: [car({ targets })],
    peak: { pricePerKw: 10, paidKw: 5 },
  });
  expect(Math.max(...(await planned(from)).slots.map(({ importKw }) => importKw))).toBeCloseTo(6, 6);
});

test("A room is heated ahead in cheap hours, and kept within its limits", async () => {
  const slots = hours([0.1, 0.1, 0.5, 0.5]);
  const heatSlot = { outdoorC: 0, heatPerPower: 3, gainKw: 0, minC: 20, maxC: 23 };
  const heat = {
    ...{ id: "heat", temperatureC: 20, maxKw: 4, heatCapacityKwhPerK: 5, heatLossKwPerK: 0.2 },
    slots: slots.map(() => heatSlot),
  };
  const plan = await planned(inputs(slots, { heats: [heat] }));
  const [planOf] = plan.devices;
  if (planOf?.kind !== "heat") throw new Error("no heat in the plan");
  expect(planOf.temperatureC.every((temperature) => temperature >= 20 - 1e-6 && temperature <= 23 + 1e-6)).toBe(true);
  expect(planOf.powerKw[1]).toBeGreaterThan(planOf.powerKw[2]!);
  expect(planOf.coldKh).toBe(0);
});

test("Times of a plan begin now, go on at whole quarter hours and last 48 hours", () => {
  const nowMs = START_MS + 7 * 60_000;
  for (const grid of ["fine", "coarse"] as const) {
    const times = planTimes(nowMs, grid);
    expect(times).toHaveLength(grid === "fine" ? 192 : 72);
    expect(times[0]).toEqual({ fromMs: nowMs, toMs: START_MS + 15 * 60_000 });
    expect(times.at(-1)?.toMs).toBe(START_MS + 48 * HOUR_MS);
    expect(times.slice(1).every(({ fromMs }, index) => fromMs === times[index]!.toMs)).toBe(true);
  }
});

test.each([
  ["2026-03-29", 92],
  ["2026-10-25", 100],
])("A plan over the change of the clock on %s has %i quarter hours in that day, each once", (day, count) => {
  const dayOf = (ms: number) => new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" }).format(ms);
  const times = planTimes(Date.parse(`${day}T00:00:00Z`) - 6 * HOUR_MS, "fine");
  const ofDay = times.filter(({ fromMs }) => dayOf(fromMs) === day);
  expect(new Set(ofDay.map(({ fromMs }) => fromMs)).size).toBe(count);
  expect(ofDay).toHaveLength(count);
  expect(ofDay.every(({ fromMs, toMs }) => toMs - fromMs === HOUR_MS / 4)).toBe(true);
});

const anyInputs = fc
  .record({
    prices: fc.array(fc.double({ min: -0.2, max: 0.6, noNaN: true }), { minLength: 2, maxLength: 5 }),
    net: fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 5, maxLength: 5 }),
    storedKwh: fc.double({ min: 1, max: 10, noNaN: true }),
    spread: fc.double({ min: 0.01, max: 0.3, noNaN: true }),
  })
  .map(({ prices, net, storedKwh, spread }): PlanInputs => {
    const slots = hours(prices, (slot) => ({
      exportPrice: prices[slot]! - spread,
      loadKw: Math.max(0, net[slot]!),
      pvKw: Math.max(0, -net[slot]!),
    }));
    return inputs(slots, { batteries: [{ ...battery, storedKwh }] });
  });

/** Cost with what is left at the end, which is what a plan minimises. */
function total(cost: number, storedKwh: number): number {
  return cost - (battery.endValuePerKwh ?? 0) * storedKwh;
}

/** The plain rule on the same days: what is fed in charges the battery, what is drawn empties it. */
function ruleCost({ slots }: PlanInputs, storedKwh: number): number {
  let stored = storedKwh;
  let cost = 0;
  for (const { loadKw, pvKw, importPrice, exportPrice } of slots) {
    const charge = Math.min(4, (10 - stored) / 0.95);
    const discharge = Math.min(4, (stored - 1) * 0.95);
    const power = Math.min(charge, Math.max(-discharge, pvKw - loadKw));
    stored += power > 0 ? power * 0.95 : power / 0.95;
    const grid = loadKw - pvKw + power;
    cost += grid * (grid > 0 ? importPrice! : exportPrice!) + Math.abs(power) * battery.wearPerKwh;
  }
  return total(cost, stored);
}

test("In every plan energy adds up, the charge stays within its bounds, and the plain rule is no cheaper", async () => {
  await fc.assert(
    fc.asyncProperty(anyInputs, async (from) => {
      const plan = await planned(from);
      const { powerKw, storedKwh } = batteryOf(plan);
      let before = from.batteries[0]!.storedKwh!;
      for (const [index, slot] of plan.slots.entries()) {
        const power = powerKw[index]!;
        expect(slot.importKw - slot.exportKw).toBeCloseTo(slot.loadKw - slot.pvKw + power, 5);
        expect(storedKwh[index]! - before).toBeCloseTo(power > 0 ? power * 0.95 : power / 0.95, 5);
        expect(storedKwh[index]).toBeGreaterThanOrEqual(1 - 1e-5);
        expect(storedKwh[index]).toBeLessThanOrEqual(10 + 1e-5);
        before = storedKwh[index]!;
      }
      expect(total(plan.cost, before)).toBeLessThanOrEqual(ruleCost(from, from.batteries[0]!.storedKwh!) + 0.006);
    }),
    { numRuns: 60 },
  );
});

/** The least cost over all charges on a grid of 0.25 kWh. */
function bruteForce({ slots }: PlanInputs, slot: number, stored: number): number {
  if (slot === slots.length) return total(0, stored);
  const { loadKw, pvKw, importPrice, exportPrice } = slots[slot]!;
  let best = Infinity;
  for (let next = 1; next <= 10; next += 0.25) {
    const power = next > stored ? (next - stored) / 0.95 : (next - stored) * 0.95;
    if (power > 4 || power < -4) continue;
    const grid = loadKw - pvKw + power;
    const cost = grid * (grid > 0 ? importPrice! : exportPrice!) + Math.abs(power) * battery.wearPerKwh;
    best = Math.min(best, cost + bruteForce({ slots } as PlanInputs, slot + 1, next));
  }
  return best;
}

test("Linear program, dynamic programming and brute force find the same least cost of three hours", async () => {
  const loads = [1, -2.5, 2];
  for (const prices of [
    [0.1, 0.2, 0.5],
    [0.4, 0.05, 0.3],
    [-0.1, 0.2, 0.25],
  ]) {
    const slots = hours(prices, (slot) => ({
      exportPrice: prices[slot]! - 0.05,
      loadKw: Math.max(0, loads[slot]!),
      pvKw: Math.max(0, -loads[slot]!),
    }));
    const from = inputs(slots, { batteries: [battery] });
    const linear = await planned(from);
    const dynamic = planOneBattery(from);
    if (dynamic.kind === "no-plan") throw new Error(dynamic.detail);
    const exact = total(linear.cost, batteryOf(linear).storedKwh.at(-1)!);
    const found = total(dynamic.cost, batteryOf(dynamic).storedKwh.at(-1)!);
    const tried = bruteForce(from, 0, battery.storedKwh!);
    expect(exact).toBeLessThanOrEqual(tried + 0.006);
    expect(tried - exact).toBeLessThan(0.1);
    expect(found - exact).toBeLessThan(0.03);
    expect(found - exact).toBeGreaterThan(-0.006);
  }
});

test("Without a solver one battery is planned by dynamic programming, and says what it left out", async () => {
  const from = inputs(hours([0.1, 0.4]), { batteries: [battery], vehicles: [car()] });
  const plan = await makePlan(from, async () => ({ status: "failed", detail: "no WebAssembly" }));
  expect(plan).toMatchObject({ kind: "plan", method: "dynamic-program", leftOut: [{ id: "car" }] });
  const without = await makePlan(inputs(hours([0.1])), async () => ({ status: "failed", detail: "no WebAssembly" }));
  expect(without).toEqual({ kind: "no-plan", reason: "no-solution", detail: "no WebAssembly" });
});

test("What a battery buys to have its reserve has that as its reason, and no reason of a battery says that dearer hours are cheaper", async () => {
  const low = await planned(inputs(hours([0.5, 0.5, 0.2, 0.3, 0.3]), { batteries: [{ ...battery, storedKwh: 0.2 }] }));
  expect(batteryOf(low).reasons[0]).toMatchObject({ code: "reserve", priceDifference: null });
  expect(batteryOf(low).reasons[0]?.when).toEqual([{ fromMs: START_MS, toMs: START_MS + HOUR_MS }]);
  // What it keeps for two hours at 60 ct is less than what it covers on the next day at 12 ct.
  const day = [
    ...Array<number>(2).fill(0.3),
    0.6,
    0.6,
    ...Array<number>(6).fill(0.02),
    ...Array<number>(20).fill(0.12),
  ];
  const two = await planned(inputs(hours(day), { batteries: [{ ...battery, storedKwh: 3 }] }));
  const waits = batteryOf(two).reasons.find(({ code }) => code === "waits-for-dearer-hours");
  expect(waits?.priceDifference).toBeCloseTo(0.3);
  expect(waits?.alternative).toEqual({ fromMs: START_MS + 2 * HOUR_MS, toMs: START_MS + 4 * HOUR_MS });
  for (const plan of [low, two]) {
    const differences = batteryOf(plan).reasons.flatMap(({ priceDifference }) => priceDifference ?? []);
    expect(Math.min(...differences)).toBeGreaterThan(0);
  }
});

test("What the plan without a solver leaves out has that as its reason", () => {
  const plan = planOneBattery(
    inputs(hours([0.1, 0.3]), { batteries: [battery, { ...battery, id: "second" }], vehicles: [car()] }),
  );
  const leftOut = plan.kind === "plan" ? plan.leftOut.map(({ id, reason }) => [id, reason.code]) : [];
  expect(leftOut).toEqual([
    ["second", "no-solution"],
    ["car", "no-solution"],
  ]);
});

test.each([
  ["nothing may be fed in", 0, false, "SELF_RELIANCE"],
  ["nothing may be fed in, and panels can be curtailed", 0, true, "SELF_RELIANCE"],
  ["the feed-in is at a limit of 3 kW", 3, false, "SELF_RELIANCE"],
  ["the feed-in is at a limit of 3 kW, and panels can be curtailed", 3, true, "SELF_RELIANCE"],
  ["there is more sun than fits, and no limit,", null, false, "IDLE"],
])("Where %s a battery does what its surplus is worth", async (_what, maxExportKw, canCurtail, mode) => {
  // From ten to four, much more than fits into the battery; later it brings 2 ct only.
  const slots = hours(Array<number>(24).fill(0.3), (hour) => ({
    ...{ maxExportKw, pvKw: hour >= 10 && hour < 16 ? 6 : 0 },
    exportPrice: hour < 13 ? 0.08 : 0.02,
  }));
  const own = { ...battery, endValuePerKwh: null, mayDischargeToGrid: false };
  const all = inputs(slots, { batteries: [own], canCurtail });
  for (const plan of [await planned(all), planOneBattery(all)]) {
    if (plan.kind === "no-plan") throw new Error(plan.reason);
    const value = storedValueInPlan(plan, own.id, START_MS + 10 * HOUR_MS);
    if (value === null) throw new Error("the plan does not have the battery");
    const now = { netLoadW: -5_000, soc: 20, reserve: 10, mode: null };
    expect(storedEnergyPolicy({ ...own, ...value, ...now })).toBe(mode);
  }
});

test("A limit of controllable devices leaves them the sun of the panels", async () => {
  const slots = hours(Array<number>(12).fill(0.3), (hour) => ({ maxControllableKw: 0, pvKw: hour < 6 ? 0 : 5 }));
  const target = { atMs: START_MS + 12 * HOUR_MS, storedKwh: 20 };
  const all = inputs(slots, {
    batteries: [{ ...battery, storedKwh: 1, endValuePerKwh: 0.2 }],
    vehicles: [car({ targets: [target] })],
  });
  const plan = await planned(all);
  expect(carOf(plan).targets).toMatchObject([{ shortKwh: 0 }]);
  expect(carOf(plan).powerKw.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
  const alone = planOneBattery({ ...all, vehicles: [] });
  const stored = alone.kind === "plan" ? batteryOf(alone).storedKwh : [];
  expect(stored[5]).toBeCloseTo(1);
  expect(stored[11]).toBeCloseTo(10);
});
