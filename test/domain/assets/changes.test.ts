import { expect, test } from "vitest";
import { changesBetween } from "../../../src/domain/assets/changes.ts";
import { patch } from "../../../src/domain/patch.ts";

test("names the leaves that changed, with dots, and an array as one", () => {
  const before = { id: "a", state: { level: 1, mode: "X", lastUpdated: "t1" }, scopes: ["a"] };
  const after = { id: "a", state: { level: 2, mode: "Y", lastUpdated: "t2" }, scopes: ["a", "b"] };
  expect(changesBetween(before, after)).toEqual({ paths: ["state.level", "state.mode", "scopes"], isDiscrete: true });
});

test("stamps of freshness alone are no news", () => {
  const before = { lastSeen: "t1", state: { level: 1, lastUpdated: "t1" } };
  const after = { lastSeen: "t2", state: { level: 1, lastUpdated: "t2" } };
  expect(changesBetween(before, after)).toEqual({ paths: [], isDiscrete: false });
});

test("a number that moves is not discrete; one that becomes known is", () => {
  expect(changesBetween({ level: 1 }, { level: 2 }).isDiscrete).toBe(false);
  expect(changesBetween({ level: null }, { level: 2 }).isDiscrete).toBe(true);
  expect(changesBetween({ level: 1 }, { level: null }).isDiscrete).toBe(true);
});

test("equal arrays of different identity are no change", () => {
  expect(changesBetween({ scopes: ["a"] }, { scopes: ["a"] }).paths).toEqual([]);
});

test("a patch that changes nothing is the same object", () => {
  const before = { a: 1, b: null };
  expect(patch(before, { a: 1 })).toBe(before);
  expect(patch(before, { a: 2 })).toEqual({ a: 2, b: null });
});

test("a part that came to be is named by its leaves, one that is gone by itself", () => {
  const plan = { id: "p", costs: { smart: 1, plain: 2 }, lastUpdated: "t1" };
  expect(changesBetween({ plan: null }, { plan }).paths).toEqual(["plan.id", "plan.costs.smart", "plan.costs.plain"]);
  expect(changesBetween({}, { plan }).paths).toEqual(["plan.id", "plan.costs.smart", "plan.costs.plain"]);
  expect(changesBetween({ plan }, { plan: null }).paths).toEqual(["plan"]);
  expect(changesBetween({ plan }, {})).toEqual({ paths: ["plan"], isDiscrete: true });
  expect(changesBetween({ state: { pairedId: "x", level: 1 } }, { state: { level: 1 } }).paths).toEqual([
    "state.pairedId",
  ]);
});

test("arrays of equal objects are no change", () => {
  const at = (id: string, isOn: boolean) => ({ list: [{ id, more: { isOn } }] });
  expect(changesBetween(at("a", true), at("a", true)).paths).toEqual([]);
  expect(changesBetween(at("a", true), at("a", false)).paths).toEqual(["list"]);
  expect(changesBetween({ list: [{ a: 1 }] }, { list: [{ a: 1, b: 2 }] }).paths).toEqual(["list"]);
});
