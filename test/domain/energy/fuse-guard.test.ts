import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { Circuit, PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { type CarSpec, inMode, longestOverload, reasonsOf, runHouse } from "./house-loop.ts";
import { makeCharger, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const LEAF: Circuit = {
  id: "garage",
  name: "Garage",
  parentId: null,
  fuseA: 32,
  maxKw: null,
  meterId: null,
  memberIds: ["charger-1", "charger-2", "charger-3", "charger-4"],
};

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

test("A kettle on a full phase trims the car within 15 s and does not stop it", () => {
  const { trace } = runHouse({ load: (atS) => [atS >= 60 ? 17 : 8, 5, 5], cars: [{ startsOnA: 16 }] }, 200);
  expect(longestOverload(trace, 25)).toMatchObject({ above: expect.toSatisfy((s: number) => s <= 15), above45: 0 });
  expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThanOrEqual(6);
  expect(reasonsOf(trace, "charger-1", 62)).toEqual(["fuse L1"]);
});

test("An oven that leaves less than the least current stops the car, which starts only after the minimum off time", () => {
  const { trace, starts } = runHouse(
    { load: (atS) => (atS >= 60 && atS < 240 ? flat(21) : flat(8)), cars: [{ startsOnA: 6 }] },
    700,
  );
  expect(longestOverload(trace, 25).above).toBeLessThan(60);
  const offS = trace.find(({ cars }) => !cars[0]!.isOn)!.atS;
  const onS = trace.find(({ atS, cars }) => atS > offS && cars[0]!.isOn)!.atS;
  expect(onS - offS).toBeGreaterThanOrEqual(300);
  expect(starts).toEqual([1]);
});

test("A stopped car stays off while one of its phases has less than 6 A free", () => {
  const { trace, starts } = runHouse(
    { load: (atS) => (atS < 60 ? flat(8) : atS < 240 ? flat(21) : [8, 8, 19]), cars: [{ startsOnA: 6 }] },
    900,
  );
  expect(starts).toEqual([0]);
  expect(reasonsOf(trace, "charger-1", 700)).toEqual(["fuse L3"]);
});

test("A car on L1 is left alone while the house overloads L3", () => {
  const { trace } = runHouse(
    { load: (atS) => [3, 3, atS >= 60 ? 28 : 3], cars: [{ startsOnA: 16, carPhases: ["L1"] }] },
    300,
  );
  expect(trace.slice(40).every(({ cars }) => cars[0]!.offeredA === 16 && cars[0]!.amps === 16)).toBe(true);
});

test("Currents without a sign get that of the power: an export of 6 kW does not block a start", () => {
  const grid = makeMeter({ powerW: -6_000, currentA: [8.7, 8.7, 8.7] });
  const site = makeSite({ fuseA: 10 });
  const { decisions } = controlCycle(makeSnapshot({ site, grid, chargers: [makeCharger()] }), EMPTY_MEMORY);
  expect(decisions[0]).toMatchObject({ isOn: true, currentA: 16 });
});

test("A phase current that is no number keeps the car where it is, though the power is valid", () => {
  const { trace } = runHouse(
    {
      load: (atS) => (atS < 60 ? flat(12) : flat(4)),
      cars: [{ startsOnA: 16 }],
      meter: (truth, atS) => (atS < 50 ? truth : { ...truth, currentA: [Number.NaN, Number.NaN, Number.NaN] }),
    },
    400,
  );
  const before = trace[49]!.cars[0]!.offeredA;
  expect(before).toBe(12);
  expect(trace.slice(50).every(({ cars }) => cars[0]!.offeredA <= before)).toBe(true);
});

test("Three cars share a group of 32 A, each with 6 A or more", () => {
  const site = makeSite({ fuseA: 63, circuits: [LEAF] });
  const { trace } = runHouse({ snapshot: { site }, cars: [{}, {}, {}] }, 300);
  const amps = trace.at(-1)!.cars.map((car) => car.amps);
  expect(Math.min(...amps)).toBeGreaterThanOrEqual(6);
  expect(amps.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(32);
  expect(amps[0]).toBe(16);
});

test("Running cars are trimmed so that a third one can start, and the fourth waits with the circuit as its reason", () => {
  const site = makeSite({ fuseA: 63, circuits: [{ ...LEAF, fuseA: 20 }] });
  const plugsIn = { isPlugged: (atS: number) => atS > 120 };
  const { trace, starts } = runHouse({ snapshot: { site }, cars: [{}, {}, plugsIn, plugsIn] }, 600);
  expect(trace.at(-1)!.cars.map((car) => car.amps)).toEqual([7, 6, 6, 0]);
  expect(starts).toEqual([1, 1, 1, 0]);
  expect(reasonsOf(trace, "charger-4", 150)).toEqual(["circuit garage"]);
});

test("A car that ignores its limit is counted as load, others are trimmed, and it is switched off and named", () => {
  const { trace } = runHouse(
    {
      load: (atS) => (atS >= 60 ? flat(10) : flat(1)),
      snapshot: { site: makeSite({ fuseA: 32 }) },
      cars: [{ startsOnA: 10 }, { startsOnA: 16, followsLimit: () => false }],
    },
    300,
  );
  expect(longestOverload(trace, 32)).toMatchObject({ above: expect.toSatisfy((s: number) => s < 60), above45: 0 });
  expect(longestOverload(trace, 32).above13).toBeLessThan(20);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "ignores-limit", subject: "charger-2" }]);
  expect(trace.at(-1)!.cars[1]!.isOn).toBe(false);
  expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThanOrEqual(10);
});

