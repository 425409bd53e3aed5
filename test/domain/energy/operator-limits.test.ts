import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { ActiveLimit, InverterView } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { commandsOf, inMode, meanOf, type Readout, reasonsOf, runHouse } from "./house-loop.ts";
import { makeInverter, makeLimit, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

function from(startS: number, limit: Partial<ActiveLimit>, endS = Number.POSITIVE_INFINITY) {
  return (atS: number) => (atS >= startS && atS < endS ? [makeLimit(limit)] : []);
}

function carW(trace: readonly Readout[], fromS: number): number {
  const sums = trace
    .filter(({ atS }) => atS >= fromS)
    .map(({ cars }) => cars.reduce((sum, { watts }) => sum + watts, 0));
  return Math.max(...sums);
}

test("A limit of the whole import is met within 30 s, and the car rises again when it ends", () => {
  const { trace } = runHouse(
    { load: () => flat(2), limits: from(60, { watts: 6_000 }, 300), cars: [{ startsOnA: 16 }] },
    500,
  );
  expect(Math.max(...trace.slice(90, 300).map(({ gridW }) => gridW))).toBeLessThanOrEqual(6_000);
  expect(reasonsOf(trace.slice(0, 300), "charger-1", 70)).toEqual(["grid-operator operator"]);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(16);
});

test("A limit that is lowered while it is in force is applied without a moment above the first one", () => {
  const limits = (atS: number) => [makeLimit({ watts: atS < 200 ? 8_000 : 5_000 })];
  const { trace } = runHouse({ load: () => flat(1), limits, cars: [{ startsOnA: 16 }] }, 400);
  expect(Math.max(...trace.slice(30, 200).map(({ gridW }) => gridW))).toBeLessThanOrEqual(8_000);
  expect(Math.max(...trace.slice(200).map(({ gridW }) => gridW))).toBeLessThanOrEqual(8_000);
  expect(Math.max(...trace.slice(230).map(({ gridW }) => gridW))).toBeLessThanOrEqual(5_000);
});

test("Of several limits the lowest holds", () => {
  const limits = () => [makeLimit({ id: "a", watts: 9_000 }), makeLimit({ id: "b", watts: 6_000, source: "retailer" })];
  const { trace } = runHouse({ limits, cars: [{}] }, 200);
  expect(carW(trace, 30)).toBeLessThanOrEqual(6_000);
  expect(reasonsOf(trace, "charger-1", 30)).toEqual(["grid-operator retailer"]);
});

test("A charger that is entitled to 4.2 kW keeps its 6 A on three phases, and the household is free", () => {
  const limits = from(60, { scope: "controllable", watts: 4_200 });
  const { trace } = runHouse({ load: () => flat(10), limits, cars: [{ startsOnA: 14 }] }, 400);
  expect(trace.slice(90).every(({ cars }) => cars[0]!.amps === 6)).toBe(true);
});

test("Two chargers share a limit of 7.56 kW: the first keeps what it can have, the second waits", () => {
  const limits = from(60, { scope: "controllable", watts: 7_560 });
  const { trace } = runHouse(
    { snapshot: { site: makeSite({ fuseA: 63 }) }, limits, cars: [{ startsOnA: 16 }, { startsOnA: 16 }] },
    400,
  );
  expect(carW(trace, 90)).toBeLessThanOrEqual(7_560);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(10);
  expect(reasonsOf(trace, "charger-2", 385)).toEqual(["grid-operator operator"]);
});

test("Two single-phase chargers share the limit of both, each with 6 A or more", () => {
  const limits = from(60, { scope: "controllable", watts: 4_200 });
  const view = { phases: ["L1"] as const };
  const cars = [
    { startsOnA: 16, view },
    { startsOnA: 16, view: { phases: ["L2"] as const } },
  ];
  const { trace } = runHouse({ limits, cars }, 300);
  expect(carW(trace, 90)).toBeLessThanOrEqual(4_200);
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([12, 6]);
});

test("A dim of 10.5 kW leaves that to two chargers and a heat pump together, and the household is free", () => {
  const switched = { powerW: 5_000, minimumOnMs: 1_200_000, minimumOffMs: 600_000, startsPerDay: 12 };
  const amps = 5_000 / 230 / 3;
  const pump = { startsOnA: amps, carMaxA: amps, view: { range: null, switched, offeredA: amps } };
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63 }) },
      load: () => flat(10),
      limits: from(60, { watts: 10_500, scope: "controllable" }),
      cars: [pump, { startsOnA: 16 }, { startsOnA: 16 }],
    },
    600,
  );
  expect(trace[50]!.cars.reduce((sum, { watts }) => sum + watts, 0)).toBeGreaterThan(20_000);
  expect(carW(trace, 90)).toBeLessThanOrEqual(10_500);
  expect(Math.max(...trace.slice(90).map(({ gridW }) => gridW))).toBeGreaterThan(10_500);
  // The first two keep what they can have; the third waits.
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([true, true, false]);
});

