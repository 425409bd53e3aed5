import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldsProblem, PAGE_FIELDS } from "../../../src/domain/linking/link-field-names.ts";
import type { LinkField } from "../../../src/domain/linking/link-form.ts";

const UI = new URL("../../../src/ui/link/", import.meta.url).pathname;

function named(...names: readonly string[]): readonly LinkField[] {
  return names.map((name) => ({ name, kind: "text" }));
}

describe("the fields of a link form", () => {
  test.each([...PAGE_FIELDS])("must not have the name %s, which the page itself uses", (name) => {
    expect(fieldsProblem(named(name))).toContain("is used by the link page itself");
  });

  test.each(["", "two words", 'a"b', "1st", "ä"])("must not have the name %j", (name) => {
    expect(fieldsProblem(named(name))).toContain("must be a letter followed by");
  });

  test("must have different names", () => {
    expect(fieldsProblem(named("host", "port", "host"))).toBe("the form has two fields with the name host");
  });

  test("must accept at least one number", () => {
    const number = { name: "watts", kind: "number", unit: "W" } as const;
    expect(fieldsProblem([{ ...number, min: 6, max: 5 }])).toContain("accepts no number");
    expect(fieldsProblem([{ ...number, min: Number.NaN, max: 5 }])).toContain("accepts no number");
    expect(fieldsProblem([{ ...number, min: 5, max: 6 }])).toBe(null);
  });

  test("may have any other name", () => {
    expect(fieldsProblem(named("host", "meterKey", "settings.maxChargeW", "confirm-it_2"))).toBe(null);
  });
});

test("the page's own fields are those that its forms have", () => {
  const sources = readdirSync(UI, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const text = sources.map((name) => readFileSync(join(UI, name), "utf8")).join("\n");
  const controls = [...text.matchAll(/<(?:input|button|select|textarea)\b[^>]*?\sname="([^"]+)"/g)];
  const found = new Set(controls.map(([, name = ""]) => name));
  expect([...found].toSorted()).toEqual(PAGE_FIELDS.toSorted());
});
