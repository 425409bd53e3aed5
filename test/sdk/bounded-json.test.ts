import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { BoundedJsonError, boundedJson } from "../../src/sdk/bounded-json.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("bounded JSON", () => {
  test("is parsed up to its depth", () => {
    expect(boundedJson(bytes('{"a":[1,"[[[{"]}'), 2)).toEqual({ a: [1, "[[[{"] });
    expect(() => boundedJson(bytes("[[[1]]]"), 2)).toThrow("more than 2 levels");
  });

  test.each([
    ["a page", "<html>secret</html>", "a page instead of JSON"],
    ["nothing", " ", "nothing (1 bytes)"],
    ["half an answer", '{"token":"secret', "invalid or incomplete JSON (16 bytes)"],
  ])("refuses %s without quoting it", (_name, text, message) => {
    const error = failureOf(() => boundedJson(bytes(text), 8));
    expect(error).toEqual(new BoundedJsonError(message));
    expect(inspect(error, { showHidden: true })).not.toContain("secret");
  });

  test("refuses bytes that are no text", () => {
    expect(() => boundedJson(Uint8Array.of(0x22, 0xff, 0x22), 8)).toThrow("something other than UTF-8 text (3 bytes)");
  });
});