test("Own sun comes on top of the limit of the controllable devices", () => {
  const limits = from(60, { scope: "controllable", watts: 4_200 });
  const { trace } = runHouse({ load: () => flat(2), sunW: () => 3_000, limits, cars: [{ startsOnA: 16 }] }, 300);
  expect(carW(trace, 90)).toBeLessThanOrEqual(7_200);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(10);
});

test("Sun that an inverter does not report any more adds nothing to the limit of the controllable devices", () => {
  const limits = () => [makeLimit({ scope: "controllable", watts: 4_200 })];
  const sunW = (atS: number) => (atS < 200 ? 6_000 : 0);
  const { trace } = runHouse({ sunW, inverterSilentFromS: 190, limits, cars: [{ startsOnA: 14 }] }, 400);
  expect(trace[180]!.cars[0]!.amps).toBe(14);
  expect(carW(trace, 300)).toBeLessThanOrEqual(4_200);
});

test("A limit below the least current of the charger switches it off within 30 s, also in its minimum on time", () => {
  const { trace } = runHouse(
    {
      sunW: () => 9_000,
      limits: from(120, { scope: "controllable", watts: 0 }, 9_999),
      cars: [{ startsOnA: 12 }],
      load: () => flat(1),
    },
    130,
  );
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(true);
  const dark = runHouse({ limits: from(60, { watts: 1_000 }), cars: [{ startsOnA: 12 }] }, 100).trace;
  expect(dark.slice(90).every(({ gridW }) => gridW <= 1_000)).toBe(true);
});

test("Charging of the battery from the grid stops before a car is lowered", () => {
  const plannedMode = () => "IMPORT_FOCUS" as const;
  const { trace } = runHouse(
    {
      load: () => flat(2),
      limits: from(100, { watts: 6_000 }),
      battery: { soc: 30, plannedMode },
      cars: [{ startsOnA: 6, view: { range: { minA: 6, maxA: 6, stepA: 1 } } }],
    },
    400,
  );
  expect(trace[90]).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 5_000 });
  expect(trace.slice(130).every(({ mode, gridW }) => mode !== "IMPORT_FOCUS" && gridW <= 6_000)).toBe(true);
  expect(commandsOf(trace, "charger-1")).toBe(0);
  expect(commandsOf(trace, "battery", 100)).toBe(1);
});

test("A limit that stops the charging from the grid leaves the charging from the sun", () => {
  const { trace } = runHouse(
    {
      load: () => flat(2),
      sunW: (atS) => (atS < 300 ? 0 : 3_000),
      limits: from(100, { watts: 3_000 }),
      battery: { soc: 30, plannedMode: () => "IMPORT_FOCUS" },
    },
    400,
  );
  expect(trace[90]!.mode).toBe("IMPORT_FOCUS");
  expect(trace.at(-1)).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(trace.at(-1)!.batteryW).toBeGreaterThan(1_500);
});

