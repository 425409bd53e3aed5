import { expect, test } from "vitest";
import type { PerPhase, Phase } from "../../../src/domain/energy/site/site-connection.ts";
import { commandsOf, inMode, type Readout, reasonsOf, runHouse } from "./house-loop.ts";

const surplus = () => inMode("SURPLUS");
const AC = { ratedW: 8_000 };

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

function swing(trace: readonly Readout[], fromS: number): number {
  const watts = trace.filter(({ atS }) => atS >= fromS).map(({ cars }) => cars[0]!.watts);
  return Math.max(...watts) - Math.min(...watts);
}

test("Cloud edges between 8 and 2 kW every 40 s start the car at most six times an hour and import little", () => {
  const { trace, starts } = runHouse(
    {
      load: () => flat(0.5),
      sunW: (atS) => (Math.floor(atS / 40) % 2 === 0 ? 8_000 : 2_000),
      inverter: AC,
      cars: [{ ask: surplus, view: { phases: ["L1"] } }],
    },
    3_600,
  );
  expect(starts[0]).toBeGreaterThanOrEqual(1);
  expect(starts[0]).toBeLessThanOrEqual(6);
  const carWs = trace.reduce((sum, { cars }) => sum + cars[0]!.watts, 0);
  const importWs = trace.filter(({ cars }) => cars[0]!.isOn).reduce((sum, { gridW }) => sum + Math.max(0, gridW), 0);
  expect(importWs / carWs).toBeLessThan(0.1);
});

test("A charger behind a cloud with 25 s dead time settles on a step of the sun", () => {
  const { trace } = runHouse(
    { sunW: (atS) => (atS < 400 ? 5_000 : 9_000), cars: [{ ask: surplus, latencyS: 25 }] },
    1_200,
  );
  expect(swing(trace, 700)).toBeLessThan(1_500);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(13);
});

test("A charger with tenths of an ampere takes more of the sun than one with whole ones, for no more commands", () => {
  const hour = (stepA: number, phases: readonly Phase[]) => {
    const waves = (atS: number) =>
      0.5 + 0.25 * Math.sin(atS / 170) + 0.15 * Math.sin(atS / 31) + 0.1 * Math.sin(atS / 7);
    const view = { phases, range: { minA: 6, maxA: 16, stepA } };
    const sunW = (atS: number) => phases.length * (1_700 + 2_000 * waves(atS));
    const { trace } = runHouse({ sunW, inverter: { ratedW: 12_000 }, cars: [{ ask: surplus, view }] }, 3_600);
    const carWs = (from: (gridW: number, carW: number) => number): number =>
      trace.reduce((sum, { gridW, cars }) => sum + from(gridW, cars[0]!.watts), 0);
    const gridWs = carWs((gridW, carW) => Math.min(carW, Math.max(0, gridW)));
    return { commands: commandsOf(trace, "charger-1"), sunWs: carWs((_grid, carW) => carW) - gridWs, gridWs };
  };
  for (const phases of [["L1", "L2", "L3"], ["L2"]] as const) {
    const [whole, tenths] = [hour(1, phases), hour(0.1, phases)];
    expect(tenths.sunWs).toBeGreaterThan(1.01 * whole.sunWs);
    expect(tenths.gridWs).toBeLessThan(0.05 * tenths.sunWs);
    expect(tenths.commands).toBeLessThanOrEqual(1.1 * whole.commands);
  }
});

test("A charger whose readings are 10 s older than the grid's does not swing", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS < 400 ? 5_000 : 9_000), cars: [{ ask: surplus, lagS: 10 }] }, 1_200);
  expect(swing(trace, 700)).toBe(0);
  expect(Math.max(...trace.slice(400).map(({ gridW }) => gridW))).toBeLessThan(300);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(13);
});

test("A charger that is read seldom, as on a busy machine or over a cloud, rises with the sun all the same", () => {
  for (const readEveryS of [10, 25, 40, 55]) {
    const car = { ask: surplus, lagS: 3, readEveryS, view: { phases: ["L1"] as const } };
    const { trace } = runHouse({ sunW: (atS) => (atS < 400 ? 1_900 : 3_400), load: () => flat(0.5), cars: [car] }, 600);
    // Two steps, each after a reading with the sun.
    const due = trace[Math.min(599, 400 + 3 * readEveryS + 30)]!;
    expect(due.cars[0]!.offeredA, `read each ${readEveryS} s`).toBe(13);
    expect(swing(trace, 400 + 3 * readEveryS + 30), `read each ${readEveryS} s`).toBeLessThan(250);
  }
});

