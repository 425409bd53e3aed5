import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/duration.ts";
import { housePower, type PowerView } from "../../../src/domain/hem/hem-power.ts";
import { houseFlows, type MeasuredFlows } from "../../../src/domain/hem/hem-system.ts";
import { byCoverage, countedRows, type Manager } from "../../../src/domain/hem/hem-views.ts";
import type { EnergyRow } from "../../../src/domain/statistics/statistics-row.ts";

function row(atMs: number, inMwh: number, knownMs: number, level: number | null = null): EnergyRow {
  const flow = { flowMs: 0, flowMwh: 0, flowFromMs: null, flowToMs: null, minW: null, maxW: null };
  return { atMs, inMwh, outMwh: 0, knownMs, level, ...flow };
}

const minute = (index: number, inMwh: number, knownMs = MINUTE_MS, level: number | null = null) => ({
  row: row(index * MINUTE_MS, inMwh, knownMs, level),
  slotMs: MINUTE_MS,
});

describe("several views of one house", () => {
  test("the manager counts while it knows, the device itself for the rest of the time", () => {
    const manager = { rank: 0, rows: [minute(0, 100), minute(1, 40, 24_000), minute(2, 0, 0)] };
    const direct = { rank: 1, rows: [minute(0, 98), minute(1, 90, MINUTE_MS, 55), minute(2, 80, MINUTE_MS, 56)] };
    const [first, second] = countedRows([manager, direct]);
    expect(first).toBe(manager.rows);
    expect(second?.map(({ row: { atMs, inMwh, knownMs, level } }) => [atMs, inMwh, knownMs, level])).toEqual([
      [MINUTE_MS, expect.closeTo(54), expect.closeTo(36_000), 55],
      [2 * MINUTE_MS, 80, MINUTE_MS, 56],
    ]);
  });

  test("devices of one rank are added up, and rows of other lengths are held against each other", () => {
    const hour = { rank: 0, rows: [{ row: row(0, 6_000, HOUR_MS / 2), slotMs: HOUR_MS }] };
    const minutes = Array.from({ length: 60 }, (_unused, index) => minute(index, 100));
    const [, one, other] = countedRows([hour, { rank: 1, rows: minutes }, { rank: 1, rows: minutes }]);
    for (const rows of [one, other]) expect(rows?.reduce((sum, each) => sum + each.row.inMwh, 0)).toBeCloseTo(3_000);
  });

  test("no time is ever counted twice, whatever is known when", () => {
    const known = fc.array(fc.integer({ min: 0, max: MINUTE_MS }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(known, known, known, (...all) => {
        const views = all.map((each, rank) => ({ rank, rows: each.map((ms, index) => minute(index, ms, ms)) }));
        const counted = countedRows(views);
        for (let index = 0; index < 5; index++) {
          const at = counted.flat().filter((each) => each.row.atMs === index * MINUTE_MS);
          expect(at.reduce((sum, each) => sum + each.row.knownMs, 0)).toBeLessThanOrEqual(MINUTE_MS + 1e-6);
        }
      }),
    );
  });

  test("the manager that reports most of the house comes first, then the one known longest, then the first by id", () => {
    const manager = (deviceId: string, sees: number, knownSinceMs: number): Manager => ({
      deviceId,
      sees,
      knownSinceMs,
    });
    const all = [manager("d", 1, 1), manager("c", 4, 9), manager("b", 4, 5), manager("a", 4, 9)];
    expect(all.toSorted(byCoverage).map(({ deviceId }) => deviceId)).toEqual(["b", "a", "c", "d"]);
    expect(all.toReversed().sort(byCoverage)).toEqual(all.toSorted(byCoverage));
  });
});

describe("the power of a house", () => {
  const view = (kind: PowerView["kind"], powerW: number | null, rank = 1): PowerView => ({ kind, rank, powerW });

  test("is grid and generation less what the battery takes", () => {
    const views = [view("meter", -1_000), view("inverter", 3_000), view("inverter", 2_000), view("battery", 1_500)];
    expect(housePower(views, false)).toEqual({
      gridW: -1_000,
      generationW: 5_000,
      batteryW: 1_500,
      loadW: 2_500,
      loadFrom: "balance",
    });
    expect(housePower([view("meter", 400)], false)).toMatchObject({ loadW: 400, generationW: null, batteryW: null });
  });

  test("is unknown as long as a part of it is; panels in the dark give nothing", () => {
    const views = [view("meter", 700), view("inverter", null), view("inverter", 2_000), view("battery", 100)];
    expect(housePower(views, false)).toMatchObject({ gridW: 700, generationW: null, loadW: null, loadFrom: null });
    expect(housePower([view("meter", 700), view("inverter", null)], true)).toMatchObject({
      generationW: 0,
      loadW: 700,
    });
    expect(housePower([view("meter", 700), view("battery", null)], true).loadW).toBeNull();
    expect(housePower([view("inverter", 700)], false).loadW).toBeNull();
  });

  test("is what the manager says; a silent one is stood in for", () => {
    const direct = [view("meter", 500), view("battery", -1_000)];
    const manager = [view("load", 1_460, 0), view("meter", 480, 0), view("battery", -990, 0)];
    expect(housePower([...direct, ...manager], false)).toMatchObject({
      gridW: 480,
      batteryW: -990,
      loadW: 1_460,
      loadFrom: "manager",
    });
    const silent = manager.map((each) => ({ ...each, powerW: null }));
    expect(housePower([...direct, ...silent], false)).toMatchObject({ gridW: 500, loadW: 1_500, loadFrom: "balance" });
  });

  test("is never less than nothing", () => {
    expect(housePower([view("meter", -3_100), view("inverter", 3_000)], false).loadW).toBe(0);
    expect(housePower([view("meter", -4_000), view("inverter", 3_000)], false).loadW).toBeNull();
    expect(housePower([view("meter", 500), view("load", -20, 0)], false)).toMatchObject({ loadW: 500 });
  });
});

describe("the load that a manager tells", () => {
  const flow = (inMwh: number, outMwh: number, knownMs = 100) => ({ inMwh, outMwh, knownMs, level: null });

  const parts = (change: Partial<MeasuredFlows["withoutLoad"]>) => ({
    inverter: [],
    meter: [],
    battery: [],
    ...change,
  });

  test("is the consumption; the balance of the time in which it is not told comes to it", () => {
    const all = parts({ inverter: [flow(5e6, 0)], meter: [flow(1e6, 2e6)] });
    const late = parts({ inverter: [flow(1e6, 0, 20)], meter: [flow(0, 0.5e6, 20)] });
    const none = parts({ inverter: [flow(0, 0, 0)], meter: [flow(0, 0, 0)] });
    expect(houseFlows({ ...all, load: [flow(3.5e6, 0)], withoutLoad: none })).toMatchObject({
      consumption: 3.5,
      export: 2,
    });
    expect(houseFlows({ ...all, load: [flow(3e6, 0, 80)], withoutLoad: late }).consumption).toBe(3.5);
    expect(houseFlows({ ...all, load: [flow(0, 0, 0)], withoutLoad: all }).consumption).toBe(4);
    expect(houseFlows({ ...none, load: [flow(3e6, 0)], withoutLoad: none }).consumption).toBe(3);
  });

  test("a battery that is silent leaves the balance unknown", () => {
    const silent = parts({ meter: [flow(1e6, 0)], battery: [flow(0, 0, 0)] });
    expect(houseFlows({ ...silent, load: [], withoutLoad: silent })).toMatchObject({
      charge: null,
      import: 1,
      consumption: null,
    });
  });
});