test("A battery that a person charges from the grid is narrowed by a limit, and given back after it", () => {
  const view = { isOthers: true, mode: "IMPORT_FOCUS" as const };
  const { trace } = runHouse({ limits: from(100, { watts: 3_000 }, 300), battery: { soc: 20, view } }, 700);
  expect(trace[200]!.mode).toBe("SELF_RELIANCE");
  expect(trace.at(-1)!.mode).toBe("IMPORT_FOCUS");
});

test("A limit that the household alone exceeds is reported once", () => {
  const { trace } = runHouse({ load: () => flat(12), limits: from(20, { watts: 4_200 }) }, 300);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "limit-not-reached", subject: "limit-1" }]);
});

test("The contracted power lowers a car, and a household above it stops the car within a minute", () => {
  const site = makeSite({ importKw: 10 });
  const { trace } = runHouse({ snapshot: { site }, load: (atS) => (atS < 100 ? flat(3) : flat(10)), cars: [{}] }, 300);
  expect(trace[90]!.gridW).toBeLessThanOrEqual(10_000);
  expect(Math.max(...trace.slice(160).map(({ gridW }) => gridW))).toBeLessThanOrEqual(10_000);
});

test("The paid peak lowers a car to its least current and never stops it", () => {
  const site = makeSite({ peakKw: 5 });
  const { trace } = runHouse({ snapshot: { site }, load: (atS) => (atS < 100 ? flat(1) : flat(8)), cars: [{}] }, 400);
  expect(trace[90]!.cars[0]!.amps).toBe(6);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(6);
});

test("The feed-in limit caps what is fed in and not what is generated", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse(
    { snapshot: { site }, load: () => flat(2.9), sunW: () => 10_000, inverter: { ratedW: 10_000 } },
    200,
  );
  expect(trace.at(-1)!.gridW).toBeGreaterThanOrEqual(-6_000);
  expect(trace.at(-1)!.sunW).toBeGreaterThan(7_800);
});

test("A load of 4 kW that ends at the cap leaves the feed-in above it for less than 5 s", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse(
    { snapshot: { site }, load: (atS) => (atS < 100 ? flat(5.8) : flat(0)), sunW: () => 9_900 },
    300,
  );
  expect(trace.slice(20).filter(({ gridW }) => gridW < -6_000).length).toBeLessThan(5);
});

test("A load that starts at the cap lets the generation rise to it", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse(
    { snapshot: { site }, load: (atS) => (atS < 100 ? flat(0) : flat(5.8)), sunW: () => 9_900 },
    200,
  );
  expect(trace[90]!.sunW).toBeLessThanOrEqual(6_000);
  expect(trace.at(-1)!.sunW).toBe(9_900);
});

test("A curtailed inverter follows 3 kW more of load within a few cycles, and never feeds in above the limit", () => {
  const site = makeSite({ exportKw: 3 });
  const more = 3_000 / 3 / 230;
  const { trace } = runHouse(
    { snapshot: { site }, load: (atS) => (atS < 100 ? flat(1) : flat(1 + more)), sunW: () => 9_900 },
    200,
  );
  expect(trace[99]!.sunW).toBeGreaterThan(3_400);
  expect(trace[99]!.sunW).toBeLessThan(3_700);
  // Its limit is raised at once or after the 10 s since the last change, and shows 3 s later.
  expect(trace[115]!.sunW).toBeGreaterThan(trace[99]!.sunW + 2_900);
  expect(trace.slice(20).every(({ gridW }) => gridW >= -3_000)).toBe(true);
});

test("Without the meter for 10 s the generation itself is kept below the feed-in limit", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse(
    {
      snapshot: { site },
      load: (atS) => (atS < 100 ? flat(8) : flat(0)),
      sunW: () => 9_900,
      meter: (truth, atS) => (atS < 90 ? truth : null),
    },
    200,
  );
  expect(trace.slice(110).every(({ sunW }) => sunW <= 6_000)).toBe(true);
});

test("A steady feed-in at the limit gives no commands", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse({ snapshot: { site }, load: () => flat(1), sunW: () => 9_900 }, 600);
  expect(commandsOf(trace, "inverter", 60)).toBe(0);
});

