/** A battery whose power can be commanded: what the plan wants, narrowed by each limit, and written seldom. */
import { expect, test } from "vitest";
import { controlCycle, EMPTY_MEMORY } from "../../../src/domain/energy/cycle/control-cycle.ts";
import type { BatteryView } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { type HouseSpec, inMode, longestOverload, type Readout, reasonsOf, runHouse } from "./house-loop.ts";
import { makeBattery, makeLimit, makeMeter, makeSite, makeSnapshot } from "./makers.ts";

const POWER = { minW: -5_000, maxW: 5_000 };
const CHARGES = { soc: 30, view: { power: POWER }, plannedMode: () => "IMPORT_FOCUS" as const };
const flat = (amps: number) => [amps, amps, amps] as const;

function powersOf(trace: readonly Readout[], fromS = 0): readonly (number | null)[] {
  const powers = trace
    .filter(({ atS }) => atS >= fromS)
    .flatMap(({ decisions }) => decisions.filter((decision) => decision.kind === "battery"))
    .map(({ powerW }) => powerW);
  return powers.filter((watts, i) => i === 0 || watts !== powers[i - 1]);
}

function run(spec: HouseSpec, seconds = 300): readonly Readout[] {
  return runHouse({ battery: CHARGES, ...spec }, seconds).trace;
}

test("A battery charges with what the plan has for the quarter hour, and with all it can where that is not known", () => {
  expect(run({}).at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 5_000 });
  const planned = run({ battery: { ...CHARGES, view: { power: POWER, plannedW: 1_840 } } });
  expect(planned.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 1_800 });
  expect(reasonsOf(planned, "battery")).toEqual(["plan"]);
  expect(powersOf(planned)).toEqual([1_800]);
});

test.each([
  ["the main fuse", { snapshot: { site: makeSite({ fuseA: 16 }) }, load: () => [10, 4, 2] as const }, "fuse L1", 3_800],
  [
    "the contract",
    { snapshot: { site: makeSite({ fuseA: 63, importKw: 4 }) }, load: () => flat(2) },
    "contract",
    2_500,
  ],
  [
    "a circuit",
    {
      snapshot: {
        site: makeSite({
          fuseA: 63,
          circuits: [
            {
              id: "garage",
              name: "Garage",
              parentId: null,
              fuseA: null,
              maxKw: 2,
              meterId: null,
              memberIds: ["battery"],
            },
          ],
        }),
      },
    },
    "circuit garage",
    1_900,
  ],
  [
    "the operator's limit of the house",
    { limits: () => [makeLimit()], load: () => flat(2) },
    "grid-operator operator",
    2_700,
  ],
  [
    "the operator's limit of controllable devices (§ 14a EnWG)",
    { limits: () => [makeLimit({ scope: "controllable", watts: 4_200 })], load: () => flat(10) },
    "grid-operator operator",
    4_200,
  ],
] as const)("A charge from the grid is narrowed by %s, and goes on", (_limit, spec, reason, watts) => {
  const trace = run(spec as HouseSpec);
  expect(trace.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: watts });
  expect(reasonsOf(trace, "battery", 100)).toEqual([reason]);
});

test("A load that comes on lowers the charge within seconds, and it rises again later; no fuse is above its limit for long", () => {
  const trace = run(
    { snapshot: { site: makeSite({ fuseA: 16 }) }, load: (atS) => flat(atS >= 100 && atS < 200 ? 12 : 3) },
    400,
  );
  expect(trace[90]!.batteryW).toBe(5_000);
  expect(trace[130]).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 2_400 });
  expect(longestOverload(trace, 16).above).toBeLessThanOrEqual(10);
  expect(trace.at(-1)!.batteryW).toBe(5_000);
  expect(powersOf(trace)).toEqual([5_000, 2_400, 5_000]);
});

test("Without room for a power that is worth it the battery goes back to self-consumption, for five minutes", () => {
  const trace = run(
    { snapshot: { site: makeSite({ fuseA: 16 }) }, load: (atS) => flat(atS >= 100 && atS < 200 ? 15.4 : 3) },
    700,
  );
  expect(trace[140]).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(powersOf(trace)).toEqual([5_000, null, 5_000]);
  expect(trace[390]).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(trace.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 5_000 });
});

