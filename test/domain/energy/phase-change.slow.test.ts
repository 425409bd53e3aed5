import { expect, test } from "vitest";
import type { PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { type CarSpec, inMode, longestOverload, type Readout, reasonsOf, runHouse } from "./house-loop.ts";
import { makeLimit, makeSite } from "./makers.ts";

const surplus = () => inMode("SURPLUS");
const SWITCHABLE: CarSpec = { ask: surplus, phaseSwitch: { startsAt: 3 } };
const V = 230;

function last(trace: readonly Readout[]): Readout["cars"][number] {
  return trace.at(-1)!.cars[0]!;
}

function changesAt(trace: readonly Readout[]): readonly number[] {
  return trace
    .filter(({ cars }, i) => i > 0 && cars[0]!.phaseChanges > trace[i - 1]!.cars[0]!.phaseChanges)
    .map(({ atS }) => atS);
}

test("Surplus below the least power of three phases charges on one, from 1.4 kW on", () => {
  const { trace, starts } = runHouse({ sunW: () => 1_600, cars: [SWITCHABLE] }, 900);
  expect(last(trace)).toMatchObject({ isOn: true, phases: 1, amps: 6, phaseChanges: 1, changesUnderLoad: 0 });
  expect(starts).toEqual([1]);
  expect(Math.max(...trace.map(({ gridW }) => gridW))).toBeLessThanOrEqual(0);
});

test("A steady surplus between one phase and three stays on one phase with its highest current", () => {
  const { trace, starts } = runHouse({ sunW: () => 3_900, cars: [SWITCHABLE] }, 3_600);
  expect(last(trace)).toMatchObject({ phases: 1, amps: 16, phaseChanges: 1 });
  expect(starts).toEqual([1]);
});

test("More sun for minutes takes the car to three phases with one stop, and never under load", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS < 900 ? 2_500 : 9_000), cars: [SWITCHABLE] }, 2_400);
  expect(last(trace)).toMatchObject({ phases: 3, amps: 13, phaseChanges: 2, changesUnderLoad: 0 });
  const [toOne, toThree] = changesAt(trace);
  expect(toOne).toBeLessThan(120);
  // Five minutes of enough surplus, and the stop.
  expect(toThree! - 900).toBeGreaterThanOrEqual(300);
  expect(toThree! - 900).toBeLessThan(360);
  const startedS = trace.find(({ atS, cars }) => atS > toThree! && cars[0]!.amps > 0)!.atS;
  expect(startedS - toThree!).toBeGreaterThanOrEqual(90);
  expect(startedS - toThree!).toBeLessThan(130);
  expect(reasonsOf(trace, "charger-1", 1_150).slice(0, 3)).toEqual(["surplus", "switches-phases", "surplus"]);
});

test("Less sun takes a car on three phases to one after 180 s, and not off", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS < 1_200 ? 7_000 : 2_500), cars: [SWITCHABLE] }, 2_400);
  expect(trace[1_190]!.cars[0]).toMatchObject({ phases: 3, amps: 10 });
  const [toOne] = changesAt(trace);
  expect(toOne! - 1_200).toBeGreaterThanOrEqual(180);
  expect(toOne! - 1_200).toBeLessThan(230);
  expect(last(trace)).toMatchObject({ phases: 1, amps: 10, isOn: true, changesUnderLoad: 0 });
});

test("Sun that comes and goes every six minutes changes the phases at most three times an hour", () => {
  const sunW = (atS: number) => (Math.floor(atS / 360) % 2 === 0 ? 2_500 : 9_000);
  const { trace, starts } = runHouse({ sunW, cars: [SWITCHABLE] }, 4 * 3_600);
  const changes = changesAt(trace);
  for (const atS of changes) expect(changes.filter((each) => each >= atS && each < atS + 3_600).length).toBeLessThan(4);
  expect(changes.every((atS, i) => i === 0 || atS - changes[i - 1]! >= 600)).toBe(true);
  expect(last(trace).changesUnderLoad).toBe(0);
  expect(starts[0]).toBeLessThanOrEqual(changes.length + 16);
});

test("A day of clouds changes the phases at most twelve times", () => {
  const sunW = (atS: number) => (Math.floor(atS / 1_200) % 2 === 0 ? 2_500 : 9_000);
  const { trace } = runHouse({ sunW, cars: [SWITCHABLE] }, 12 * 3_600);
  expect(last(trace).phaseChanges).toBe(12);
  expect(last(trace).changesUnderLoad).toBe(0);
});

test("The minimum with surplus runs on one phase without sun, and so takes 1.4 kW from the grid", () => {
  const { trace } = runHouse({ cars: [{ ...SWITCHABLE, ask: () => inMode("MIN_SURPLUS") }] }, 1_200);
  expect(last(trace)).toMatchObject({ phases: 1, amps: 6 });
  expect(trace.at(-1)!.gridW).toBeCloseTo(6 * V, 0);
});