test("A car that exceeds its limit for less than 5 s is not reported", () => {
  const follows = (endS: number) => ({ startsOnA: 16, followsLimit: (atS: number) => atS < 150 || atS >= endS });
  const load = (atS: number): PerPhase<number> => (atS >= 60 ? flat(11) : flat(2));
  const short = runHouse({ load, cars: [follows(153)] }, 300).trace;
  expect(short.flatMap(({ alarms }) => alarms)).toEqual([]);
  expect(short.at(-1)!.cars[0]!.isOn).toBe(true);
  const long = runHouse({ load, cars: [follows(200)] }, 300).trace;
  expect(long.flatMap(({ alarms }) => alarms)).toEqual([{ code: "ignores-limit", subject: "charger-1" }]);
});

test("A car that draws 16 A at 10 A is off before a fuse that it loads by a third has to trip", () => {
  const { trace } = runHouse(
    { load: (atS) => (atS >= 60 ? flat(16) : flat(2)), cars: [{ startsOnA: 16, followsLimit: () => false }] },
    200,
  );
  expect(longestOverload(trace, 25).above13).toBeLessThanOrEqual(20);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "ignores-limit", subject: "charger-1" }]);
});

test("A charger whose commands are lost is counted with what it draws, and the others are trimmed", () => {
  const { trace } = runHouse(
    {
      load: (atS) => (atS >= 60 ? flat(8) : flat(1)),
      snapshot: { site: makeSite({ fuseA: 32 }) },
      cars: [{ startsOnA: 12 }, { startsOnA: 16, isConnected: () => false }],
    },
    400,
  );
  expect(longestOverload(trace, 32)).toMatchObject({ above: expect.toSatisfy((s: number) => s < 60), above45: 0 });
  expect(longestOverload(trace, 32).above13).toBeLessThan(20);
  expect(trace.at(-1)!.cars.map((car) => car.amps)).toEqual([7, 16]);
});

const GARAGE_OF_TWO: Circuit = { ...LEAF, fuseA: 25, memberIds: ["charger-1", "charger-2"] };
const APP = () => ({ by: "device" }) as const;
const WIDE = { range: { minA: 6, maxA: 20, stepA: 1 }, latencyMs: 35_000 };

function garage(second: CarSpec, first: CarSpec = {}) {
  return runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, circuits: [GARAGE_OF_TWO] }) },
      cars: [
        { ask: (atS) => inMode(atS < 120 ? "OFF" : "FAST"), ...first },
        { ask: APP, startsOnA: 20, latencyS: 35, ...second, view: { ...WIDE, ...second.view } },
      ],
    },
    600,
  ).trace;
}

test("A car that waits for another to be trimmed starts only when the other is seen to draw less", () => {
  const trace = garage({});
  const trimmedS = trace.find(({ atS, cars }) => atS > 120 && cars[1]!.amps < 20)!.atS;
  expect(trace.find(({ cars }) => cars[0]!.isOn)!.atS).toBeGreaterThanOrEqual(trimmedS);
  expect(trace.every(({ cars }) => cars[0]!.amps + cars[1]!.amps <= 25)).toBe(true);
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([16, 8]);
});

test("A car never starts beside a charger that loses its commands, where its fuse has no room for both", () => {
  const trace = garage({ isConnected: () => false });
  expect(trace.every(({ cars }) => cars[0]!.amps + cars[1]!.amps <= 25)).toBe(true);
  expect(reasonsOf(trace, "charger-1", 300)).toEqual(["circuit garage"]);
});

test.each([8, 35])(
  "A charger that takes %i s and loses the command to give up 1 A is load, and the other is stopped before the fuse trips",
  (latencyS) => {
    const { trace } = runHouse(
      {
        load: (atS) => flat(atS < 200 ? 0 : 1.1),
        cars: [
          { startsOnA: 6, view: { range: { minA: 6, maxA: 6, stepA: 1 } } },
          {
            ask: APP,
            startsOnA: 18,
            isConnected: () => false,
            latencyS,
            view: { ...WIDE, latencyMs: 1_000 * latencyS },
          },
        ],
      },
      400,
    );
    expect(trace[190]!.phaseA[0]).toBe(24);
    expect(longestOverload(trace, 25)).toMatchObject({ above: expect.toSatisfy((s: number) => s > 0 && s <= 60) });
    expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([0, 18]);
    expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "ignores-limit", subject: "charger-2" }]);
  },
);

