import { expect, test } from "vitest";
import type { MeterView, SwitchedLoad } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import type { PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { type CarSpec, inMode, longestOverload, type Readout, reasonsOf, runHouse } from "./house-loop.ts";
import { makeLimit, makeSite } from "./makers.ts";

const MINUTE_MS = 60_000;
const V = 230;
const surplus = () => inMode("SURPLUS");
const HEAT_PUMP: SwitchedLoad = {
  powerW: 2_760,
  minimumOnMs: 20 * MINUTE_MS,
  minimumOffMs: 10 * MINUTE_MS,
  startsPerDay: 8,
};
const ROD: SwitchedLoad = { powerW: 1_150, minimumOnMs: 10 * MINUTE_MS, minimumOffMs: 5 * MINUTE_MS, startsPerDay: 24 };

/** A load that takes its power while it is on. */
function load(switched: SwitchedLoad, spec: Partial<CarSpec> = {}): CarSpec {
  const { phases = ["L1", "L2", "L3"] } = spec.view ?? {};
  const amps = switched.powerW / V / phases.length;
  return {
    ask: surplus,
    carMaxA: amps,
    latencyS: 5,
    ...spec,
    view: { range: null, switched, offeredA: amps, phases, ...spec.view },
  };
}

const onePhase = { view: { phases: ["L1"] } } as const;

function startsOf(trace: readonly Readout[], i = 0): readonly number[] {
  return trace.filter(({ cars }, at) => at > 0 && cars[i]!.isOn && !trace[at - 1]!.cars[i]!.isOn).map(({ atS }) => atS);
}

test("A heating rod of 1.15 kW starts with 1.3 kW of surplus, and a charger in the same sun does not", () => {
  const { trace } = runHouse({ sunW: () => 1_300, cars: [{ ask: surplus }, load(ROD, onePhase)] }, 600);
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([false, true]);
  expect(trace.at(-1)!.gridW).toBeCloseTo(-150, -1);
});

test("A heat pump that was started runs for its minimum time through a cloud", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS < 200 ? 4_000 : 0), cars: [load(HEAT_PUMP)] }, 3_600);
  const onS = startsOf(trace)[0]!;
  const offS = trace.find(({ atS, cars }) => atS > onS && !cars[0]!.isOn)!.atS;
  expect(offS - onS).toBeGreaterThanOrEqual(1_200);
  expect(offS - onS).toBeLessThan(1_230);
});

test("The operator's limit ends the minimum time at once", () => {
  const limits = (atS: number) => (atS < 300 ? [] : [makeLimit({ watts: 1_000 })]);
  const { trace } = runHouse({ sunW: (atS) => (atS < 200 ? 4_000 : 0), limits, cars: [load(HEAT_PUMP)] }, 600);
  expect(trace[290]!.cars[0]!.isOn).toBe(true);
  expect(trace[330]!.cars[0]!.isOn).toBe(false);
  expect(reasonsOf(trace, "charger-1", 300)).toContain("grid-operator operator");
});

test("Clouds over a day start a heat pump at most eight times, with its rest between", () => {
  const sunW = (atS: number) => (Math.floor(atS / 1_500) % 2 === 0 ? 4_000 : 0);
  const { trace } = runHouse({ sunW, cars: [load(HEAT_PUMP)] }, 12 * 3_600);
  const starts = startsOf(trace);
  expect(starts.length).toBe(8);
  const stops = trace
    .filter(({ cars }, i) => i > 0 && !cars[0]!.isOn && trace[i - 1]!.cars[0]!.isOn)
    .map(({ atS }) => atS);
  expect(starts.slice(1).every((atS, i) => atS - stops[i]! >= 600)).toBe(true);
});

