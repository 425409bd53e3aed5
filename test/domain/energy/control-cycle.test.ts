import fc from "fast-check";
import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { Decision } from "../../../src/domain/energy/cycle/energy-decision.ts";
import type { ChargeAsk, ChargerView, EnergySnapshot } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { type PerPhase, PHASES, type Phase } from "../../../src/domain/energy/site/site-connection.ts";
import { countedExpect } from "../../counted-expect.ts";
import { commandsOf, inMode, longestOverload, runHouse } from "./house-loop.ts";
import { makeBattery, makeCharger, makeInverter, makeLimit, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const V = 230;
const NOW = 1_000_000;

const phaseSet = fc.constantFrom<readonly Phase[]>(["L1"], ["L2"], ["L3"], PHASES);
const ask: fc.Arbitrary<ChargeAsk> = fc.oneof(
  fc.constantFrom("OFF", "SURPLUS", "MIN_SURPLUS", "FAST").map((mode) => inMode(mode as "FAST")),
  fc.double({ min: 0, max: 12_000, noNaN: true }).map((watts) => inMode("PLANNED", watts)),
  fc.record({ isOn: fc.boolean(), maxA: fc.option(fc.integer({ min: 6, max: 32 })) }).map(({ isOn, maxA }) => ({
    by: "person" as const,
    isOn,
    maxA,
  })),
  fc.constant<ChargeAsk>({ by: "device" }),
);

const chargerView = fc
  .record({
    ask,
    phases: phaseSet,
    isOn: fc.boolean(),
    offeredA: fc.integer({ min: 6, max: 32 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ ask: by, phases, isOn, offeredA, share }): ChargerView => {
    const amps = isOn ? offeredA * share : 0;
    const on = (phase: Phase) => (phases.includes(phase) ? amps : 0);
    return makeCharger({
      ask: by,
      phases,
      offeredA,
      isEnabled: isOn,
      range: { minA: 6, maxA: 32, stepA: 1 },
      powerW: amps * V * phases.length,
      currentA: [on("L1"), on("L2"), on("L3")],
      measuredAtMs: NOW,
    });
  });

const chargers = fc
  .array(chargerView, { minLength: 1, maxLength: 4 })
  .map((views) => views.map((view, i): ChargerView => ({ ...view, id: `charger-${i + 1}`, priority: i })));

const houseA = fc.tuple(
  fc.double({ min: -20, max: 30, noNaN: true }),
  fc.double({ min: -20, max: 30, noNaN: true }),
  fc.double({ min: -20, max: 30, noNaN: true }),
);

function snapshotOf(
  views: readonly ChargerView[],
  house: PerPhase<number>,
  fields: Partial<EnergySnapshot> = {},
): EnergySnapshot {
  const total = (i: 0 | 1 | 2) => house[i] + views.reduce((sum, { currentA }) => sum + (currentA[i] ?? 0), 0);
  const currentA: PerPhase<number> = [total(0), total(1), total(2)];
  const powerW = V * (currentA[0] + currentA[1] + currentA[2]);
  const grid = makeMeter({ powerW, currentA, measuredAtMs: NOW });
  return makeSnapshot({ nowMs: NOW, grid, chargers: views, ...fields });
}

/** What a charger offers after a decision, A; 0 while it is off. */
function offerAfter(view: ChargerView, decisions: readonly Decision[]): number {
  const decision = decisions.find(({ id }) => id === view.id);
  if (decision?.kind !== "charger") throw new Error(`no decision for ${view.id}`);
  const isOn = decision.isOn ?? view.isEnabled;
  return isOn === true ? (decision.currentA ?? view.offeredA!) : 0;
}

function offerBefore({ isEnabled, offeredA }: ChargerView): number {
  return isEnabled === true ? offeredA! : 0;
}

test("Whatever is raised, what a phase takes and what its chargers are allowed stays below the fuse", () => {
  const expectBelow = countedExpect();
  fc.assert(
    fc.property(chargers, houseA, (views, house) => {
      const { decisions } = controlCycle(snapshotOf(views, house), EMPTY_MEMORY);
      for (const i of [0, 1, 2] as const) {
        const members = views.filter(({ phases }) => phases.includes(PHASES[i]));
        const isRaised = members.some((view) => offerAfter(view, decisions) > offerBefore(view));
        const allowed = members.reduce((sum, view) => sum + offerAfter(view, decisions), 0);
        if (isRaised) expectBelow(house[i] + allowed).toBeLessThanOrEqual(25);
      }
    }),
    { numRuns: 400 },
  );
  expectBelow.wasCalled();
});

test("Above the fuse no charger keeps more than its least current, unless the sum then fits", () => {
  const expectLeast = countedExpect();
  fc.assert(
    fc.property(chargers, houseA, (views, house) => {
      const { decisions } = controlCycle(snapshotOf(views, house), EMPTY_MEMORY);
      for (const i of [0, 1, 2] as const) {
        const members = views.filter(({ phases }) => phases.includes(PHASES[i]));
        const after = members.map((view) => offerAfter(view, decisions));
        const sum = house[i] + after.reduce((total, amps) => total + amps, 0);
        if (sum > 25 + 1e-6) expectLeast(Math.max(0, ...after)).toBeLessThanOrEqual(6);
      }
    }),
    { numRuns: 400 },
  );
  expectLeast.wasCalled();
});

test("No decision goes above what a person or the charger's own setting allows", () => {
  const expectSetting = countedExpect("a charger with its own setting");
  const expectPerson = countedExpect("a charger that a person set");
  fc.assert(
    fc.property(chargers, houseA, (views, house) => {
      const { decisions } = controlCycle(snapshotOf(views, house), EMPTY_MEMORY);
      for (const view of views) {
        const after = offerAfter(view, decisions);
        if (view.ask.by === "device") expectSetting(after).toBeLessThanOrEqual(offerBefore(view));
        if (view.ask.by === "person")
          expectPerson(after).toBeLessThanOrEqual(view.ask.isOn ? (view.ask.maxA ?? 32) : 0);
      }
    }),
    { numRuns: 400 },
  );
  expectSetting.wasCalled();
  expectPerson.wasCalled();
});

test("A limit of the operator or a smaller fuse never gives one charger more", () => {
  const watts = fc.integer({ min: 0, max: 20_000 });
  const scope = fc.constantFrom<"connection" | "controllable">("connection", "controllable");
  fc.assert(
    fc.property(
      chargerView,
      houseA,
      watts,
      scope,
      fc.integer({ min: 6, max: 25 }),
      (view, house, limitW, of, fuseA) => {
        const free = controlCycle(snapshotOf([view], house), EMPTY_MEMORY).decisions;
        const limits = [makeLimit({ watts: limitW, scope: of })];
        const site = makeSite({ fuseA });
        const narrowed = controlCycle(snapshotOf([view], house, { limits, site }), EMPTY_MEMORY).decisions;
        expect(offerAfter(view, narrowed)).toBeLessThanOrEqual(offerAfter(view, free));
      },
    ),
    { numRuns: 400 },
  );
});

test("A current of the meter that is no number raises nothing", () => {
  const broken = fc.constantFrom(Number.NaN, null);
  fc.assert(
    fc.property(chargers, houseA, broken, fc.constantFrom(0, 1, 2), (views, house, value, phase) => {
      const first = controlCycle(snapshotOf(views, house), EMPTY_MEMORY);
      const next = snapshotOf(views, house);
      const currentA = next.grid.currentA.map((amps, i) => (i === phase ? value : amps)) as unknown as PerPhase<number>;
      const later = {
        ...next,
        nowMs: NOW + 60_000,
        grid: { ...next.grid, currentA, measuredAtMs: NOW + 60_000 },
        chargers: views.map((view) => ({ ...view, measuredAtMs: NOW + 60_000 })),
      };
      const { decisions } = controlCycle(later, { ...first.memory, chargers: new Map() });
      for (const view of views.filter(({ phases }) => phases.includes(PHASES[phase]!))) {
        expect(offerAfter(view, decisions)).toBeLessThanOrEqual(offerBefore(view));
      }
    }),
    { numRuns: 300 },
  );
});

test("In a house with random loads no phase stays above its fuse for as long as the fuse bears it", () => {
  const steps = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 })),
    { minLength: 8, maxLength: 8 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 20, max: 90 }), fc.integer({ min: 2, max: 10 }), (loads, everyS, latencyS) => {
      const load = (atS: number) => loads[Math.floor(atS / everyS) % loads.length]!;
      const cars = [
        { latencyS },
        { latencyS, ask: () => inMode("MIN_SURPLUS") },
        { latencyS, view: { phases: ["L2"] as const } },
      ];
      const { trace } = runHouse({ load, cars }, 400);
      const { above, above13 } = longestOverload(trace, 25);
      expect(above).toBeLessThan(60);
      expect(above13).toBeLessThanOrEqual(20);
    }),
    { numRuns: 25 },
  );
});