test("An inverter is never raised while more than the limit is fed in, also where its rated power is estimated too low", () => {
  const at = (nowMs: number, gridW: number, inverter: Partial<InverterView>) =>
    makeSnapshot({
      nowMs,
      site: makeSite({ exportKw: 0 }),
      grid: makeMeter({ powerW: gridW, measuredAtMs: nowMs }),
      inverters: [makeInverter({ ratedW: 5_485, measuredAtMs: nowMs, ...inverter })],
    });
  const first = controlCycle(at(0, -529, { powerW: 4_448 }), EMPTY_MEMORY);
  expect(first.decisions).toMatchObject([{ kind: "inverter", limitPct: 70 }]);
  // It has the limit, and its rated power is more: the sun has risen, and nothing is cut.
  const second = controlCycle(at(11_000, -794, { powerW: 5_245, limitPct: 70 }), first.memory);
  expect(second.decisions).toMatchObject([{ kind: "inverter", limitPct: 58 }]);
});

test("An inverter that may not be raised yet is said to be held by the feed-in, also while a car takes all", () => {
  const at = (nowMs: number, gridW: number, inverter: Partial<InverterView>) =>
    makeSnapshot({
      nowMs,
      site: makeSite({ fuseA: 63, exportKw: 0.5 }),
      grid: makeMeter({ powerW: gridW, measuredAtMs: nowMs }),
      inverters: [makeInverter({ ratedW: 10_000, measuredAtMs: nowMs, ...inverter })],
    });
  const first = controlCycle(at(0, -5_000, { powerW: 6_000, limitPct: 100 }), EMPTY_MEMORY);
  expect(first.decisions).toMatchObject([{ limitPct: 14, reason: { code: "feed-in" } }]);
  const held = controlCycle(at(20_000, 9_000, { powerW: 1_400, limitPct: 14 }), first.memory);
  expect(held.decisions).toMatchObject([{ limitPct: null, reason: { code: "feed-in" } }]);
  const free = controlCycle(at(70_000, 9_000, { powerW: 1_400, limitPct: 14 }), held.memory);
  expect(free.decisions).toMatchObject([{ limitPct: 100, reason: { code: "nothing-to-do" } }]);
  const after = controlCycle(at(90_000, 4_400, { powerW: 6_000, limitPct: 100 }), free.memory);
  expect(after.decisions).toMatchObject([{ limitPct: null, reason: { code: "nothing-to-do" } }]);
});

test("An inverter that feeds in too much is lowered step by step, also where its rated power is estimated too low", () => {
  // It could give 10 kW, and 6.5 kW under passing clouds is the most that was seen of it: 79 % of that would be too little.
  const at = (nowMs: number, powerW: number, limitPct: number, memory: typeof EMPTY_MEMORY) =>
    controlCycle(
      makeSnapshot({
        nowMs,
        site: makeSite({ exportKw: 3 }),
        grid: makeMeter({ powerW: 3_200 - powerW, measuredAtMs: nowMs }),
        inverters: [makeInverter({ ratedW: 6_500, powerW, limitPct, isRatedKnown: false, measuredAtMs: nowMs })],
      }),
      memory,
    );
  const unknown = at(0, 6_500, 79, EMPTY_MEMORY);
  expect(unknown.decisions).toMatchObject([{ kind: "inverter", limitPct: null }]);
  const first = at(10_000, 6_500, 79, unknown.memory);
  expect(first.decisions).toMatchObject([{ limitPct: 74 }]);
  expect(at(16_000, 6_500, 74, first.memory).decisions).toMatchObject([{ limitPct: null }]);
  // The first step had no effect, so the next is twice as large.
  expect(at(20_000, 6_500, 74, first.memory).decisions).toMatchObject([{ limitPct: 65 }]);
  // One that still comes down is not lowered twice for the same power.
  expect(at(20_000, 6_300, 74, first.memory).decisions).toMatchObject([{ limitPct: null }]);
});

