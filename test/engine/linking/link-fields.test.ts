import { describe, expect, test } from "vitest";
import { answersOf, faultsOf, formFault, valuesOf } from "../../../src/engine/linking/link-fields.ts";
import type { LinkField } from "../../../src/sdk/linking.ts";

const WATTS: LinkField = { name: "watts", kind: "number", unit: "W", min: 100, max: 5_000 };
const SHARE: LinkField = { name: "share", kind: "number", unit: "%", min: -1, max: 1, isOptional: true };
const AGREED: LinkField = { name: "agreed", kind: "confirm", details: [] };
const EXTRA: LinkField = { ...AGREED, name: "extra", isOptional: true };

function form(fields: Readonly<Record<string, string>>) {
  return {
    key: "",
    action: "continue",
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, [value]])),
  };
}

describe("a number of a form", () => {
  test.each([
    ["", "missing"],
    ["much", "not-a-number"],
    ["1e3", "not-a-number"],
    ["0x200", "not-a-number"],
    ["Infinity", "not-a-number"],
    ["NaN", "not-a-number"],
    ["1.2.3", "not-a-number"],
    ["99.9", "too-low"],
    ["-200", "too-low"],
    ["5000,1", "too-high"],
  ])("is refused as %j: %s", (written, fault) => {
    expect(faultsOf([WATTS], { watts: written })).toEqual({ watts: fault });
  });

  test.each(["2.000", "2,000", "12,500"])("is asked again as %s, which is two numbers", (written) => {
    expect(faultsOf([WATTS], { watts: written })).toEqual({ watts: "not-a-number" });
  });

  test.each([
    ["100", "100"],
    ["5000", "5000"],
    ["2500,5", "2500.5"],
    ["2500.5", "2500.5"],
    ["+200", "200"],
  ])("is taken as %s", (written, told) => {
    expect(faultsOf([WATTS], { watts: written })).toEqual({});
    expect(answersOf([WATTS], { watts: written })).toEqual({ watts: told });
  });

  test("may be small, negative or left out where it is allowed", () => {
    expect(faultsOf([SHARE], { share: "" })).toEqual({});
    expect(answersOf([SHARE], { share: "" })).toEqual({ share: "" });
    expect(answersOf([SHARE], { share: "-0,125" })).toEqual({ share: "-0.125" });
    expect(faultsOf([SHARE], { share: "-0,125" })).toEqual({});
  });
});

describe("a box of a form", () => {
  test("is ticked by its own word only", () => {
    expect(valuesOf([AGREED], form({ agreed: "yes" }))).toEqual({ agreed: "yes" });
    for (const other of ["on", "true", "YES", ""])
      expect(valuesOf([AGREED], form({ agreed: other }))).toEqual({ agreed: "" });
    expect(valuesOf([AGREED], form({}))).toEqual({ agreed: "" });
  });

  test("has to be ticked unless it is optional", () => {
    expect(faultsOf([AGREED, EXTRA], { agreed: "", extra: "" })).toEqual({ agreed: "missing" });
  });
});

describe("a box for each control", () => {
  const detail = { values: null, confidence: "derived", source: "a guess", isTimer: false } as const;
  const ON_OFF = { ...detail, point: "charger.enabled" } as const;
  const CURRENT = { ...detail, point: "charger.maxCurrent" } as const;
  const EACH: LinkField = { ...EXTRA, name: "each", isPerControl: true, details: [ON_OFF, CURRENT, ON_OFF] };

  test.each([
    [[], ""],
    [["charger.maxCurrent"], "charger.maxCurrent"],
    [["charger.maxCurrent", "charger.enabled", "charger.enabled"], "charger.enabled charger.maxCurrent"],
    [["yes", "battery.mode", "charger.enabled charger.maxCurrent"], ""],
  ])("ticked as %j is answered as %j", (written, told) => {
    const filled = { ...form({}), fields: new Map([["each", written]]) };
    expect(valuesOf([EACH], filled)).toEqual({ each: told });
    expect(faultsOf([{ ...EACH, isOptional: false }], { each: told })).toEqual(told === "" ? { each: "missing" } : {});
  });
});

test("a form with a gap says so before it says that something is wrong", () => {
  expect(formFault({})).toBe(null);
  expect(formFault({ watts: "too-low" })).toBe("wrong-value");
  expect(formFault({ watts: "too-low", agreed: "missing" })).toBe("missing-field");
});
