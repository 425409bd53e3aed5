import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldsProblem, PAGE_FIELDS } from "../../../src/domain/linking/link-field-names.ts";
import type { LinkField } from "../../../src/sdk/linking.ts";

const UI = new URL("../../../src/ui/link/", import.meta.url).pathname;

function named(...names: readonly string[]): readonly LinkField[] {
  return names.map((name) => ({ name, kind: "text" }));
}

describe("the fields of a link form", () => {
  test.each([...PAGE_FIELDS])("are none that is called %s, as one of the page's own", (name) => {
    expect(fieldsProblem(named(name))).toContain("link page's own");
  });

  test.each(["", "two words", 'a"b', "1st", "ä"])("are none that is called %j", (name) => {
    expect(fieldsProblem(named(name))).toContain("not named");
  });

  test("are called differently", () => {
    expect(fieldsProblem(named("host", "port", "host"))).toBe("the field host stands twice in a form");
  });

  test("take a number that there is", () => {
    const number = { name: "watts", kind: "number", unit: "W" } as const;
    expect(fieldsProblem([{ ...number, min: 5, max: 5 }])).toContain("takes no number");
    expect(fieldsProblem([{ ...number, min: Number.NaN, max: 5 }])).toContain("takes no number");
    expect(fieldsProblem([{ ...number, min: 5, max: 6 }])).toBe(null);
  });

  test("may be called anything else", () => {
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
