import { describe, expect, test } from "vitest";
import { homesOf, systemsOf } from "../../../src/domain/hem/hem-groups.ts";
import { houseFlows, type MeasuredFlows } from "../../../src/domain/hem/hem-system.ts";

const HERE = "11111111-1111-4111-8111-111111111111";
const THERE = "22222222-2222-4222-8222-222222222222";

function member(id: string, locationId: string | null, userId = "ann") {
  return { id, userId, locationId };
}

describe("systems", () => {
  test("devices of a user at one place are one; one without a place joins the only place there is", () => {
    const members = [member("a", HERE), member("b", HERE), member("c", null), member("d", null, "bob")];
    const { made, kept, gone } = systemsOf(members, []);
    expect(made).toStrictEqual([
      { userId: "ann", locationId: HERE },
      { userId: "bob", locationId: null },
    ]);
    expect([kept, gone]).toStrictEqual([[], []]);
    expect([...homesOf(members)]).toStrictEqual([
      ["ann", HERE],
      ["bob", null],
    ]);
    expect(homesOf([...members, member("e", THERE)]).get("ann")).toBeNull();
  });

  test("a house that moves to a location, or loses it, stays the same system", () => {
    const known = [{ id: "s", userId: "ann", locationId: null }];
    const moved = systemsOf([member("a", HERE)], known);
    expect(moved).toStrictEqual({ kept: [{ id: "s", userId: "ann", locationId: HERE }], made: [], gone: [] });
    expect(systemsOf([member("a", null)], moved.kept).kept).toStrictEqual(known);
  });

  test("another user's system is not taken over; what has no devices left is gone", () => {
    const known = [{ id: "s", userId: "ann", locationId: HERE }];
    expect(systemsOf([member("a", HERE, "bob")], known)).toStrictEqual({
      kept: [],
      made: [{ userId: "bob", locationId: HERE }],
      gone: known,
    });
  });
});

describe("the flows of a house", () => {
  const flow = (inMwh: number, outMwh: number, knownMs = 1) => ({ inMwh, outMwh, knownMs, level: null });
  /** Without an energy manager. */
  const alone = (parts: MeasuredFlows["withoutLoad"]): MeasuredFlows => ({ ...parts, load: [], withoutLoad: parts });

  test("it consumes what came in and did not go out", () => {
    const flows = { inverter: [flow(5e6, 0)], meter: [flow(1e6, 2e6)], battery: [flow(0.5e6, 1.5e6)] };
    expect(houseFlows(alone(flows))).toStrictEqual({
      generation: 5,
      consumption: 5,
      import: 1,
      export: 2,
      charge: 0.5,
      discharge: 1.5,
    });
  });

  test("what nobody measured is null; without a meter so is the consumption, and where it would be less than nothing", () => {
    expect(houseFlows(alone({ inverter: [flow(5e6, 0)], meter: [], battery: [] }))).toMatchObject({
      generation: 5,
      consumption: null,
      import: null,
    });
    const asleep = { inverter: [flow(0, 0, 0)], meter: [flow(1e6, 0)], battery: [] };
    expect(houseFlows(alone(asleep))).toMatchObject({ generation: null, consumption: 1 });
    const exporting = { inverter: [flow(0.98e6, 0)], meter: [flow(0, 1e6)], battery: [] };
    expect(houseFlows(alone(exporting)).consumption).toBe(0);
    expect(houseFlows(alone({ ...exporting, inverter: [] })).consumption).toBeNull();
  });
});
