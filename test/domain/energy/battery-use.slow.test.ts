import { expect, test } from "vitest";
import { commandsOf, inMode, meanOf, reasonsOf, runHouse } from "./house-loop.ts";
import { makeLimit } from "./makers.ts";

const HOLD = { holdWhileFast: true, priorityBelow: 0, supportAbove: 100 };

test("At night a fast charge of five hours takes nothing from the battery, which is released on unplug", () => {
  const hours = 5 * 3_600;
  const { trace } = runHouse(
    {
      snapshot: { batteryUse: HOLD },
      load: () => [1, 1, 1],
      battery: { soc: 90 },
      cars: [{ isPlugged: (atS) => atS >= 60 && atS < hours, carMaxA: 16 }],
    },
    hours + 200,
  );
  const charging = trace.filter(({ cars }) => cars[0]!.amps > 1);
  expect(Math.min(...charging.map(({ batteryW }) => batteryW))).toBeGreaterThan(-100);
  expect(trace.at(-1)!.mode).toBe("SELF_RELIANCE");
  expect(trace.at(-1)!.batteryW).toBeLessThan(-500);
  expect(commandsOf(trace, "battery")).toBe(2);
  // After the unplug it is released a minute later.
  expect(reasonsOf(trace, "battery", 100).slice(0, 2)).toEqual(["not-into-car charger-1", "not-into-car"]);
});

test("A battery may feed a fast charge if it is not to be held", () => {
  const batteryUse = { ...HOLD, holdWhileFast: false };
  const { trace } = runHouse({ snapshot: { batteryUse }, battery: { soc: 90 }, cars: [{}] }, 200);
  expect(trace.at(-1)!.batteryW).toBe(-5_000);
});

test("A battery is not held while the sun carries the fast charge and fills it", () => {
  const { trace } = runHouse(
    { snapshot: { batteryUse: HOLD }, sunW: () => 9_900, battery: { soc: 50 }, cars: [{ carMaxA: 8 }] },
    300,
  );
  expect(trace.at(-1)!.mode).toBe("SELF_RELIANCE");
  expect(trace.at(-1)!.batteryW).toBeGreaterThan(4_000);
});

test("From its floor of 45 % down a battery gives nothing to a car, in any mode", () => {
  const batteryUse = { holdWhileFast: false, priorityBelow: 0, supportAbove: 45 };
  for (const mode of ["FAST", "MIN_SURPLUS", "SURPLUS"] as const) {
    const { trace } = runHouse(
      {
        snapshot: { batteryUse },
        sunW: (atS) => (atS < 300 ? 6_000 : 0),
        battery: { soc: 45.02 },
        cars: [{ ask: () => inMode(mode) }],
      },
      1_500,
    );
    const below = trace.filter(({ soc, cars }) => soc < 45 && cars[0]!.amps > 1);
    const givenWh = below.reduce((sum, { batteryW }) => sum + Math.max(0, -batteryW) / 3_600, 0);
    // The battery needs some seconds to follow its mode.
    expect(givenWh).toBeLessThan(20);
  }
});

test("Above the floor a battery carries the least current of a surplus car through a cloud", () => {
  const batteryUse = { ...HOLD, supportAbove: 45 };
  const { trace, starts } = runHouse(
    {
      snapshot: { batteryUse },
      sunW: (atS) => (atS < 900 || atS > 1_500 ? 6_000 : 0),
      battery: { soc: 80, view: { isAcCoupled: true } },
      cars: [{ ask: () => inMode("SURPLUS") }],
    },
    1_800,
  );
  expect(starts).toEqual([1]);
  const cloud = trace.slice(950, 1_490);
  expect(cloud.every(({ cars }) => cars[0]!.amps === 6)).toBe(true);
  expect(meanOf(cloud.map(({ gridW }) => gridW))).toBeLessThan(100);
});