/** Beside a car that others started, a slow heater of 14 A, which is lowered first. */
function slowHeater(loadA: number, heater: CarSpec) {
  return runHouse(
    {
      load: (atS) => [atS < 60 ? -2 : loadA, 1, 1],
      cars: [
        { ask: APP, startsOnA: 12, latencyS: 5, view: { latencyMs: 5_000 } },
        {
          ask: APP,
          startsOnA: 14,
          latencyS: 37,
          ...heater,
          view: { phases: ["L1"], isHeater: true, range: { minA: 0.5, maxA: 14, stepA: 0.1 }, latencyMs: 37_000 },
        },
      ],
    },
    300,
  ).trace;
}

test.each([
  ["5 %", 0.3],
  ["20 %", 4],
])(
  "A slow heater that loses its commands while the fuse is %s over is not waited for: the car is lowered in time",
  (_over, loadA) => {
    const trace = slowHeater(loadA, { isConnected: () => false });
    expect(longestOverload(trace, 25)).toMatchObject({ above: expect.toSatisfy((s: number) => s > 0 && s < 60) });
    expect(longestOverload(trace, 25).above13).toBeLessThan(20);
    expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThanOrEqual(6);
  },
);

test("A slow heater is waited for as long as the fuse bears it, and the car keeps its current", () => {
  const trace = slowHeater(0.3, {});
  expect(longestOverload(trace, 25)).toMatchObject({ above: expect.toSatisfy((s: number) => s > 0 && s < 60) });
  expect(trace.every(({ cars }) => cars[0]!.amps === 12)).toBe(true);
});

test("A circuit inside another is kept as well as the main fuse", () => {
  const circuits = [
    { ...LEAF, id: "house", fuseA: 20, memberIds: [] },
    { ...LEAF, parentId: "house", fuseA: 16, memberIds: ["charger-1"] },
  ];
  const site = makeSite({ circuits });
  const { trace } = runHouse({ snapshot: { site }, load: () => flat(4), cars: [{}, {}] }, 200);
  const [inner, outer] = trace.at(-1)!.cars;
  expect(inner!.amps).toBeLessThanOrEqual(16 * 0.97);
  expect(inner!.amps + outer!.amps + 4).toBeLessThanOrEqual(25);
});

test("A circuit without a meter counts what the meter of a circuit below it measures", () => {
  const circuits = [
    { ...LEAF, id: "house", fuseA: 20, memberIds: ["charger-1"] },
    { ...LEAF, id: "kitchen", parentId: "house", fuseA: null, meterId: "sub", memberIds: [] },
  ];
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, circuits }) },
      load: () => flat(9),
      cars: [{}],
      circuits: ({ atS }) => new Map([["kitchen", makeMeter({ currentA: [9, 9, 9], measuredAtMs: atS * 1_000 })]]),
    },
    60,
  );
  expect(trace.at(-1)!.cars[0]!.amps).toBe(10);
});

test("A silent circuit meter counts the battery on it with its rated power", () => {
  const circuits = [{ ...LEAF, meterId: "sub", memberIds: ["charger-1", "battery"] }];
  const site = makeSite({ fuseA: 63, circuits: circuits.map((circuit) => ({ ...circuit, fuseA: 16 })) });
  const { trace } = runHouse({ snapshot: { site }, battery: { view: { maxChargeW: 5_000 } }, cars: [{}] }, 100);
  // 5 kW on three phases are 7.2 A.
  expect(trace.at(-1)!.cars[0]!.offeredA).toBe(8);
});

test.each([
  [4_600, 20],
  [3_700, 16],
])("A single-phase car of 32 A stays below an unbalance of %i VA", (unbalanceVa, amps) => {
  const site = makeSite({ fuseA: 63, unbalanceVa });
  const view = { phases: ["L2"] as const, range: { minA: 6, maxA: 32, stepA: 1 } };
  const { trace } = runHouse({ snapshot: { site }, cars: [{ view }] }, 100);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(amps);
  expect(reasonsOf(trace, "charger-1")).toEqual(["unbalance L2"]);
});

test("A battery that its own management charges with 5 kW trims the car and causes no commands in circles", () => {
  const { trace } = runHouse(
    {
      load: () => flat(4),
      battery: { forcedW: (atS) => (atS >= 60 && atS < 400 ? 5_000 : null), view: { modes: ["SELF_RELIANCE"] } },
      cars: [{ startsOnA: 16 }],
    },
    600,
  );
  expect(longestOverload(trace, 25).above).toBeLessThanOrEqual(15);
  expect(trace[300]!.cars[0]!.amps).toBe(13);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([]);
});

