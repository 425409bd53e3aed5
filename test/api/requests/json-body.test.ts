import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonBody } from "../../../src/api/requests/json-body.ts";
import { findJsonFault } from "../../../src/api/requests/json-fault.ts";
import { ProblemError } from "../../../src/domain/problem.ts";

function parse(text: string | Uint8Array, encoding?: string): unknown {
  return parseJsonBody(typeof text === "string" ? Buffer.from(text) : text, encoding);
}

function failure(text: string | Uint8Array, encoding?: string): ProblemError {
  try {
    parse(text, encoding);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("a body of JSON", () => {
  it("is read as JSON.parse reads it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/"(?:__proto__|constructor|prototype)"/.test(text));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("that is empty is none", () => {
    expect(parse("")).toBeUndefined();
  });

  it.each([
    '{"__proto__": {"isAdmin": true}}',
    '{"a": [{"__proto__": null}]}',
    '{"\\u005f_proto__": 1}',
    '{"constructor": {"prototype": {"isAdmin": true}}}',
    '{"a": {"prototype": 1}}',
  ])("with the trap %s is refused and changes no object", (text) => {
    expect(failure(text)).toMatchObject({ slug: "bad-request", issues: [{ code: "unrecognized_keys", in: "body" }] });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it("nested deeper than any real one is refused", () => {
    const text = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    expect(failure(text).message).toBe("The body is nested deeper than 32.");
  });

  it("that is not UTF-8 is refused", () => {
    expect(failure(Uint8Array.of(0x22, 0xff, 0x22)).message).toBe("The body is not UTF-8.");
  });

  it("that is compressed is refused", () => {
    expect(failure("{}", "gzip").slug).toBe("unsupported-media-type");
  });
});

describe("broken JSON is told with its place", () => {
  it.each([
    ['{"a": 1', "line 1, column 8: expected a comma or the end of the list or object"],
    ['{"a": 1,}', "line 1, column 9: expected a quoted key"],
    ["{a: 1}", "line 1, column 2: expected a quoted key or }"],
    ['{"a" 1}', "line 1, column 6: expected a colon"],
    ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: expected a comma or the end of the list or object"],
    ["[1, 2,, 3]", "line 1, column 7: expected a value"],
    ["{}{}", "line 1, column 3: expected nothing more"],
    ["nul", "line 1, column 1: expected a value"],
    ['{"a": 01}', "line 1, column 7: expected a value"],
    ['{"a": NaN}', "line 1, column 7: expected a value"],
    ["['a']", "line 1, column 2: expected a value or ]"],
    ['"\t"', "line 1, column 1: expected a value"],
  ])("%j", (text, where) => {
    expect(failure(text).message).toBe(`The body is not JSON: ${where}.`);
  });

  it("and a place is found exactly when JSON.parse refuses", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"\\u00e9"',
      "1",
      "-0.5e3",
      "true",
      " ",
      "\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join("");
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
