import { describe, expect, test } from "vitest";
import { CODE_BYTES, codeOf, typedCode } from "../../../src/domain/people/code.ts";

describe("a code", () => {
  test("is made of random bytes, without letters that are read as others", () => {
    expect(codeOf(Uint8Array.of(0, 31, 32, 255, 10, 17, 18, 19))).toBe("0Z0Z-AHJK");
    const all = codeOf(Uint8Array.from({ length: CODE_BYTES }, (_each, at) => at * 4));
    expect(all).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  });

  test.each([
    ["K7QM-2FXA", "K7QM-2FXA"],
    ["  k7qm 2fxa ", "K7QM-2FXA"],
    ["K7QM2FXA", "K7QM-2FXA"],
    ["oIl0-2FXA", "0110-2FXA"],
    ["K7QM-2FX", null],
    ["K7QM-2FXAA", null],
    ["K7QM-2FXU", null],
    ["ÄÖÜ7-2FXA", null],
    ["", null],
  ])("that is typed as %j is %j", (typed, code) => {
    expect(typedCode(typed)).toBe(code);
  });
});
