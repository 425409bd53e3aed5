import { describe, expect, test } from "vitest";
import type { LinkField } from "../../../src/domain/linking/link-form.ts";
import { answersOf, faultsOf, formFault, valuesOf } from "../../../src/engine/linking/link-fields.ts";

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

describe("link form numbers", () => {
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
  ])("The link form refuses the number %j as %s", (written, fault) => {
    expect(faultsOf([WATTS], { watts: written })).toEqual({ watts: fault });
  });

  test.each(["2.000", "2,000", "12,500"])(
    "The link form refuses %s because it can be read as two numbers",
    (written) => {
      expect(faultsOf([WATTS], { watts: written })).toEqual({ watts: "not-a-number" });
    },
  );

  test.each([
    ["100", "100"],
    ["5000", "5000"],
    ["2500,5", "2500.5"],
    ["2500.5", "2500.5"],
    ["+200", "200"],
  ])("The link form passes the number %s to the adapter as %s", (written, passed) => {
    expect(faultsOf([WATTS], { watts: written })).toEqual({});
    expect(answersOf([WATTS], { watts: written })).toEqual({ watts: passed });
  });

  test("The link form accepts a fraction, a negative number or no number where the field allows it", () => {
    expect(faultsOf([SHARE], { share: "" })).toEqual({});
    expect(answersOf([SHARE], { share: "" })).toEqual({ share: "" });
    expect(answersOf([SHARE], { share: "-0,125" })).toEqual({ share: "-0.125" });
    expect(faultsOf([SHARE], { share: "-0,125" })).toEqual({});
  });
});

describe("link form checkboxes", () => {
  test("A checkbox of the link form is ticked only by the value yes", () => {
    expect(valuesOf([AGREED], form({ agreed: "yes" }))).toEqual({ agreed: "yes" });
    for (const other of ["on", "true", "YES", ""])
      expect(valuesOf([AGREED], form({ agreed: other }))).toEqual({ agreed: "" });
    expect(valuesOf([AGREED], form({}))).toEqual({ agreed: "" });
  });

  test("A checkbox of the link form must be ticked unless it is optional", () => {
    expect(faultsOf([AGREED, EXTRA], { agreed: "", extra: "" })).toEqual({ agreed: "missing" });
  });
});

describe("link form checkboxes per control", () => {
  const detail = { values: null, confidence: "derived", source: "a guess", isTimer: false } as const;
  const ON_OFF = { ...detail, point: "charger.enabled" } as const;
  const CURRENT = { ...detail, point: "charger.maxCurrent" } as const;
  const EACH: LinkField = { ...EXTRA, name: "each", isPerControl: true, details: [ON_OFF, CURRENT, ON_OFF] };

  test.each([
    [[], ""],
    [["charger.maxCurrent"], "charger.maxCurrent"],
    [["charger.maxCurrent", "charger.enabled", "charger.enabled"], "charger.enabled charger.maxCurrent"],
    [["yes", "battery.mode", "charger.enabled charger.maxCurrent"], ""],
  ])("Checkboxes per control that are ticked as %j give the answer %j", (written, answer) => {
    const filled = { ...form({}), fields: new Map([["each", written]]) };
    expect(valuesOf([EACH], filled)).toEqual({ each: answer });
    expect(faultsOf([{ ...EACH, isOptional: false }], { each: answer })).toEqual(
      answer === "" ? { each: "missing" } : {},
    );
  });
});

test("A link form with a missing field and a wrong one reports the missing field", () => {
  expect(formFault({})).toBe(null);
  expect(formFault({ watts: "too-low" })).toBe("wrong-value");
  expect(formFault({ watts: "too-low", agreed: "missing" })).toBe("missing-field");
});
