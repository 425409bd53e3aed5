/** A grid meter that is read less often than the chargers: what it showed is compared with what they drew then. */
import { expect, test } from "vitest";
import type { Circuit, PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { inMode, longestOverload, runHouse } from "./house-loop.ts";
import { makeMeter, makeSite } from "./makers.ts";

const CAR = { latencyS: 2, view: { range: { minA: 6, maxA: 32, stepA: 1 } } };

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

function every(seconds: number) {
  return (truth: ReturnType<typeof makeMeter>, atS: number) => (atS % seconds === 0 ? truth : null);
}

test.each([5, 14])("A grid meter that is read each %i s raises no charger twice into the same room", (seconds) => {
  const load = (atS: number) => flat(atS < 100 ? 10 : 4);
  const { trace } = runHouse({ load, cars: [CAR, CAR], meter: every(seconds) }, 200);
  expect(longestOverload(trace, 25)).toEqual({ above: 0, above13: 0, above45: 0 });
  expect(trace[95]!.cars.map(({ amps }) => amps)).toEqual([8, 6]);
});

test("A grid meter that is read each 14 s lowers a charger once, and not until it is off", () => {
  const load = (atS: number) => flat(atS < 100 ? 2 : 12);
  const { trace } = runHouse({ load, cars: [CAR], meter: every(14) }, 180);
  expect(new Set(trace.slice(80).map(({ cars }) => cars[0]!.offeredA))).toEqual(new Set([22, 12]));
});

test("A circuit's meter that is read each second is compared with what chargers draw now", () => {
  const garage: Circuit = {
    id: "garage",
    name: "Garage",
    parentId: null,
    fuseA: 25,
    maxKw: null,
    meterId: "sub",
    memberIds: ["charger-1"],
  };
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, circuits: [garage] }) },
      cars: [CAR],
      meter: every(14),
      circuits: ({ atS, cars }) =>
        new Map([["garage", makeMeter({ currentA: flat(10 + cars[0]!.amps), measuredAtMs: atS * 1_000 })]]),
    },
    100,
  );
  expect(new Set(trace.slice(20).map(({ cars }) => cars[0]!.offeredA))).toEqual(new Set([14]));
});

const ENPHASE = { snapshot: { meterIntervalMs: 30_000 }, meter: every(30) };

test("Surplus charging runs with a grid meter that is read each half minute, which is not silent in between", () => {
  const surplus = { ...CAR, ask: () => inMode("SURPLUS") };
  const { trace } = runHouse({ ...ENPHASE, sunW: () => 7_000, load: () => flat(1), cars: [surplus] }, 1_200);
  expect(trace.every(({ alarms }) => alarms.length === 0)).toBe(true);
  expect(new Set(trace.slice(600).map(({ cars }) => cars[0]!.isOn))).toEqual(new Set([true]));
  for (const { gridW, sunW } of trace.slice(600)) expect(gridW).toBeLessThan(0.05 * sunW);
});

test("A fuse is kept with a meter that is read each half minute: what rises meanwhile is lowered with the next reading", () => {
  const load = (atS: number) => flat(atS >= 301 && atS < 500 ? 14 : 4);
  const { trace } = runHouse({ ...ENPHASE, load, cars: [CAR, CAR] }, 900);
  expect(trace.every(({ alarms }) => alarms.length === 0)).toBe(true);
  expect(longestOverload(trace, 25).above).toBeLessThan(45);
  expect(trace.at(-1)!.cars.reduce((sum, { amps }) => sum + amps, 0)).toBeGreaterThan(14);
});

test("A meter that is read each minute or less is too slow to guard a fuse: chargers keep their safe current, with one alarm", () => {
  const cars = [{ ...CAR, ask: () => inMode("FAST") }];
  const { trace } = runHouse({ snapshot: { meterIntervalMs: 60_000 }, meter: every(60), cars }, 900);
  expect(new Set(trace.slice(60).map(({ cars: [car] }) => car!.offeredA))).toEqual(new Set([6]));
  expect(trace.flatMap(({ alarms }) => alarms.map(({ code }) => code))).toEqual(["meter-silent"]);
  expect(trace[899]!.decisions).toMatchObject([{ reason: { code: "meter-silent" } }]);
});