test("A house whose load changes each second gets no new power each second: two a minute at most", () => {
  const load = (atS: number) => flat(6 + 4 * Math.sin(atS / 3) + (atS % 7) / 2);
  const trace = run({ snapshot: { site: makeSite({ fuseA: 20 }) }, load }, 1_200);
  expect(powersOf(trace).length).toBeLessThanOrEqual(2 * 20);
  expect(longestOverload(trace, 20).above).toBeLessThanOrEqual(20);
});

test("A meter that goes silent ends a forced charge, and no power is commanded until it is back", () => {
  const trace = run({ meter: (truth, atS) => (atS >= 100 && atS < 200 ? null : truth) }, 600);
  expect(trace[90]).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 5_000 });
  expect(trace[130]).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(powersOf(trace)).toEqual([5_000, null, 5_000]);
  expect(reasonsOf(trace, "battery", 120)[0]).toBe("meter-silent");
});

test("A car that a person charges fast comes before a battery that buys", () => {
  const ask = (atS: number) => inMode(atS >= 100 ? "FAST" : "OFF");
  const trace = run(
    { snapshot: { site: makeSite({ fuseA: 25 }) }, load: () => flat(4), cars: [{ ask, carMaxA: 16 }] },
    600,
  );
  expect(trace[90]!.batteryW).toBe(5_000);
  expect(trace.at(-1)!.cars[0]!.amps).toBe(16);
  expect(trace.at(-1)!.batteryW).toBeLessThanOrEqual(3_000);
  expect(longestOverload(trace, 25).above).toBe(0);
});

test("A battery that takes more than it is commanded with is taken out of the forced charge before a fuse trips", () => {
  const trace = run(
    {
      snapshot: { site: makeSite({ fuseA: 16 }) },
      battery: { ...CHARGES, ignoresPower: true },
      load: (atS) => flat(atS >= 100 ? 12 : 3),
    },
    300,
  );
  expect(trace[140]).toMatchObject({ mode: "SELF_RELIANCE" });
  expect(longestOverload(trace, 16).above).toBeLessThanOrEqual(30);
});

test("What the battery feeds into the grid is narrowed to the limit of the feed-in, and follows it", () => {
  const battery = { soc: 90, view: { power: POWER }, plannedMode: () => "EXPORT_FOCUS" as const } as const;
  const limits = (atS: number) => [makeLimit({ direction: "export", watts: atS >= 150 ? 1_000 : 3_000 })];
  const { trace } = runHouse({ battery, limits, load: () => flat(1) }, 300);
  expect(trace[140]).toMatchObject({ mode: "EXPORT_FOCUS", batteryW: -3_600 });
  expect(trace.at(-1)).toMatchObject({ mode: "EXPORT_FOCUS", batteryW: -1_600 });
  expect(Math.max(...trace.slice(170).map(({ gridW }) => -gridW))).toBeLessThanOrEqual(1_000);
});

test("A battery that the plan keeps still discharges just what keeps the paid import, feeds nothing in, and then rests again", () => {
  const battery = { soc: 60, view: { power: POWER }, plannedMode: () => "IDLE" as const } as const;
  const site = makeSite({ fuseA: 63, importKw: 4 });
  const load = (atS: number) => flat(atS >= 60 && atS < 200 ? 10 : 2);
  const { trace } = runHouse({ battery, snapshot: { site }, load }, 300);
  expect(trace[50]).toMatchObject({ mode: "IDLE", batteryW: 0 });
  expect(trace[120]).toMatchObject({ mode: "EXPORT_FOCUS", batteryW: -3_000 });
  expect(trace[120]!.gridW).toBeLessThanOrEqual(4_000);
  expect(reasonsOf(trace.slice(100, 150), "battery")).toEqual(["contract"]);
  expect(trace.at(-1)).toMatchObject({ mode: "IDLE", batteryW: 0 });
  expect(powersOf(trace)).toEqual([null, -3_000, null]);
});

test.each([
  ["at its reserve", { soc: 10 }],
  ["of an unknown charge", { soc: 60, viewAt: () => ({ soc: null }) }],
  ["that is commanded by mode only", { soc: 60, view: {} }],
  ["in other hands", { soc: 60, view: { power: POWER, mode: "IDLE" as const, isOthers: true } }],
] as const)("A battery %s gives nothing for the paid import", (_what, battery) => {
  const spec = { view: { power: POWER }, plannedMode: () => "IDLE" as const, ...battery };
  const { trace } = runHouse(
    { battery: spec, snapshot: { site: makeSite({ fuseA: 63, importKw: 4 }) }, load: () => flat(10) },
    200,
  );
  expect(trace.at(-1)).toMatchObject({ mode: "IDLE", batteryW: 0 });
  expect(powersOf(trace)).toEqual([null]);
});