test("From surplus on one phase to fast charges on three at once", () => {
  const ask = (atS: number) => inMode(atS < 900 ? "SURPLUS" : "FAST");
  const { trace } = runHouse({ sunW: () => 2_500, cars: [{ ...SWITCHABLE, ask }] }, 1_200);
  expect(trace[890]!.cars[0]).toMatchObject({ phases: 1, amps: 10 });
  expect(last(trace)).toMatchObject({ phases: 3, amps: 16, changesUnderLoad: 0 });
  const on3 = trace.find(({ atS, cars }) => atS > 900 && cars[0]!.phases === 3 && cars[0]!.amps > 0)!.atS;
  expect(on3 - 900).toBeLessThan(150);
});

test("From fast on three phases to surplus the car is lowered at once, and goes to one phase", () => {
  const ask = (atS: number) => inMode(atS < 100 ? "FAST" : "SURPLUS");
  const { trace } = runHouse({ sunW: () => 2_000, cars: [{ ...SWITCHABLE, ask, startsOnA: 16 }] }, 900);
  expect(trace[115]!.cars[0]!.offeredA).toBe(6);
  expect(last(trace)).toMatchObject({ phases: 1, amps: 8, changesUnderLoad: 0 });
});

test("Two changes of the phases are five minutes apart where a person waits, and ten where nobody does", () => {
  const ask = (atS: number) => inMode(atS < 150 || atS >= 500 ? "SURPLUS" : "FAST");
  const { trace } = runHouse({ sunW: () => 2_500, cars: [{ ...SWITCHABLE, ask }] }, 1_500);
  const [toOne = 0, toThree = 0, back = 0, ...more] = changesAt(trace);
  // The mode FAST is set before, and its charging on one phase does not wait.
  expect(toOne).toBeLessThan(150);
  expect(trace.slice(200, toOne + 290).some(({ cars }) => cars[0]!.amps >= 6)).toBe(true);
  expect(toThree - toOne).toBeGreaterThanOrEqual(300);
  expect(toThree - toOne).toBeLessThan(345);
  expect(back - toThree).toBeGreaterThanOrEqual(600);
  expect(back - toThree).toBeLessThan(660);
  expect(more).toEqual([]);
});

test("A plan with little power charges on one phase, and one with much on three", () => {
  const ask = (atS: number) => inMode("PLANNED", atS < 1_200 ? 2_300 : 8_000);
  const { trace } = runHouse({ cars: [{ ...SWITCHABLE, ask }] }, 2_400);
  expect(trace[1_190]!.cars[0]).toMatchObject({ phases: 1, amps: 10 });
  expect(last(trace)).toMatchObject({ phases: 3, amps: 11 });
});

test("On one phase the guard trims the charger for its own phase only, and before and after the change for all", () => {
  const site = makeSite({ fuseA: 25 });
  const ask = (atS: number) => inMode(atS < 900 ? "SURPLUS" : "FAST");
  // L3 is nearly full; the charger's first phase is L2.
  const load = (): PerPhase<number> => [1, 1, 17];
  const view = { phases: ["L2", "L3", "L1"] } as const;
  const { trace } = runHouse(
    { snapshot: { site }, load, sunW: () => 7_500, cars: [{ ...SWITCHABLE, view, ask }] },
    1_800,
  );
  const single = trace[890]!;
  expect(single.cars[0]!.phases).toBe(1);
  expect(single.phaseA[1]).toBeGreaterThan(single.phaseA[0]);
  expect(single.cars[0]!.amps).toBeGreaterThanOrEqual(13);
  expect(longestOverload(trace, 25)).toEqual({ above: 0, above13: 0, above45: 0 });
  expect(last(trace).phases).toBe(3);
});

test("A change to three phases waits off until the limits have room for three", () => {
  const site = makeSite({ fuseA: 25 });
  const ask = (atS: number) => inMode(atS < 900 ? "SURPLUS" : "FAST");
  const load = (): PerPhase<number> => [1, 21, 1];
  const { trace } = runHouse({ snapshot: { site }, load, sunW: () => 8_000, cars: [{ ...SWITCHABLE, ask }] }, 1_300);
  expect(longestOverload(trace, 25)).toEqual({ above: 0, above13: 0, above45: 0 });
  expect(trace.slice(1_100).every(({ phaseA }) => phaseA[1] <= 25)).toBe(true);
});

test("A limit of 4.2 kW for controllable devices counts the one phase that is used", () => {
  const limits = [makeLimit({ scope: "controllable", watts: 3_000 })];
  const { trace } = runHouse(
    { snapshot: { limits }, cars: [{ ask: () => inMode("MIN_SURPLUS"), phaseSwitch: { startsAt: 1 } }] },
    300,
  );
  expect(last(trace)).toMatchObject({ phases: 1, amps: 6, isOn: true });
});