test("Where nothing may be fed in the panels carry the house, and not a battery that follows the meter", () => {
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ exportKw: 0 }) },
      load: (atS) => flat(atS < 600 ? 3 : 8),
      sunW: () => 8_000,
      battery: { soc: 60 },
    },
    1_200,
  );
  for (const { sunW, batteryW, gridW } of [...trace.slice(200, 600), ...trace.slice(800)]) {
    expect(batteryW).toBeGreaterThan(-400);
    expect(sunW).toBeGreaterThan(1_700);
    expect(-gridW).toBeLessThan(100);
  }
  expect(trace.at(-1)!.sunW).toBeGreaterThan(5_100);
});

test("An inverter that is given back its power after a long limit names no change that is over", () => {
  const limits = from(20, { direction: "export", watts: 4_000 }, 600);
  const { trace } = runHouse({ limits, sunW: () => 8_000 }, 1_200);
  const until = trace.flatMap(({ atS, decisions }) =>
    decisions.flatMap(({ kind, reason }) =>
      atS >= 600 && kind === "inverter" && reason.untilMs !== null ? [reason.untilMs - 1_000 * atS] : [],
    ),
  );
  expect(until.length).toBeGreaterThan(100);
  expect(Math.min(...until)).toBeGreaterThan(0);
  expect(trace.at(-1)!.limitPct).toBe(100);
});

test("After an export limit has ended the inverter returns by 10 % a minute", () => {
  const limits = from(20, { direction: "export", watts: 0 }, 100);
  const { trace } = runHouse({ limits, sunW: () => 10_000 }, 900);
  expect(trace[90]!.sunW).toBeLessThanOrEqual(100);
  expect(trace[160]!.limitPct).toBeLessThanOrEqual(12);
  expect(trace[160]!.limitPct).toBeGreaterThan(5);
  expect(trace.at(-1)!.limitPct).toBe(100);
});

test("A battery that feeds the grid stops when the feed-in exceeds its limit", () => {
  const site = makeSite({ exportKw: 3 });
  const plannedMode = () => "EXPORT_FOCUS" as const;
  const { trace } = runHouse({ snapshot: { site }, battery: { soc: 90, plannedMode } }, 200);
  expect(trace.slice(30).every(({ gridW }) => gridW >= -3_000)).toBe(true);
});

test("An inverter that produces more than its limit is named", () => {
  const site = makeSite({ exportKw: 6 });
  const { trace } = runHouse(
    { snapshot: { site }, sunW: () => 10_000, inverter: { canLimit: true }, ignoresInverterLimit: true },
    200,
  );
  expect(trace.flatMap(({ alarms }) => alarms)).toContainEqual({ code: "ignores-limit", subject: "inverter" });
});

test("A car in surplus mode does not rise above an import limit with a share of the grid", () => {
  const { trace } = runHouse(
    {
      limits: () => [makeLimit({ watts: 1_000 })],
      sunW: () => 4_000,
      cars: [{ ask: () => inMode("SURPLUS"), view: { gridShare: 0.5 } }],
    },
    600,
  );
  expect(trace.every(({ gridW }) => gridW <= 1_000)).toBe(true);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(7);
});

test.each([
  ["nothing is fed in at a negative price", 500, { feedInStopsUntilMs: 3_600_000 }, 0],
  ["the operator's limit is kept where the price would have more fed in", 500, { feedInStopsUntilMs: null }, 500],
])("Of a limit of 0.5 kW and a price the lower feed-in counts: %s", (_title, watts, snapshot, expectedW) => {
  const { trace } = runHouse(
    {
      snapshot,
      limits: () => [makeLimit({ direction: "export", watts })],
      sunW: () => 3_000,
      load: () => [1, 1, 1],
    },
    400,
  );
  const fedInW = meanOf(trace.slice(200).map(({ gridW }) => -gridW));
  expect(fedInW).toBeLessThanOrEqual(expectedW + 20);
  // Inverters are kept a little below the limit.
  expect(fedInW).toBeGreaterThan(expectedW - 250);
});