test("A battery that others command gets no power, and one with modes only is charged or stopped as before", () => {
  const others = run({ battery: { ...CHARGES, view: { power: POWER, isOthers: true, mode: "IMPORT_FOCUS" } } });
  expect(powersOf(others)).toEqual([null]);
  const spec = {
    snapshot: { site: makeSite({ fuseA: 16 }) },
    load: () => flat(12),
    battery: { soc: 30, plannedMode: () => "IMPORT_FOCUS" as const },
  } as const;
  const { trace } = runHouse(spec, 200);
  expect(powersOf(trace)).toEqual([null]);
});

test("A battery on one phase is narrowed by the fuse of that phase alone", () => {
  const site = makeSite({ fuseA: 16, phasesOf: new Map([["battery", ["L2"]]]) });
  const grid = makeMeter({ powerW: 5_060, currentA: [14, 8, 0], measuredAtMs: 0 });
  const battery = makeBattery({ power: POWER, plannedMode: "IMPORT_FOCUS" });
  const { decisions } = controlCycle(makeSnapshot({ site, grid, batteries: [battery] }), EMPTY_MEMORY);
  expect(decisions).toEqual([
    {
      ...{ kind: "battery", id: "battery", mode: "IMPORT_FOCUS", powerW: 1_700 },
      reason: { code: "fuse", subject: "L2", untilMs: null },
    },
  ]);
});

test("A battery that supplies the house is charged by mode only where the limit has room for the load as well", () => {
  const byMode = { soc: 60, plannedMode: () => "IMPORT_FOCUS" as const };
  const house = { load: () => flat(4.35), battery: byMode };
  const roomy = runHouse({ ...house, snapshot: { site: makeSite({ importKw: 9 }) } }, 1_800).trace;
  expect(roomy.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS" });
  const narrow = runHouse({ ...house, snapshot: { site: makeSite({ importKw: 6 }) } }, 1_800).trace;
  expect(narrow.filter(({ mode }) => mode === "IMPORT_FOCUS")).toEqual([]);
  expect(narrow.at(-1)?.batteryW).toBeLessThan(-2_000);
});

test("A planned charge that the fuse has room for once, and not twice, starts and is not taken back before it shows", () => {
  const byMode = { soc: 30, plannedMode: (atS: number) => (atS >= 60 ? ("IMPORT_FOCUS" as const) : null) };
  const cars = [{ startsOnA: 8, view: { range: { minA: 6, maxA: 8, stepA: 1 } } }];
  const { trace } = runHouse({ load: () => flat(4), battery: byMode, cars }, 300);
  expect(trace.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 5_000 });
  expect(reasonsOf(trace, "battery", 60)).toEqual(["plan"]);
});

/** A person has it charge, or feed the grid, with what it can. */
function persons(mode: "IMPORT_FOCUS" | "EXPORT_FOCUS", more: Partial<BatteryView> = {}) {
  return { soc: 50, view: { power: POWER, mode, isOthers: true, askedMode: mode, ...more } };
}

test.each([
  ["the main fuse", { site: makeSite({ fuseA: 16 }) }, "fuse L1"],
  ["the contract", { site: makeSite({ fuseA: 63, importKw: 10 }) }, "contract"],
] as const)(
  "A charge that a person has set is lowered by %s and not stopped, and has its own power again when there is room",
  (_limit, snapshot, reason) => {
    const load = (atS: number) => flat(atS >= 100 && atS < 200 ? 11 : 1);
    const trace = run({ battery: persons("IMPORT_FOCUS"), snapshot, load }, 400);
    expect(new Set(trace.map(({ mode }) => mode))).toEqual(new Set(["IMPORT_FOCUS"]));
    expect(trace[90]!.batteryW).toBe(5_000);
    expect(trace[130]!.batteryW).toBeLessThan(3_300);
    expect(trace[130]!.gridW).toBeLessThan(16 * 3 * 230);
    expect(reasonsOf(trace.slice(0, 190), "battery", 130)).toEqual([reason]);
    expect(trace.at(-1)!.batteryW).toBe(5_000);
    // Nothing of ours is left on it.
    expect(powersOf(trace).at(-1)).toBeNull();
    expect(powersOf(trace)[0]).toBeNull();
  },
);