test("A car that is read every few minutes charges with the sun and not with its least current, and less at once when it goes", () => {
  for (const readEveryS of [90, 290]) {
    const car = { ask: surplus, lagS: 2, readEveryS, view: { phases: ["L1"] as const } };
    const sunW = (atS: number) => (atS < 1_500 ? 2_900 : 1_900);
    const { trace, starts } = runHouse({ sunW, load: () => flat(0.5), cars: [car] }, 2_100);
    expect(starts).toEqual([1]);
    expect(trace[1_499]!.cars[0]!.offeredA, `read each ${readEveryS} s`).toBe(11);
    expect(trace[1_530]!.gridW, `read each ${readEveryS} s`).toBeLessThan(150);
    expect(trace.at(-1)!.cars[0]!.offeredA, `read each ${readEveryS} s`).toBeLessThanOrEqual(7);
  }
});

test("A battery that also controls the grid to zero leaves the surplus to the car without swinging", () => {
  const battery = { soc: 60, view: { isAcCoupled: true } };
  const { trace } = runHouse({ sunW: () => 8_000, load: () => flat(1), battery, cars: [{ ask: surplus }] }, 1_200);
  expect(swing(trace, 300)).toBeLessThan(500);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(10);
});

test("A battery that makes room for a car before the car's own reading shows it does not make the car swing", () => {
  for (const lagS of [1, 2, 3]) {
    const battery = { soc: 60, view: { isAcCoupled: true } };
    const car = { ask: surplus, latencyS: 1, lagS, view: { phases: ["L1"] as const } };
    const { trace } = runHouse({ sunW: () => 4_000, load: () => flat(1), battery, cars: [car] }, 900);
    const amps = trace.map(({ cars }) => cars[0]!.amps);
    // Once it rises it is never lowered.
    expect(amps.every((now, second) => second === 0 || now >= amps[second - 1]!)).toBe(true);
    expect(amps.at(-1)).toBeGreaterThan(12);
  }
});

test("A battery that comes first fills up before the car gets anything but what is left", () => {
  const batteryUse = { holdWhileFast: true, priorityBelow: 80, supportAbove: 100 };
  const { trace } = runHouse(
    {
      snapshot: { batteryUse },
      sunW: () => 7_000,
      load: () => flat(1),
      battery: { soc: 79, view: { isAcCoupled: true } },
      cars: [{ ask: surplus }],
    },
    1_800,
  );
  expect(reasonsOf(trace.slice(0, 100), "charger-1", 60)).toEqual(["battery-first"]);
  const onS = trace.find(({ cars }) => cars[0]!.isOn)!;
  expect(onS.soc).toBeGreaterThan(82);
  expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThanOrEqual(8);
});

test("What a battery on the DC side takes beyond the inverter's rating is no surplus for the car", () => {
  const { trace } = runHouse(
    {
      sunW: () => 10_000,
      load: () => flat(1),
      battery: { soc: 60, isDcSide: true, forcedW: () => 2_000 },
      cars: [{ ask: surplus }],
    },
    900,
  );
  expect(swing(trace, 300)).toBe(0);
  // 10 kW without 690 W of the house and the 100 W that the battery's own controller needs to see.
  expect(trace.at(-1)!.cars[0]!.amps).toBe(13);
  expect(trace.at(-1)!.gridW).toBeLessThanOrEqual(0);
});

test.each([
  [true, 0],
  [false, 1],
])(
  "A battery behind an inverter at its rating (known: %s) leaves a car its charge only if that may not be the rating",
  (isRatedKnown, starts) => {
    const run = runHouse(
      {
        sunW: () => 6_000,
        inverter: { ratedW: 6_000, isRatedKnown },
        battery: { soc: 40, view: { isAcCoupled: false } },
        cars: [{ ask: surplus }],
      },
      600,
    );
    expect(run.starts).toEqual([starts]);
  },
);

test("A steady surplus just below the least power of three phases never starts the car", () => {
  const { starts, trace } = runHouse({ sunW: () => 3_900, cars: [{ ask: surplus }] }, 1_800);
  expect(starts).toEqual([0]);
  expect(commandsOf(trace, "charger-1")).toBe(0);
  expect(reasonsOf(trace, "charger-1", 60)).toEqual(["no-surplus"]);
});

test("A steady surplus gives one start and no more commands", () => {
  const { trace, starts } = runHouse({ sunW: () => 6_900, cars: [{ ask: surplus }] }, 1_800);
  expect(starts).toEqual([1]);
  expect(commandsOf(trace, "charger-1")).toBe(1);
});