test("The same snapshot and memory give the same decisions, and the memory given is not changed", () => {
  const snapshot = snapshotOf([makeCharger({ isEnabled: true, measuredAtMs: NOW })], [1, 2, 3]);
  const { memory } = controlCycle(snapshot, EMPTY_MEMORY);
  const copy = structuredClone(memory);
  expect(controlCycle(snapshot, memory)).toEqual(controlCycle(snapshot, memory));
  expect(memory).toEqual(copy);
});

test("Every device has one decision with a reason, in the order of the snapshot", () => {
  const snapshot = makeSnapshot({
    chargers: [makeCharger({ id: "b", priority: 2 }), makeCharger({ id: "a", priority: 1 })],
    batteries: [makeBattery()],
    inverters: [makeInverter()],
  });
  const { decisions } = controlCycle(snapshot, EMPTY_MEMORY);
  expect(decisions.map(({ id }) => id)).toEqual(["b", "a", "battery", "inverter"]);
  expect(decisions.every(({ reason }) => reason.code.length > 0)).toBe(true);
});

test("A decision that asks for what a charger already does is empty", () => {
  const { trace } = runHouse({ load: () => [2, 2, 2], cars: [{ startsOnA: 16 }] }, 120);
  expect(commandsOf(trace, "charger-1")).toBe(0);
});