test("A car with one phase is never taken to three, because it gains nothing", () => {
  const { trace } = runHouse(
    { sunW: (atS) => (atS < 600 ? 5_000 : 9_000), cars: [{ ...SWITCHABLE, carPhases: ["L1"] }] },
    3_600,
  );
  expect(last(trace)).toMatchObject({ phases: 1, amps: 16 });
  expect(last(trace).phaseChanges).toBe(0);
});

test("A charger that does not switch is tried twice, and charges on with the phases that it has", () => {
  const car: CarSpec = { ask: surplus, phaseSwitch: { startsAt: 3, follows: false } };
  const { trace } = runHouse({ sunW: (atS) => (atS < 1_800 ? 2_500 : 7_000), cars: [car] }, 3_600);
  const commands = trace.flatMap(({ decisions }) =>
    decisions.filter((each) => each.kind === "charger" && each.phases === 1),
  );
  expect(commands).toHaveLength(2);
  expect(last(trace)).toMatchObject({ phases: 3, amps: 10 });
});

test("A charger that says one phase and draws on three is counted by what is measured", () => {
  const car: CarSpec = { ask: () => inMode("FAST"), phaseSwitch: { startsAt: 3, says: 1, follows: false } };
  const load = (): PerPhase<number> => [2, 2, 15];
  const { trace } = runHouse({ snapshot: { site: makeSite({ fuseA: 25 }) }, load, cars: [car] }, 600);
  expect(last(trace).amps).toBe(9);
  expect(longestOverload(trace, 25).above13).toBeLessThan(20);
  expect(trace.slice(100).every(({ phaseA }) => phaseA[2] <= 25)).toBe(true);
});

test("A meter that falls silent begins no change, and one that stops for it goes on as it was", () => {
  const { trace } = runHouse(
    { sunW: () => 2_500, meter: (truth, atS) => (atS > 30 ? null : truth), cars: [SWITCHABLE] },
    600,
  );
  expect(last(trace).phaseChanges).toBe(0);
});

test("A car that must have three phases is switched once before it charges, and never for the sun", () => {
  const sunW = (atS: number) => (atS < 1_800 ? 7_000 : 2_500);
  const car: CarSpec = {
    ...{ ask: surplus, onlyPhases: () => 3, phaseSwitch: { startsAt: 1 } },
    isPlugged: (atS) => atS > 60,
  };
  const { trace } = runHouse({ sunW, cars: [car] }, 5_400);
  const [toThree, ...others] = changesAt(trace);
  expect(others).toEqual([]);
  expect(toThree! - 60).toBeLessThan(60);
  expect(trace.findIndex(({ cars }) => cars[0]!.amps > 0)).toBeGreaterThan(toThree!);
  expect(trace[1_700]!.cars[0]).toMatchObject({ phases: 3, amps: 10 });
  expect(last(trace)).toMatchObject({ phases: 3, amps: 0, isOn: false, changesUnderLoad: 0 });
});

test("A car that must have one phase keeps it in mode FAST", () => {
  const fast: CarSpec = { ask: () => inMode("FAST"), onlyPhases: () => 1, phaseSwitch: { startsAt: 1 } };
  const { trace } = runHouse({ sunW: () => 0, cars: [fast] }, 900);
  expect(last(trace)).toMatchObject({ phases: 1, amps: 16, phaseChanges: 0 });
});

test("A number of phases that is set after the car has charged waits for the next car, also over a pause", () => {
  const sunW = (atS: number) => (atS < 900 ? 2_500 : atS < 2_400 ? 0 : 9_000);
  const car: CarSpec = {
    ...{ ask: surplus, phaseSwitch: { startsAt: 1 } },
    onlyPhases: (atS) => (atS < 600 ? null : 3),
    isPlugged: (atS) => atS > 60 && (atS < 4_200 || atS > 4_300),
  };
  const { trace } = runHouse({ sunW, cars: [car] }, 5_400);
  expect(trace[890]!.cars[0]).toMatchObject({ phases: 1, amps: 10 });
  expect(trace[2_300]!.cars[0]).toMatchObject({ isOn: false });
  expect(trace[4_100]!.cars[0]).toMatchObject({ phases: 1, amps: 16, phaseChanges: 0 });
  expect(last(trace)).toMatchObject({ phases: 3, amps: 13, phaseChanges: 1, changesUnderLoad: 0 });
});

test("Where its owner has set a least current from surplus, three phases wait until the sun carries that on three", () => {
  const surplusRule = { minA: 10, startExportW: null, stopImportW: null, delayMs: null };
  const car: CarSpec = { ask: () => inMode("SURPLUS"), phaseSwitch: { startsAt: 1 }, view: { surplusRule } };
  const { trace } = runHouse({ sunW: () => 5_000, cars: [car] }, 3_600);
  expect(trace.at(-1)!.cars[0]).toMatchObject({ isOn: true, phases: 1 });
  expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThan(10);
});