test("A current that the maker's app set is lowered by the guard and given back when there is room", () => {
  const ask = () => ({ by: "device" }) as const;
  const { trace } = runHouse(
    { load: (atS) => (atS >= 60 && atS < 200 ? flat(15) : flat(5)), cars: [{ startsOnA: 14, ask }] },
    400,
  );
  expect(trace[150]!.cars[0]!.offeredA).toBe(9);
  expect(trace.at(-1)!.cars[0]!.offeredA).toBe(14);
  expect(reasonsOf(trace, "charger-1", 350)).toEqual(["nothing-to-do"]);
});

test("A fuse lowers a charger that takes tenths of an ampere at once, and by no less than one that takes whole ones", () => {
  const offered = (stepA: number) => {
    const car = { startsOnA: 15.7, view: { range: { minA: 6, maxA: 16, stepA } } };
    const { trace } = runHouse({ load: (atS) => [atS >= 60 ? 12.4 : 8, 5, 5], cars: [car] }, 120);
    expect(longestOverload(trace, 25).above).toBeLessThanOrEqual(15);
    return trace.at(-1)!.cars[0]!.offeredA;
  };
  expect([offered(1), offered(0.1)]).toEqual([11, 11]);
});

test("The guard never switches a charger on or above what its maker's app set", () => {
  const ask = () => ({ by: "device" }) as const;
  const { trace } = runHouse({ cars: [{ ask }, { ask, startsOnA: 8 }] }, 100);
  expect(trace.at(-1)!.cars.map(({ isOn, offeredA }) => [isOn, offeredA])).toEqual([
    [false, 6],
    [true, 8],
  ]);
});

test("A meter that stays silent lowers the car to 6 A and stops grid charging, with one alarm, until it returns", () => {
  const { trace } = runHouse(
    {
      load: () => flat(3),
      battery: { plannedMode: () => "IMPORT_FOCUS" },
      cars: [{ startsOnA: 10, view: { range: { minA: 6, maxA: 10, stepA: 1 } } }],
      meter: (truth, atS) => (atS >= 100 && atS < 300 ? null : truth),
    },
    500,
  );
  expect(trace[90]!.mode).toBe("IMPORT_FOCUS");
  expect(trace[160]).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(trace[160]!.cars[0]!.offeredA).toBe(6);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "meter-silent", subject: "grid" }]);
  expect(trace[420]).toMatchObject({ mode: "IMPORT_FOCUS" });
  expect(trace[420]!.cars[0]!.offeredA).toBe(10);
});

test("A meter that is known to be wired the wrong way round counts as silent and raises `meter-reversed`, until that is put right", () => {
  const { trace } = runHouse(
    {
      load: () => flat(3),
      battery: { plannedMode: () => "IMPORT_FOCUS" },
      cars: [{ startsOnA: 10, view: { range: { minA: 6, maxA: 10, stepA: 1 } } }, { ask: () => inMode("SURPLUS") }],
      meter: (truth, atS) =>
        atS >= 100 && atS < 300 ? { ...truth, powerW: -(truth.powerW ?? 0), isReversed: true } : truth,
    },
    500,
  );
  expect(trace[90]!.mode).toBe("IMPORT_FOCUS");
  const meanwhile = trace.slice(115, 300);
  expect(new Set(meanwhile.map(({ mode, cars }) => [mode, cars[0]!.offeredA, cars[1]!.isOn].join()))).toEqual(
    new Set(["IDLE,6,false"]),
  );
  expect(reasonsOf(meanwhile, "charger-1", 100)).toEqual(["meter-reversed"]);
  expect(trace.flatMap(({ alarms }) => alarms)).toEqual([{ code: "meter-reversed", subject: "grid" }]);
  expect(trace[420]).toMatchObject({ mode: "IMPORT_FOCUS" });
  expect(trace[420]!.cars[0]!.offeredA).toBe(10);
});

test("A silent meter stops the car if the usual load of the house leaves no 6 A", () => {
  const meter = (truth: ReturnType<typeof makeMeter>, atS: number) => (atS >= 100 ? null : truth);
  const { trace } = runHouse({ load: () => flat(19), cars: [{ startsOnA: 6 }], meter }, 200);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
  expect(reasonsOf(trace, "charger-1", 150)).toEqual(["meter-silent"]);
});

test("No car starts while the meter is silent", () => {
  const { trace } = runHouse({ meter: () => null, cars: [{}, { ask: () => inMode("SURPLUS") }] }, 200);
  expect(trace.every(({ cars }) => cars.every(({ isOn }) => !isOn))).toBe(true);
});
