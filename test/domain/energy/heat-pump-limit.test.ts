/** § 14a EnWG: heat pumps that the grid operator may dim, beside chargers. */
import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { HeatPumpView } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { minimumPowerW } from "../../../src/domain/energy/limits/minimum-power.ts";
import { inMode, type Readout, reasonsOf, runHouse } from "./house-loop.ts";
import { makeBattery, makeCharger, makeHeatPump, makeLimit, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const site = makeSite({ fuseA: 63 });
const HOUR_S = 3_600;

function dimmed(watts: number, fromS = 60, toS = Number.POSITIVE_INFINITY) {
  return (atS: number) => (atS >= fromS && atS < toS ? [makeLimit({ scope: "controllable", watts })] : []);
}

function controllableW({ pumpW, cars }: Readout): number {
  return cars.reduce((sum, { watts }) => sum + watts, pumpW);
}

/** Seconds at which the pump stops or starts. */
function changesOf(trace: readonly Readout[]): readonly number[] {
  return trace.filter(({ pumpW }, i) => i > 0 && pumpW > 0 !== trace[i - 1]!.pumpW > 0).map(({ atS }) => atS);
}

test("A pump beside two chargers that are entitled to their 6 A is blocked within 30 s, and the household is free", () => {
  const watts = minimumPowerW([
    { kind: "charger", watts: 11_000 },
    { kind: "charger", watts: 11_000 },
    { kind: "heat-pump", watts: 5_000 },
  ]);
  expect(watts).toBe(10_500);
  const cars = [{ startsOnA: 16 }, { startsOnA: 16 }];
  const { trace } = runHouse(
    { snapshot: { site }, load: () => [15, 15, 15], limits: dimmed(watts), pumpW: () => 5_000, cars },
    600,
  );
  const late = trace.slice(90);
  expect(late.every((each) => each.pumpW === 0)).toBe(true);
  expect(Math.max(...late.map(controllableW))).toBeLessThanOrEqual(10_500);
  expect(Math.min(...late.flatMap(({ cars: each }) => each.map(({ amps }) => amps)))).toBeGreaterThanOrEqual(6);
  expect(reasonsOf(trace, "pump")).toEqual(["grid-operator operator"]);
});

test("A pump that fits beside the least current of the chargers goes on, and they get the rest", () => {
  const { trace } = runHouse(
    { snapshot: { site }, limits: dimmed(10_500), pumpW: () => 2_000, cars: [{ startsOnA: 16 }, { startsOnA: 16 }] },
    600,
  );
  const late = trace.slice(90);
  expect(late.every(({ pumpW }) => pumpW === 2_000)).toBe(true);
  expect(Math.max(...late.map(controllableW))).toBeLessThanOrEqual(10_500);
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([6, 6]);
});

test("A pump of 15 kW goes on at its 6 kW, and a car beside it keeps its 6 A, in the 12.3 kW of three devices", () => {
  const { trace } = runHouse(
    { snapshot: { site }, limits: dimmed(12_300), pumpW: () => 6_000, cars: [{ startsOnA: 16 }] },
    600,
  );
  expect(trace.at(-1)!.pumpW).toBe(6_000);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(9);
});

test("A pump alone that draws more than it may is blocked, and own sun lets it run on", () => {
  const night = runHouse({ snapshot: { site }, limits: dimmed(4_200), pumpW: () => 5_000 }, 200);
  expect(night.trace.at(-1)!.pumpW).toBe(0);
  const day = runHouse({ snapshot: { site }, limits: dimmed(4_200), pumpW: () => 5_000, sunW: () => 3_000 }, 200);
  expect(day.trace.every(({ pumpW }) => pumpW === 5_000)).toBe(true);
});

test("A block is held for ten minutes, also if the limit ends before, and the pump is free then", () => {
  const { trace } = runHouse({ snapshot: { site }, limits: dimmed(4_200, 60, 120), pumpW: () => 5_000 }, 1_200);
  const [stoppedS, startedS] = changesOf(trace);
  expect(startedS! - stoppedS!).toBeGreaterThanOrEqual(595);
  expect(startedS! - stoppedS!).toBeLessThanOrEqual(610);
  expect(changesOf(trace).length).toBe(2);
  expect(reasonsOf(trace, "pump")).toEqual(["grid-operator operator", "waits-minimum-time", "nothing-to-do"]);
});

test("A pump that is blocked right after its start is tried again later each time, not every ten minutes", () => {
  // Beside the sun it fits, and clouds come every minute.
  const sunW = (atS: number): number => (atS % 60 < 30 ? 500 : 0);
  const { trace } = runHouse({ snapshot: { site }, limits: dimmed(4_200), pumpW: () => 4_300, sunW }, 60 + 2 * HOUR_S);
  const starts = changesOf(trace).filter((atS) => trace[atS]!.pumpW > 0);
  expect(starts).toHaveLength(3);
  expect(starts[1]! - starts[0]!).toBeGreaterThanOrEqual(1_200);
  expect(starts[2]! - starts[1]!).toBeGreaterThanOrEqual(2_400);
});

test("After two hours the pump has its turn for half an hour, and the cars wait meanwhile", () => {
  const { trace } = runHouse(
    {
      snapshot: { site },
      limits: dimmed(10_500),
      pumpW: () => 6_500,
      cars: [{ ask: () => inMode("FAST") }, { ask: () => inMode("FAST") }],
    },
    3 * HOUR_S,
  );
  const [stoppedS, startedS, againS] = changesOf(trace);
  expect(startedS! - stoppedS!).toBeGreaterThanOrEqual(2 * HOUR_S);
  expect(startedS! - stoppedS!).toBeLessThan(2 * HOUR_S + 30);
  expect(againS! - startedS!).toBeGreaterThanOrEqual(1_790);
  expect(againS! - startedS!).toBeLessThan(1_830);
  const turn = trace.slice(startedS! + 30, againS! - 5);
  expect(Math.max(...turn.map(controllableW))).toBeLessThanOrEqual(10_500);
});

test("A pump that the limit has no room for at all stays blocked after two hours", () => {
  const { trace } = runHouse({ snapshot: { site }, limits: dimmed(4_200), pumpW: () => 5_000 }, 4 * HOUR_S);
  expect(changesOf(trace).length).toBe(1);
});

test("A limit of the whole connection blocks a pump only for what the household leaves", () => {
  const limits = (atS: number) => (atS < 60 ? [] : [makeLimit({ watts: 7_000 })]);
  const small = runHouse({ snapshot: { site }, load: () => [2, 2, 2], limits, pumpW: () => 5_000 }, 200);
  expect(small.trace.every(({ pumpW }) => pumpW > 0)).toBe(true);
  const large = runHouse({ snapshot: { site }, load: () => [5, 5, 5], limits, pumpW: () => 5_000 }, 200);
  expect(large.trace.at(-1)!.pumpW).toBe(0);
  expect(Math.max(...large.trace.slice(90).map(({ gridW }) => gridW))).toBeLessThanOrEqual(7_000);
});

test("A battery that charges from the grid is stopped, and a pump that then fits is not blocked", () => {
  const battery = { view: makeBattery({ maxChargeW: 3_000 }), plannedMode: () => "IMPORT_FOCUS" as const };
  const { trace } = runHouse({ snapshot: { site }, limits: dimmed(4_200), pumpW: () => 3_500, battery }, 300);
  expect(trace.at(-1)!.batteryW).toBeLessThanOrEqual(0);
  expect(trace.at(-1)!.pumpW).toBe(3_500);
});

test("The connection's fuse blocks no pump", () => {
  const { trace } = runHouse({ load: () => [24, 24, 24], pumpW: () => 5_000 }, 300);
  expect(trace.every(({ pumpW }) => pumpW === 5_000)).toBe(true);
});

function decide(pump: Partial<HeatPumpView>, charger = makeCharger({ state: "UNPLUGGED" })) {
  const view = { ...makeHeatPump(5_000, 0), ...pump };
  const limits = [makeLimit({ scope: "controllable", watts: 4_200 })];
  const heatPumpsW = view.isRaised ? 0 : view.drawnW;
  const grid = makeMeter({ powerW: 5_000, currentA: [7, 7, 7] });
  const snapshot = makeSnapshot({
    nowMs: 1_000,
    site,
    grid,
    limits,
    chargers: [charger],
    heatPumpsW,
    heatPumps: [view],
  });
  return controlCycle(snapshot, EMPTY_MEMORY).decisions.filter(({ id }) => id === "pump");
}

test("A pump of unknown power counts with its connection; one that cannot be blocked is left alone", () => {
  expect(decide({ powerW: null })).toMatchObject([{ kind: "heat-pump", isBlocked: true }]);
  expect(decide({ canBlock: false })).toEqual([]);
  expect(decide({ powerW: 50, drawnW: 50 })).toEqual([]);
});

test("A pump that is found blocked under a limit stays blocked, as after a restart", () => {
  expect(decide({ isBlocked: true, powerW: 0, drawnW: 0 })).toMatchObject([{ isBlocked: true }]);
  expect(decide({ isBlocked: false, powerW: 0, drawnW: 0 })).toEqual([]);
});

test("A pump that was asked to take more is blocked at once, and not asked again", () => {
  const switched = { powerW: 5_000, minimumOnMs: 1_200_000, minimumOffMs: 600_000, startsPerDay: 12 };
  const raised = { id: "pump", ask: inMode("FAST"), isEnabled: true, powerW: 5_000, range: null, switched } as const;
  const decisions = decide({ isRaised: true }, makeCharger({ ...raised, offeredA: null, measuredAtMs: 1_000 }));
  expect(decisions).toMatchObject([
    { kind: "charger", isOn: false },
    { kind: "heat-pump", isBlocked: true },
  ]);
});
