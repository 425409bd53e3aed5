import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readBody } from "../../../adapters/http-json/answer-body.ts";
import { parsePath, referencesOf, valuesAt } from "../../../adapters/http-json/value-path.ts";
import { countedExpect } from "../../counted-expect.ts";

const DOCUMENT = {
  a: { "b/c": 1, "~": 2, "": 3 },
  list: [
    { kind: "x", value: 10, deep: { id: 7 } },
    { kind: "y", value: null },
    { kind: "y", value: 30 },
  ],
  named: { 1: { soc: 50 }, 2: { soc: 60 } },
};

function at(path: string, known: Readonly<Record<string, unknown>> = {}) {
  return valuesAt(DOCUMENT, parsePath(path), (key) => known[key] ?? null);
}

describe("a path", () => {
  test.each([
    ["/a/b~1c", [1]],
    ["/a/~0", [2]],
    ["/list/0/value", [10]],
    ["/list/*/value", [10, 30]],
    ["/list/[kind=x]/value", [10]],
    // The first that fits decides, also when it has no value.
    ["/list/[kind=y]/value", []],
    ["/list/[deep.id=7]/kind", ["x"]],
    ["/named/*/soc", [50, 60]],
    ["/nothing/of/this", []],
    ["/list/9", []],
    ["/list/length", []],
    ["/a/toString", []],
    ["/a/__proto__", []],
  ])("%s leads to %j", (path, expected) => {
    expect(at(path)).toEqual(expected);
  });

  test("may choose by a value that was read before", () => {
    expect(referencesOf(parsePath("/list/[deep.id=$raw.id]/value"))).toEqual(["raw.id"]);
    expect(at("/list/[deep.id=$raw.id]/value", { "raw.id": 7 })).toEqual([10]);
    expect(at("/list/[deep.id=$raw.id]/value")).toEqual([]);
  });

  test("that goes through a number or a text is malformed", () => {
    expect(() => at("/list/0/value/more")).toThrow("number instead of an object before more");
    expect(() => at("/list/0/kind/*")).toThrow("string instead of an object before *");
  });

  test("never gives what stands not in the document", () => {
    const expectLeaf = countedExpect();
    const expectMalformed = countedExpect();
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.array(fc.stringMatching(/^[a-z0-9*_=[\].]{0,8}$/), { maxLength: 5 }),
        (document, keys) => {
          const path = keys.map((key) => `/${key}`).join("");
          const leaves = new Set(leavesOf(document));
          try {
            for (const value of valuesAt(document, parsePath(path), () => null)) {
              if (typeof value !== "object") expectLeaf(leaves).toContain(value);
            }
          } catch (error) {
            expectMalformed(error).toMatchObject({ kind: "malformed" });
          }
        },
      ),
      { numRuns: 300 },
    );
    expectLeaf.wasCalled();
    expectMalformed.wasCalled();
  });
});

describe("a body", () => {
  test("of any bytes is a document or malformed, in bounded time", () => {
    const expectMalformed = countedExpect();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom("json" as const, "elements" as const),
        (bytes, format) => {
          try {
            readBody(bytes, format, "GET http://device/x");
          } catch (error) {
            const message = expect.stringContaining("GET http://device/x");
            expectMalformed(error).toMatchObject({ kind: "malformed", message });
          }
        },
      ),
      { numRuns: 500 },
    );
    expectMalformed.wasCalled();
  });

  test("with brackets inside a text is not deep", () => {
    expect(readBody(Buffer.from(JSON.stringify({ a: `${"[".repeat(500)}\\"` })), "json", "x")).toBeDefined();
  });

  test("that is no JSON is not quoted in the error", () => {
    const quoted = expect.not.stringContaining("hunter2");
    expect(() => readBody(Buffer.from("hunter2{"), "json", "x")).toThrow(expect.objectContaining({ message: quoted }));
  });
});

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