test("A command that did not arrive is repeated after its latency, not in each cycle", () => {
  const { trace } = runHouse({ cars: [{ isConnected: (atS) => atS > 40 }] }, 100);
  const commands = trace.filter(({ decisions }) => decisions[0]!.kind === "charger" && decisions[0]!.isOn !== null);
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.length).toBeLessThan(6);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(true);
});

test("A person's request is followed with its current, and narrowed by the fuse only", () => {
  const request = (atS: number) => ({ by: "person", isOn: atS < 200, maxA: 13 }) as const;
  const { trace } = runHouse({ load: (atS) => (atS < 100 ? [2, 2, 2] : [16, 2, 2]), cars: [{ ask: request }] }, 300);
  expect(trace[90]!.cars[0]!.amps).toBe(13);
  expect(trace[190]!.cars[0]!.amps).toBe(8);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
});

test("A charger that can only be switched starts if its whole current fits, and stops for the fuse", () => {
  const view = { range: null, offeredA: 16 };
  const { trace } = runHouse({ load: (atS) => (atS < 100 ? [5, 5, 5] : [14, 5, 5]), cars: [{ view }] }, 200);
  expect(trace[90]!.cars[0]!.amps).toBe(16);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
  expect(longestOverload(trace, 25).above13).toBeLessThanOrEqual(20);
});

test("A site without a fuse and without limits leaves a fast charge alone", () => {
  const site = makeSite({ fuseA: null });
  const { trace } = runHouse({ snapshot: { site }, load: () => [60, 60, 60], cars: [{}] }, 60);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(16);
});

test("A meter without currents counts the whole house on each phase", () => {
  const site = makeSite({ fuseA: 25 });
  const grid = makeMeter({ powerW: 3_450, currentA: [null, null, null] });
  const { decisions } = controlCycle(makeSnapshot({ site, grid, chargers: [makeCharger()] }), EMPTY_MEMORY);
  expect(decisions[0]).toMatchObject({ isOn: true, currentA: 9 });
});

test("An unplugged car is left alone, and its charger is switched off where the next car has to wait for the sun", () => {
  const isPlugged = () => false;
  const cars = [
    { isPlugged, startsOnA: 16 },
    { isPlugged, startsOnA: 16, ask: () => inMode("SURPLUS") },
  ];
  const { trace } = runHouse({ cars }, 60);
  expect(trace.at(-1)!.cars.map(({ isOn }) => isOn)).toEqual([true, false]);
});

test("Of the same mode, no more than four starts an hour", () => {
  const ask = (atS: number) => inMode("PLANNED", Math.floor(atS / 300) % 2 === 0 ? 5_000 : 0);
  const { starts } = runHouse({ cars: [{ ask }] }, 3_600);
  expect(starts[0]).toBeLessThanOrEqual(4);
  expect(starts[0]).toBeGreaterThanOrEqual(2);
});

test("A car that draws a little more than it is offered is kept below the fuse, and is not stopped for that", () => {
  const load = (atS: number) => (atS < 400 ? ([8, 8, 8] as const) : ([17.9, 17.9, 17.9] as const));
  const { trace, starts } = runHouse({ load, cars: [{ startsOnA: 16, drawsMoreA: 1.2 }] }, 600);
  expect(longestOverload(trace.slice(0, 400), 25).above).toBeLessThanOrEqual(15);
  expect(trace[390]!.cars[0]!.offeredA).toBe(15);
  expect(trace.at(-1)!.cars[0]).toMatchObject({ offeredA: 6, isOn: true });
  expect([starts, commandsOf(trace, "charger-1")]).toEqual([[0], 2]);
});

test("A battery that is about to charge takes its room on its own phase, not on all three", () => {
  const site = makeSite({ fuseA: 25, phasesOf: new Map([["battery", ["L1"]]]) });
  const battery = makeBattery({ plannedMode: "IMPORT_FOCUS", maxChargeW: 4_600 });
  const at = (nowMs: number, phases: readonly Phase[]) => {
    const grid = makeMeter({ powerW: 1_380, currentA: [2, 2, 2], measuredAtMs: nowMs });
    const chargers = nowMs === 0 ? [] : [makeCharger({ phases, measuredAtMs: nowMs })];
    return makeSnapshot({ site, batteries: [battery], grid, nowMs, chargers });
  };
  const { memory, decisions } = controlCycle(at(0, ["L1"]), EMPTY_MEMORY);
  expect(decisions[0]).toMatchObject({ kind: "battery", mode: "IMPORT_FOCUS" });
  expect(controlCycle(at(1_000, ["L1"]), memory).decisions[0]).toMatchObject({ isOn: null });
  expect(controlCycle(at(1_000, ["L2"]), memory).decisions[0]).toMatchObject({ isOn: true, currentA: 16 });
});