test("Steps of the sun within a step of the charger do not move it", () => {
  const noise = (atS: number) => 6_000 + 150 * Math.sin(atS / 7);
  const { trace } = runHouse({ sunW: noise, cars: [{ ask: surplus }] }, 1_800);
  expect(commandsOf(trace, "charger-1", 120)).toBeLessThanOrEqual(2);
});

test("The car starts after 60 s of surplus and stops after 180 s without, but not before 10 min", () => {
  const { trace } = runHouse({ sunW: (atS) => (atS >= 100 && atS < 400 ? 6_000 : 0), cars: [{ ask: surplus }] }, 1_200);
  const onS = trace.find(({ cars }) => cars[0]!.isOn)!.atS;
  const offS = trace.find(({ atS, cars }) => atS > onS && !cars[0]!.isOn)!.atS;
  expect(onS).toBeGreaterThanOrEqual(160);
  expect(onS).toBeLessThan(200);
  expect(offS - onS).toBeGreaterThanOrEqual(600);
  expect(offS - onS).toBeLessThan(620);
  expect(trace.slice(450, offS - 10).every(({ cars }) => cars[0]!.offeredA === 6)).toBe(true);
});

test("A car that has run for long stops 180 s after the sun is gone and stays off for 5 min", () => {
  const { trace, starts } = runHouse(
    { sunW: (atS) => (atS < 1_000 || atS > 1_220 ? 6_000 : 0), cars: [{ ask: surplus }] },
    2_000,
  );
  const offS = trace.find(({ atS, cars }) => atS > 1_000 && !cars[0]!.isOn)!.atS;
  const onS = trace.find(({ atS, cars }) => atS > offS && cars[0]!.isOn)!.atS;
  expect(offS - 1_000).toBeLessThan(200);
  expect(onS - offS).toBeGreaterThanOrEqual(300);
  expect(starts).toEqual([2]);
});

test("From fast to surplus the car is lowered at once", () => {
  const { trace } = runHouse(
    { sunW: () => 2_000, cars: [{ startsOnA: 16, ask: (atS) => inMode(atS < 100 ? "FAST" : "SURPLUS") }] },
    400,
  );
  expect(trace[110]!.cars[0]!.offeredA).toBe(6);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
});

test("Surplus with a minimum runs at 6 A without sun and follows the sun above", () => {
  const { trace } = runHouse(
    { sunW: (atS) => (atS < 300 ? 0 : 8_000), cars: [{ ask: () => inMode("MIN_SURPLUS") }] },
    600,
  );
  expect(trace[200]!.cars[0]!.amps).toBe(6);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(11);
});

test("A car that sleeps leaves the surplus to the next one after 2 min", () => {
  const { trace } = runHouse({ sunW: () => 7_000, cars: [{ ask: surplus, carMaxA: 0 }, { ask: surplus }] }, 600);
  const firstS = trace.find(({ cars }) => cars[0]!.isOn)!.atS;
  const secondS = trace.find(({ cars }) => cars[1]!.isOn)!.atS;
  expect(secondS - firstS).toBeGreaterThanOrEqual(120);
  expect(secondS - firstS).toBeLessThan(220);
});

test("Two cars on surplus: the one with priority rises, the other gets what is left", () => {
  const { trace } = runHouse(
    { sunW: () => 16_000, inverter: { ratedW: 20_000 }, cars: [{ ask: surplus }, { ask: surplus }] },
    900,
  );
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([16, 7]);
  expect(trace.at(-1)!.gridW).toBeLessThanOrEqual(0);
});

test("With half of its power from the grid, a car starts at half of the surplus", () => {
  const view = { gridShare: 0.5 };
  const { trace } = runHouse({ sunW: () => 3_000, cars: [{ ask: surplus, view }] }, 600);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(8);
});

test("A plan that waits charges from surplus only, and says until when it waits", () => {
  const ask = () => ({ by: "energy", mode: "PLANNED", plannedW: 0, plannedUntilMs: 999_000 }) as const;
  const { trace } = runHouse({ sunW: (atS) => (atS < 300 ? 0 : 6_000), cars: [{ ask }] }, 600);
  expect(trace[100]!.decisions[0]!.reason).toEqual({ code: "plan-waits", subject: null, untilMs: 999_000 });
  expect(trace.at(-1)!.cars[0]!.amps).toBe(8);
});