test("Without support a surplus car that must run on is not fed from the battery", () => {
  const { trace } = runHouse(
    {
      snapshot: { batteryUse: HOLD },
      sunW: (atS) => (atS < 300 ? 6_000 : 0),
      battery: { soc: 80, view: { isAcCoupled: true } },
      cars: [{ ask: () => inMode("SURPLUS") }],
    },
    1_500,
  );
  const runOn = trace.filter(({ atS, cars }) => atS > 330 && cars[0]!.amps > 1);
  expect(runOn.length).toBeGreaterThan(100);
  expect(runOn.every(({ batteryW }) => batteryW > -100)).toBe(true);
  expect(trace.at(-1)!.mode).toBe("SELF_RELIANCE");
});

test("The grid share of a surplus car comes from the grid, and nothing of it from the battery", () => {
  const view = { gridShare: 0.5, range: { minA: 6, maxA: 16, stepA: 1 } };
  const { trace } = runHouse(
    {
      snapshot: { batteryUse: HOLD },
      sunW: () => 4_000,
      battery: { soc: 80, view: { isAcCoupled: true } },
      cars: [{ ask: () => inMode("SURPLUS"), view }],
    },
    1_200,
  );
  const charging = trace.filter(({ atS, cars }) => atS > 300 && cars[0]!.amps > 1);
  expect(charging.length).toBeGreaterThan(600);
  expect(charging.every(({ cars }) => cars[0]!.watts > 7_000)).toBe(true);
  expect(charging.every(({ batteryW }) => batteryW > -100)).toBe(true);
});

test("A battery whose own power exceeds the feed-in limit changes its mode a few times an hour, not each cycle", () => {
  const limits = () => [makeLimit({ direction: "export", watts: 5_500 })];
  const view = { mode: "EXPORT_FOCUS" as const, isOthers: true, askedMode: "EXPORT_FOCUS" as const };
  const inHour = (sunW: (atS: number) => number, loadA: number) =>
    runHouse(
      { limits, sunW, inverter: { canLimit: false }, load: () => [loadA, loadA, loadA], battery: { view } },
      3_600,
    ).trace;
  // What the sun charges the battery with shows that there is no room.
  expect(
    commandsOf(
      inHour(() => 3_000, 1),
      "battery",
    ),
  ).toBe(1);
  // Clouds that come and go make room each minute.
  const cloudy = commandsOf(
    inHour((atS) => (atS % 60 < 30 ? 0 : 3_000), 1),
    "battery",
  );
  expect(cloudy).toBeGreaterThan(2);
  expect(cloudy).toBeLessThanOrEqual(24);
});

test("A battery that a person charges from the grid under a limit changes its mode a few times an hour, not each cycle", () => {
  const limits = () => [makeLimit({ direction: "import", watts: 6_000 })];
  const view = { mode: "IMPORT_FOCUS" as const, isOthers: true, askedMode: "IMPORT_FOCUS" as const };
  // The house leaves room for the battery each other half minute.
  const load = (atS: number): [number, number, number] => (atS % 60 < 30 ? [1, 1, 1] : [8, 8, 8]);
  const changes = commandsOf(runHouse({ limits, load, battery: { view } }, 3_600).trace, "battery");
  expect(changes).toBeGreaterThan(2);
  expect(changes).toBeLessThanOrEqual(24);
});

test("A new request of a person for a battery does not wait for its mode to be given back", () => {
  const view = (atS: number) => ({
    isOthers: true,
    askedMode: atS < 130 ? ("IMPORT_FOCUS" as const) : ("IDLE" as const),
  });
  const limits = (atS: number) => (atS >= 100 && atS < 120 ? [makeLimit({ watts: 3_000 })] : []);
  const { trace } = runHouse(
    { load: () => [2, 2, 2], limits, battery: { soc: 30, view: { mode: "IMPORT_FOCUS" }, viewAt: view } },
    200,
  );
  expect(trace[125]!.mode).toBe("SELF_RELIANCE");
  expect(trace[140]!.mode).toBe("IDLE");
});

test("A battery takes all surplus under an import cap of 0.5 kW, and the car may start: the battery gives way", () => {
  const { trace } = runHouse(
    {
      snapshot: { site: { ...SITE, importKw: 0.5 } },
      sunW: () => 6_500,
      battery: { soc: 50, view: { maxChargeW: 6_500, isAcCoupled: true } },
      cars: [{ ask: () => inMode("SURPLUS") }],
    },
    600,
  );
  expect(trace.at(-1)!.cars[0]!.amps).toBeGreaterThanOrEqual(8);
  expect(trace.at(-1)!.gridW).toBeLessThanOrEqual(500);
});

