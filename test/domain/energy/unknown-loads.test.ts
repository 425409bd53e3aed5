/** What is not known, or not known any more, is not taken to be nothing. */
import { expect, test } from "vitest";
import type { Circuit, PerPhase } from "../../../src/domain/energy/site/site-connection.ts";
import { type HouseSpec, inMode, runHouse } from "./house-loop.ts";
import { makeLimit, makeMeter, makeSite } from "./makers.ts";

const GARAGE: Circuit = {
  id: "garage",
  name: "Garage",
  parentId: null,
  fuseA: 20,
  maxKw: null,
  meterId: null,
  memberIds: ["charger-1"],
};
const ONE_PHASE = { view: { phases: ["L1"] as const } };

function flat(amps: number): PerPhase<number> {
  return [amps, amps, amps];
}

/** What a car in mode FAST is offered at the end. */
function offeredA(
  circuits: readonly Circuit[],
  spec: HouseSpec = {},
  site: Parameters<typeof makeSite>[0] = {},
): number {
  const snapshot = { ...spec.snapshot, site: makeSite({ fuseA: 63, circuits, ...site }) };
  return runHouse({ cars: [{}], ...spec, snapshot }, 200).trace.at(-1)!.cars[0]!.offeredA;
}

test("A load that nothing measures is kept free in the circuits that it is in, but not where a meter sees it", () => {
  const unmetered = [{ name: "sauna", circuitId: "garage", phases: ["L1", "L2", "L3"] as const, maxA: 8 }];
  const above = { ...GARAGE, id: "annex", memberIds: [] };
  expect(offeredA([GARAGE], {}, { unmetered })).toBe(11);
  expect(offeredA([above, { ...GARAGE, fuseA: null, parentId: "annex" }], {}, { unmetered })).toBe(11);
  const circuits: HouseSpec["circuits"] = ({ atS, cars }) =>
    new Map([["garage", makeMeter({ currentA: flat(cars[0]!.amps), measuredAtMs: atS * 1_000 })]]);
  expect(offeredA([{ ...GARAGE, meterId: "sub" }], { circuits }, { unmetered })).toBe(16);
});

test("A heat pump in a circuit without a meter counts with what it draws", () => {
  const circuit = { ...GARAGE, memberIds: ["charger-1", "pump"] };
  const loadsW = new Map([
    ["pump", 6_000],
    ["elsewhere", 6_000],
  ]);
  expect(offeredA([circuit], { snapshot: { loadsW } })).toBe(10);
});

test("A battery in a circuit whose meter is silent does not relieve it", () => {
  const circuit = { ...GARAGE, fuseA: 16, meterId: "sub", memberIds: ["charger-1", "battery"] };
  const view = { powerW: -5_000, measuredAtMs: 0, maxChargeW: null, maxDischargeW: 0 };
  const cars = [{ view: { range: { minA: 6, maxA: 32, stepA: 1 } } }];
  expect(offeredA([circuit], { battery: { view, viewAt: () => view }, cars })).toBe(15);
});

test("A circuit's meter that falls silent leaves the charger where it is, because what else it saw may be on still", () => {
  const circuits: HouseSpec["circuits"] = ({ atS, cars }) =>
    new Map([["garage", makeMeter({ currentA: flat(9 + cars[0]!.amps), measuredAtMs: Math.min(atS, 100) * 1_000 })]]);
  expect(offeredA([{ ...GARAGE, meterId: "sub" }], { circuits })).toBe(10);
});

test("The meter of a circuit below that falls silent leaves the charger where it is", () => {
  const below = { ...GARAGE, id: "kitchen", parentId: "garage", fuseA: null, meterId: "sub", memberIds: [] };
  const circuits: HouseSpec["circuits"] = ({ atS }) =>
    new Map([["kitchen", makeMeter({ currentA: flat(9), measuredAtMs: Math.min(atS, 100) * 1_000 })]]);
  expect(offeredA([GARAGE, below], { circuits })).toBe(10);
});

test("What a battery charged with when it was read last makes no room below an import limit", () => {
  const view = { powerW: 5_000, measuredAtMs: 0, maxChargeW: 0, maxDischargeW: 0 };
  const { trace } = runHouse(
    {
      load: () => flat(1),
      limits: () => [makeLimit({ watts: 3_000 })],
      battery: { view, viewAt: () => view },
      cars: [ONE_PHASE],
    },
    200,
  );
  expect(Math.max(...trace.slice(120).map(({ gridW }) => gridW))).toBeLessThanOrEqual(3_000);
});

test("What a battery charged with when it was read last is no surplus after five minutes", () => {
  const view = { powerW: 3_000, measuredAtMs: 0, maxChargeW: 0, maxDischargeW: 0 };
  const car = { ...ONE_PHASE, ask: () => inMode("SURPLUS") };
  const { trace } = runHouse({ load: () => flat(1), battery: { view, viewAt: () => view }, cars: [car] }, 1_000);
  expect(trace.some(({ cars }) => cars[0]!.isOn)).toBe(true);
  expect(trace.at(-1)!.cars[0]!.isOn).toBe(false);
});

test("What a single-phase charger draws against its limit counts in the unbalance", () => {
  const site = makeSite({ fuseA: 63, unbalanceVa: 4_600 });
  const view = { phases: ["L2"] as const, range: { minA: 6, maxA: 32, stepA: 1 } };
  const ignoring = { view: { ...view, canSwitch: false }, followsLimit: () => false, carMaxA: 12, startsOnA: 12 };
  const { trace } = runHouse({ snapshot: { site }, cars: [{ view }, ignoring] }, 300);
  expect(trace.at(-1)!.cars.map(({ amps }) => amps)).toEqual([8, 12]);
});

test("A battery that is charged by mode only keeps the fuse of its circuit", () => {
  const garage: Circuit = { ...GARAGE, fuseA: 16, meterId: "sub", memberIds: ["battery"] };
  const { trace } = runHouse(
    {
      snapshot: { site: makeSite({ fuseA: 63, circuits: [garage] }) },
      battery: { soc: 20, capacityWh: 30_000, plannedMode: () => "IMPORT_FOCUS" },
      circuits: ({ atS, batteryW }) => {
        const amps = (atS >= 100 && atS < 200 ? 12 : 5) + batteryW / 3 / 230;
        return new Map([["garage", makeMeter({ currentA: [amps, amps, amps], measuredAtMs: atS * 1_000 })]]);
      },
    },
    600,
  );
  const modesAt = [90, 120, 190, 590].map((atS) => trace[atS]!.mode);
  expect(modesAt).toEqual(["IMPORT_FOCUS", "SELF_RELIANCE", "SELF_RELIANCE", "IMPORT_FOCUS"]);
  expect(trace[100]!.decisions[0]!.reason).toMatchObject({ code: "circuit", subject: "garage" });
});
