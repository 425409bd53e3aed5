import { describe, expect, it } from "vitest";
import { changed, changesOf, type Json } from "../support/json-changes.ts";

const lines = (document: Json): string => JSON.stringify(document);

describe("the difference of two documents", () => {
  const cases: [what: string, from: Json, to: Json][] = [
    ["an added property in its place", { a: 1, c: 3 }, { a: 1, b: { x: [] }, c: 3 }],
    [
      "several added properties at the start, between and at the end",
      { b: 1, e: 2 },
      { a: 0, b: 1, c: 2, d: 3, e: 2, f: 4 },
    ],
    ["a removed property", { a: 1, b: 2 }, { b: 2 }],
    ["properties in another order", { a: 1, b: 2, c: 3 }, { c: 3, a: 1, b: 4 }],
    ["names with slashes and tildes", { "/a/{b}~": { c: 1 } }, { "/a/{b}~": { c: 2, "~1": 3 } }],
    ["an item of a list", [{ a: 1 }, 2], [{ a: 3 }, 2]],
    ["a list that grew", { a: [1] }, { a: [1, 2] }],
    ["null, text and numbers", { a: null, b: "1" }, { a: 1, b: 1 }],
    ["a list in place of an object", { a: {} }, { a: [] }],
    ["the whole document", [], { a: 1 }],
  ];

  it.each(cases)("rebuilds %s to the letter, in both directions", (_, from, to) => {
    expect(lines(changed(from, changesOf(from, to)))).toBe(lines(to));
    expect(lines(changed(to, changesOf(to, from)))).toBe(lines(from));
  });

  it("is empty between equal documents", () => {
    expect(changesOf({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
  });

  it("names what changed by its path, and nothing that stayed", () => {
    expect(changesOf({ a: { b: 1, c: 2 } }, { a: { b: 1, d: 4, e: 5 } })).toEqual([
      { op: "remove", path: "/a/c" },
      { op: "add", path: "/a/e", value: 5 },
      { op: "add", path: "/a/d", before: "e", value: 4 },
    ]);
  });

  it("fits no document that lacks what it changes", () => {
    expect(() => changed({}, [{ op: "replace", path: "/a", value: 1 }])).toThrow("no /a");
    expect(() => changed({}, [{ op: "remove", path: "/a/b" }])).toThrow("no /a/b");
    expect(() => changed({}, [{ op: "add", path: "/a", before: "b", value: 1 }])).toThrow("no b beside /a");
    expect(() => changed({ a: 1 }, [{ op: "add", path: "/a", value: 1 }])).toThrow("there is already /a");
    expect(() => changed([1], [{ op: "replace", path: "/4", value: 1 }])).toThrow("no /4");
  });
});