test("The plan's mode is followed, and the battery goes back to self-consumption when the plan is over", () => {
  const plannedMode = (atS: number) => (atS < 100 ? ("IMPORT_FOCUS" as const) : null);
  const { trace } = runHouse({ battery: { plannedMode } }, 200);
  expect(trace[90]!.mode).toBe("IMPORT_FOCUS");
  expect(trace.at(-1)!.mode).toBe("SELF_RELIANCE");
  expect(commandsOf(trace, "battery")).toBe(2);
});

test("A battery that charges from the grid by its own setting is held for a car once, not by turns", () => {
  const view = { mode: "IMPORT_FOCUS" as const };
  const ask = (atS: number) => inMode(atS < 300 ? "FAST" : "OFF");
  const limits = (atS: number) => (atS >= 60 && atS < 120 ? [makeLimit({ watts: 5_000 })] : []);
  const { trace } = runHouse({ load: () => [3, 3, 3], limits, battery: { soc: 30, view }, cars: [{ ask }] }, 900);
  expect(commandsOf(trace, "battery")).toBeLessThanOrEqual(3);
  expect(trace.at(-1)!.mode).toBe("IMPORT_FOCUS");
});

test("What a person asks of a battery while a limit narrows it is what it gets afterwards", () => {
  const view = (atS: number) => ({
    isOthers: true,
    askedMode: atS < 200 ? ("IMPORT_FOCUS" as const) : ("IDLE" as const),
  });
  const limits = (atS: number) => (atS >= 100 && atS < 300 ? [makeLimit({ watts: 3_000 })] : []);
  const { trace } = runHouse(
    { load: () => [2, 2, 2], limits, battery: { soc: 30, view: { mode: "IMPORT_FOCUS" }, viewAt: view } },
    800,
  );
  expect(trace[180]!.mode).toBe("SELF_RELIANCE");
  expect(trace.at(-1)!.mode).toBe("IDLE");
});

test("After a plan has ended while a limit narrowed it, the battery does not go on charging from the grid", () => {
  const plannedMode = (atS: number) => (atS < 200 ? ("IMPORT_FOCUS" as const) : null);
  const limits = (atS: number) => (atS >= 100 && atS < 300 ? [makeLimit({ watts: 3_000 })] : []);
  const { trace } = runHouse({ load: () => [2, 2, 2], limits, battery: { soc: 30, plannedMode } }, 900);
  expect(trace.slice(250).every(({ mode }) => mode === "SELF_RELIANCE")).toBe(true);
});

test("A mode that a person chose for a battery is left alone, without a limit", () => {
  const view = { isOthers: true, mode: "IDLE" as const, plannedMode: "IMPORT_FOCUS" as const };
  const { trace } = runHouse({ battery: { view }, cars: [{}] }, 200);
  expect(commandsOf(trace, "battery")).toBe(0);
});

const SITE = {
  phases: 3,
  fuseA: 25,
  importKw: null,
  peakKw: null,
  exportKw: null,
  gridMeterId: null,
  circuits: [],
  phasesOf: new Map(),
} as const;

test.each([
  ["its plan keeps still", { plannedMode: (atS: number) => (atS < 400 ? null : "IDLE") }],
  ["is silent", { viewAt: (atS: number) => (atS < 400 ? {} : { measuredAtMs: 400_000, powerW: -1_000, soc: 79 }) }],
] as const)("A battery that %s carries no surplus car, which stops after its minimum time", (_name, spec) => {
  const batteryUse = { holdWhileFast: false, priorityBelow: 0, supportAbove: 45 };
  const sunW = (atS: number) => (atS < 300 ? 6_000 : 0);
  const cars = [{ ask: () => inMode("SURPLUS") }];
  const { trace } = runHouse({ snapshot: { batteryUse }, sunW, battery: { soc: 80, ...spec }, cars }, 1_800);
  expect(trace.at(200)!.cars[0]!.amps).toBeGreaterThan(5);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(0);
});
