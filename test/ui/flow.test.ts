import { describe, expect, test } from "vitest";
import type { HousePower, KnownAsset } from "../../src/ui/app/live/assets.ts";
import { branchKw, flowOf, ownShare } from "../../src/ui/app/parts/flow.ts";

const AT = "2026-06-10T14:40:00.000Z";

function power(change: Partial<HousePower>): HousePower {
  return { load: 0, grid: 0, generation: 0, battery: 0, lastUpdated: AT, ...change };
}

function asset(kind: KnownAsset["kind"], change: Partial<KnownAsset> = {}): KnownAsset {
  return { id: kind, kind, vendor: "TEST", isReachable: true, lastSeen: AT, ...change };
}

const INVERTER = asset("inverter");
const BATTERY = asset("battery");
const charger = (kw: number | null): KnownAsset => asset("charger", { chargeState: { chargeRate: kw } });
const heatPump = (kw: number): KnownAsset => asset("hvac", { consumptionRate: kw });

describe("The flow of the house on the home page", () => {
  test("Sources and uses are equal, with what no device measures as the home", () => {
    const now = power({ load: 10.02, generation: 6.04, battery: -3.96, grid: 0.02 });
    const flow = flowOf(now, [INVERTER, BATTERY, charger(7.36), heatPump(1.42)]);
    expect(flow?.sources).toEqual([
      { kind: "solar", kw: 6.04 },
      { kind: "battery", kw: 3.96 },
      { kind: "grid", kw: 0.02 },
    ]);
    expect(flow?.uses.map(({ kind }) => kind)).toEqual(["home", "car", "heat"]);
    expect(branchKw(flow?.uses ?? [], "home")).toBeCloseTo(1.24);
    expect(flow?.totalKw).toBeCloseTo(10.02);
    expect(flow?.mismatchKw).toBeNull();
  });

  test("A battery that charges and a grid that takes are uses", () => {
    const flow = flowOf(power({ load: 0.5, generation: 6, battery: 2.5, grid: -3 }), [INVERTER, BATTERY]);
    expect(flow?.sources).toEqual([{ kind: "solar", kw: 6 }]);
    expect(flow?.uses).toEqual([
      { kind: "home", kw: 0.5 },
      { kind: "battery", kw: 2.5 },
      { kind: "grid", kw: 3 },
    ]);
    expect(flow === null ? null : ownShare(flow)).toBe(1);
  });

  test("Devices that use more than arrives are told, and the home is not below 0", () => {
    const flow = flowOf(power({ load: 9, grid: 9 }), [charger(11)]);
    expect(branchKw(flow?.uses ?? [], "home")).toBe(0);
    expect(flow?.mismatchKw).toBeCloseTo(2);
  });

  test("A silent charger has no power, and its use counts as the home's", () => {
    const flow = flowOf(power({ load: 4, grid: 4 }), [{ ...charger(7), isReachable: false }]);
    expect(flow?.uses).toEqual([
      { kind: "home", kw: 4 },
      { kind: "car", kw: null },
    ]);
  });

  test("A charger that does not charge draws nothing, and one that says nothing of it has no power", () => {
    const stopped = asset("charger", { chargeState: { isCharging: false, chargeRate: null } });
    const carKw = (device: KnownAsset) =>
      flowOf(power({ load: 1, grid: 1 }), [device])?.uses.find(({ kind }) => kind === "car")?.kw;
    expect(carKw(stopped)).toBe(0);
    expect(carKw(charger(null))).toBeNull();
  });

  test("A car at a charger is counted once", () => {
    const car = asset("vehicle", { chargeState: { chargeRate: 7.2 } });
    const flow = flowOf(power({ load: 8, grid: 8 }), [charger(7.4), car]);
    expect(branchKw(flow?.uses ?? [], "car")).toBe(7.4);
  });

  test.each([
    ["the grid", power({ grid: null })],
    ["the load", power({ load: null })],
  ])("Without %s there is no flow", (_what, now) => {
    expect(flowOf(now, [])).toBeNull();
  });

  test("Where nothing flows there is no share", () => {
    const flow = flowOf(power({}), []);
    expect(flow).not.toBeNull();
    expect(flow === null ? 0 : ownShare(flow)).toBeNull();
  });
});