test("Priority decides who of a car and a heat pump gets the sun first", () => {
  const first = { view: { priority: 1 } };
  const second = { ask: surplus, view: { priority: 2 } };
  const { trace } = runHouse({ sunW: () => 5_000, cars: [load(HEAT_PUMP, first), second] }, 900);
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([true, false]);
  const behind = runHouse(
    { sunW: () => 5_000, cars: [load(HEAT_PUMP, { view: { priority: 2 } }), { ask: surplus, view: { priority: 1 } }] },
    900,
  );
  expect(behind.trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([false, true]);
});

test("The car takes what a boiler leaves, and all of it once the boiler's thermostat has opened", () => {
  // From minute 15 on the boiler is on and draws nothing.
  const boiler = load(ROD, { view: { phases: ["L1"], priority: 1 }, isConnected: () => true });
  const spec = (carMaxA: number) => ({
    sunW: () => 7_000,
    cars: [
      { ...boiler, carMaxA },
      { ask: surplus, view: { priority: 2 } },
    ],
  });
  const hot = runHouse(spec(0), 1_200).trace.at(-1)!;
  const cold = runHouse(spec(5), 1_200).trace.at(-1)!;
  expect(cold.cars[1]!.amps).toBe(8);
  expect(hot.cars[1]!.amps).toBe(10);
  expect(hot.alarms).toEqual([]);
});

test("A load that takes more than it is said to is counted with what it takes, and is no fault", () => {
  const rod = load(ROD, { ...onePhase, carMaxA: 8 });
  const { trace } = runHouse({ sunW: () => 3_000, cars: [{ ...rod, view: { ...rod.view, offeredA: 8 } }] }, 900);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([]);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(true);
});

test("A load is switched off for the fuse of its phase, and comes back after its rest", () => {
  const house = (atS: number): PerPhase<number> => (atS > 300 && atS < 360 ? [24, 0, 0] : [1, 0, 0]);
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 25 }) },
      load: house,
      cars: [load(ROD, { ...onePhase, ask: () => inMode("FAST") })],
    },
    900,
  );
  expect(trace[340]!.cars[0]!.isOn).toBe(false);
  expect(longestOverload(trace, 25).above13).toBeLessThan(20);
  const backS = startsOf(trace)[1]!;
  expect(backS).toBeGreaterThanOrEqual(600);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(true);
});

test("What heat pumps draw by themselves is taken off what § 14a leaves to the chargers", () => {
  const limits = [makeLimit({ scope: "controllable", watts: 7_560 })];
  const amps = (heatPumpsW: number) =>
    runHouse({ snapshot: { limits, heatPumpsW }, cars: [{ ask: () => inMode("FAST") }] }, 300).trace.at(-1)!.cars[0]!
      .amps;
  expect(amps(0)).toBe(10);
  expect(amps(2_500)).toBe(7);
});

test("A switched charger whose car was seen on one phase needs the whole power for its next start", () => {
  const sunW = (atS: number) => (atS < 300 ? 4_500 : atS < 1_500 ? 0 : 2_000);
  const car: CarSpec = load({ ...ROD, powerW: 3_680 }, { carPhases: ["L1"], carMaxA: 16 });
  const { trace } = runHouse({ sunW, cars: [car] }, 3_000);
  expect(startsOf(trace)).toHaveLength(1);
  expect(Math.max(...trace.slice(1_600).map(({ gridW }) => gridW))).toBeLessThan(100);
});

test("A switched charger whose car was seen on one phase starts only with room for all its current", () => {
  const sunW = (atS: number) => (atS < 300 ? 4_500 : atS < 1_500 ? 0 : 12_000);
  const car: CarSpec = load({ ...ROD, powerW: 3_680 }, { carPhases: ["L1"], carMaxA: 16 });
  const loadOf = (atS: number): PerPhase<number> => (atS < 1_500 ? [0, 0, 0] : [30, 0, 0]);
  const site = makeSite({ fuseA: 25 });
  const { trace } = runHouse({ snapshot: { site }, sunW, load: loadOf, cars: [car] }, 3_000);
  expect(startsOf(trace)).toHaveLength(1);
});

test("A heat pump that gets as warm as it may be while the meter is silent is not asked for more any longer", () => {
  const ask = (atS: number) => ({ ...inMode("PLANNED"), isWarm: atS >= 600 });
  const meter = (truth: MeterView, atS: number) => (atS < 300 ? truth : null);
  const { trace } = runHouse({ sunW: () => 4_000, meter, cars: [load(HEAT_PUMP, { ask })] }, 3_600);
  expect(trace[590]!.cars[0]!.isOn).toBe(true);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
  expect(trace.at(-1)!.decisions[0]?.reason.code).toBe("warm-enough");
});

test("A load that cannot be switched on now leaves the sun to the next one", () => {
  const stuck = load(HEAT_PUMP, { view: { canSwitch: false } });
  const { trace } = runHouse({ sunW: () => 3_500, cars: [stuck, { ask: surplus, ...onePhase }] }, 600);
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([false, true]);
  expect(trace.at(-1)!.cars[1]!.amps).toBeGreaterThan(12);
});

test("A load that has had its starts of the day leaves the sun to the next one", () => {
  const sunW = (atS: number) => (atS < 300 || atS >= 1_800 ? 3_500 : 0);
  const once = load({ ...HEAT_PUMP, startsPerDay: 1 });
  const car: CarSpec = { ask: surplus, view: { phases: ["L1"] } };
  const { trace } = runHouse({ sunW, cars: [once, car] }, 2_400);
  expect(startsOf(trace)).toHaveLength(1);
  expect(trace[290]!.cars.map(({ isOn }) => isOn)).toEqual([true, false]);
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([false, true]);
  expect(trace.at(-1)!.cars[1]!.amps).toBe(15);
});