test("A charge of a person that has less than the battery can do is never raised above its own power", () => {
  const load = (atS: number) => flat(atS >= 100 && atS < 200 ? 14 : 1);
  const battery = persons("IMPORT_FOCUS", { maxChargeW: 2_000 });
  const trace = run({ battery, snapshot: { site: makeSite({ fuseA: 16 }) }, load }, 400);
  const powers = powersOf(trace).flatMap((watts) => watts ?? []);
  expect(powers.length).toBeGreaterThan(0);
  expect(Math.max(...powers)).toBeLessThan(2_000);
  expect(trace[130]!.batteryW).toBeLessThan(1_200);
  expect(trace.at(-1)).toMatchObject({ batteryW: 2_000, mode: "IMPORT_FOCUS" });
});

test("A circuit and the operator's limit of controllable devices lower what a person has set", () => {
  const garage = { id: "garage", name: "Garage", parentId: null, fuseA: null, maxKw: 2, meterId: null };
  const circuits = [{ ...garage, memberIds: ["battery"] }];
  const inCircuit = run({ battery: persons("IMPORT_FOCUS"), snapshot: { site: makeSite({ fuseA: 63, circuits }) } });
  expect(inCircuit.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS", batteryW: 1_900 });
  const limits = () => [makeLimit({ scope: "controllable", watts: 4_200 })];
  const dimmed = run({ battery: persons("IMPORT_FOCUS"), limits });
  expect(dimmed.at(-1)).toMatchObject({ mode: "IMPORT_FOCUS" });
  expect(dimmed.at(-1)!.batteryW).toBeLessThanOrEqual(4_200);
  expect(dimmed.at(-1)!.batteryW).toBeGreaterThan(3_500);
});

test("What a person has it feed into the grid is lowered to the limit of the feed-in, and is free again without one", () => {
  const at = (atS: number) => ({ site: makeSite({ fuseA: 63, exportKw: atS >= 100 && atS < 200 ? 2 : null }) });
  const trace = run({ battery: persons("EXPORT_FOCUS"), at, load: () => flat(1) }, 400);
  expect(trace[90]!.batteryW).toBe(-5_000);
  expect(trace[130]).toMatchObject({ mode: "EXPORT_FOCUS" });
  expect(trace[130]!.gridW).toBeGreaterThanOrEqual(-2_000);
  expect(reasonsOf(trace.slice(0, 190), "battery", 130)).toEqual(["feed-in"]);
  expect(trace.at(-1)!.batteryW).toBe(-5_000);
  expect(powersOf(trace).at(-1)).toBeNull();
});

/** A house whose inverter keeps to a feed-in limit of 3 kW, with a battery that the plan has sell. */
function selling(sunW: (atS: number) => number, view: Partial<BatteryView>) {
  const battery = { soc: 90, view, plannedMode: () => "EXPORT_FOCUS" as const };
  const snapshot = { site: makeSite({ exportKw: 3 }) };
  return runHouse({ battery, snapshot, sunW, inverter: { ratedW: 10_000 }, load: () => flat(1) }, 1_200).trace;
}

test("A battery that sells for the plan yields to panels that the feed-in limit holds down, and sells on when they give less", () => {
  const trace = selling((atS) => (atS >= 200 && atS < 900 ? 8_000 : 1_500), { power: POWER, plannedW: -2_000 });
  const meanOf = (fromS: number, toS: number, watts: (each: Readout) => number) =>
    trace.slice(fromS, toS).reduce((sum, each) => sum + watts(each), 0) / (toS - fromS);
  expect(meanOf(100, 200, ({ batteryW }) => batteryW)).toBeLessThan(-1_500);
  expect(meanOf(700, 900, ({ batteryW }) => batteryW)).toBeGreaterThanOrEqual(0);
  expect(meanOf(700, 900, ({ sunW }) => sunW)).toBeGreaterThan(7_500);
  expect(meanOf(1_100, 1_200, ({ batteryW }) => batteryW)).toBeLessThan(-1_500);
  expect(reasonsOf(trace.slice(0, 900), "battery", 700)).toEqual(["feed-in"]);
  // It does not swing between the two.
  expect(powersOf(trace).length).toBeLessThanOrEqual(6);
});