test("Without limits a meter that is read each minute carries a plan, and one that is read each five minutes none", () => {
  const modes = (seconds: number) => {
    const { trace } = runHouse(
      {
        snapshot: { site: makeSite({ fuseA: null }), meterIntervalMs: seconds * 1_000 },
        meter: every(seconds),
        battery: { soc: 40, plannedMode: () => "IMPORT_FOCUS" },
      },
      1_200,
    );
    return new Set(trace.slice(100).map(({ mode }) => mode));
  };
  expect(modes(60)).toEqual(new Set(["IMPORT_FOCUS"]));
  expect(modes(300)).toEqual(new Set(["SELF_RELIANCE"]));
});

test("A feed-in limit is kept with a slow meter by what is generated, and not in turns", () => {
  const { trace } = runHouse(
    {
      ...ENPHASE,
      snapshot: { ...ENPHASE.snapshot, site: makeSite({ exportKw: 3 }) },
      sunW: () => 9_000,
      load: () => flat(5),
    },
    600,
  );
  expect(new Set(trace.slice(120).map(({ limitPct }) => limitPct))).toEqual(new Set([30]));
});

test("A meter that sends by itself each 20 s is known for that after some readings, and its outage is noticed", () => {
  const surplus = { ...CAR, ask: () => inMode("SURPLUS") };
  const meter = (truth: ReturnType<typeof makeMeter>, atS: number) => (atS < 1_500 && atS % 20 === 0 ? truth : null);
  const { trace } = runHouse({ meter, sunW: () => 7_000, load: () => flat(1), cars: [surplus] }, 1_600);
  const alarmsAtS = trace.flatMap(({ atS, alarms }) => alarms.map(({ code }) => [code, atS]));
  expect(alarmsAtS.filter(([, atS]) => Number(atS) > 80)).toEqual([["meter-silent", 1_540]]);
  expect(new Set(trace.slice(600, 1_500).map(({ cars }) => cars[0]!.isOn))).toEqual(new Set([true]));
});

test.each([300, 600])("A meter that sends by itself each %i s is silent all the time, and not by turns", (seconds) => {
  const { trace } = runHouse({ meter: every(seconds), cars: [{ ...CAR, ask: () => inMode("FAST") }] }, 3_600);
  const offers = trace.slice(3 * seconds + 60).map(({ cars }) => cars[0]!.offeredA);
  expect(new Set(offers)).toEqual(new Set([6]));
});

test("One long gap makes no slow meter of one that sends each second", () => {
  const meter = (truth: ReturnType<typeof makeMeter>, atS: number) => (atS < 100 || atS >= 400 ? truth : null);
  const { trace } = runHouse({ meter: (truth, atS) => (atS < 500 ? meter(truth, atS) : null) }, 600);
  const alarmsAtS = trace.flatMap(({ atS, alarms }) => alarms.map(() => atS));
  expect(alarmsAtS).toEqual([114, 514]);
});

test("A meter that sends by itself each half minute, give or take a second, is not silent now and then", () => {
  const gapsS = [30, 30, 31, 29, 30, 30, 31, 30, 31, 31, 29, 29, 30];
  const atS = new Set(Array.from({ length: 40 }, (_, i) => i * 30 + (gapsS[i % gapsS.length] ?? 30) - 30));
  const cars = [{ ...CAR, ask: () => inMode("FAST") }];
  const meter = (truth: ReturnType<typeof makeMeter>, nowS: number) => (atS.has(nowS) ? truth : null);
  const { trace } = runHouse({ meter, load: () => flat(4), cars }, 1_150);
  expect(trace.slice(130).flatMap(({ alarms }) => alarms)).toEqual([]);
});