test("A plan charges with its power from the grid, and with more if there is more sun", () => {
  const ask = () => inMode("PLANNED", 5_600);
  const { trace } = runHouse({ sunW: (atS) => (atS < 300 ? 0 : 9_000), cars: [{ ask }] }, 600);
  expect(trace[200]!.cars[0]!.amps).toBe(8);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(13);
});

test("In the mode off a car is switched off at once", () => {
  const { trace } = runHouse({ cars: [{ startsOnA: 16, ask: () => inMode("OFF") }] }, 60);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
  expect(reasonsOf(trace, "charger-1")).toEqual(["mode-off"]);
});

const RULE = { minA: null, startExportW: null, stopImportW: null, delayMs: null };

test("A car starts at the export that its owner set, and goes on while the import stays below another one", () => {
  const { trace } = runHouse(
    {
      sunW: (atS) => (atS < 900 ? 2_000 : 500),
      load: () => flat(0),
      cars: [{ ask: surplus, view: { surplusRule: { ...RULE, startExportW: 1_500, stopImportW: 3_000 } } }],
    },
    1_500,
  );
  // 6 A on three phases are 4.1 kW, more than the sun has: 2.1 kW are from the grid, then 3.6 kW.
  expect([trace.at(600)?.cars[0]?.amps, trace.at(1_040)?.cars[0]?.isOn]).toEqual([6, true]);
  expect(trace.at(-1)?.cars[0]?.isOn).toBe(false);
  const unset = runHouse({ sunW: () => 2_000, load: () => flat(0), cars: [{ ask: surplus }] }, 600);
  expect(unset.trace.some(({ cars }) => cars[0]?.isOn)).toBe(false);
});

test("A car does not start below the export that its owner set, though the sun would carry it", () => {
  const view = { surplusRule: { ...RULE, startExportW: 6_000 } };
  const run = (sunW: number) =>
    runHouse({ sunW: () => sunW, load: () => flat(0), cars: [{ ask: surplus, view }] }, 300);
  expect(run(5_500).trace.some(({ cars }) => cars[0]?.isOn)).toBe(false);
  expect(run(6_500).trace.at(-1)?.cars[0]?.amps).toBe(9);
});

test("A car gets no less from surplus than the current that its owner set, and that current in mode MIN_SURPLUS", () => {
  const view = { surplusRule: { ...RULE, minA: 10 } };
  const run = (sunW: number, mode: "SURPLUS" | "MIN_SURPLUS") =>
    runHouse({ sunW: () => sunW, load: () => flat(0), cars: [{ ask: () => inMode(mode), view }] }, 300).trace;
  expect(run(6_000, "SURPLUS").some(({ cars }) => cars[0]?.isOn)).toBe(false);
  expect(run(8_000, "SURPLUS").at(-1)?.cars[0]?.amps).toBe(11);
  expect(run(0, "MIN_SURPLUS").at(-1)?.cars[0]?.amps).toBe(10);
});

test("A car starts after the delay that its owner set", () => {
  const startS = (delayMs: number | null) => {
    const view = { surplusRule: { ...RULE, delayMs } };
    const { trace } = runHouse({ sunW: () => 8_000, load: () => flat(0), cars: [{ ask: surplus, view }] }, 400);
    return trace.find(({ cars }) => cars[0]?.isOn)?.atS ?? null;
  };
  const [soon, usual, late] = [startS(0), startS(null), startS(180_000)];
  expect(usual).toBeGreaterThanOrEqual((soon ?? 0) + 55);
  expect(late).toBeGreaterThanOrEqual((usual ?? 0) + 115);
});

test("What a car does not take of its share is there for the next car", () => {
  const { trace } = runHouse(
    { sunW: () => 10_000, inverter: { ratedW: 10_000 }, cars: [{ ask: surplus, carMaxA: 6 }, { ask: surplus }] },
    1_800,
  );
  const { cars, gridW } = trace.at(-1)!;
  expect(cars.map(({ amps }) => amps)).toEqual([6, 8]);
  expect(Math.abs(gridW)).toBeLessThan(700);
});

test("A car that takes more again gets it before the next car, which keeps its least current", () => {
  const { trace } = runHouse(
    {
      sunW: () => 10_000,
      inverter: { ratedW: 10_000 },
      cars: [{ ask: surplus, carMaxAAt: (atS) => (atS < 1_800 ? 6 : 32) }, { ask: surplus }],
    },
    3_600,
  );
  expect(trace[1_799]!.cars[1]!.amps).toBe(8);
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([8, 6]);
  const boughtWh = trace.reduce((sum, { gridW }) => sum + Math.max(0, gridW), 0) / 3_600;
  expect(boughtWh).toBeLessThan(300);
});
