import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate, TemplateError } from "../../firmware-bridges/homeassistant/template.ts";
import { PayloadError } from "../../firmware-bridges/kit/payload.ts";
import { countedExpect } from "../counted-expect.ts";

const PAYLOAD = JSON.stringify({ a: { b: 3.246, "c d": "7.5" }, list: [10, 20], text: "on", nothing: null });

describe("a template", () => {
  it.each([
    ["{{ value_json.a.b }}", 3.246],
    ['{{ value_json["a"]["c d"] | float }}', 7.5],
    ["{{ value_json.list[1] }}", 20],
    ["{{- value_json.list[0] * 2 + 1 -}}", 21],
    ["{{ (value_json.list[0] - value_json.list[1]) / 4 }}", -2.5],
    ["{{ -value_json.list[0] }}", -10],
    ["{{ value_json.a.b | round(2) }}", 3.25],
    ["{{ value_json.a.b | int }}", 3],
    ["{{ value_json.text | float(0) }}", 0],
    ["{{ value_json.text | float }}", null],
    ["{{ value_json.missing | default(5) }}", 5],
    ["{{ value_json.missing }}", undefined],
    ["{{ value_json.missing * 2 }}", undefined],
    ["{{ value_json.nothing }}", null],
    ["{{ value_json.list[0] / 0 }}", null],
    ["{{ value }}", PAYLOAD],
    ["{{ value_json.list[0] + value_json.a.b | round(1) }}", 13.2],
  ] as const)("%s", (template, expected) => {
    expect(compileTemplate(template)(PAYLOAD)).toEqual(expected);
  });

  it.each([
    ["{{ states('x') }}", '"states"'],
    ["{% if value %}1{% endif %}", "more than one expression"],
    ["{{ value_json.a }} W", "more than one expression"],
    ["{{ value_json.a if value_json.b else 0 }}", '"if"'],
    ["{{ value_json.a | timestamp_local }}", "the filter timestamp_local"],
    ["{{ value_json.a.get('b') }}", "get()"],
    ["{{ value_json == 'x' }}", '"="'],
    [`{{ ${"(".repeat(50)}1${")".repeat(50)} }}`, "nests too deep"],
    [`{{ value_json.${"a".repeat(600)} }}`, "a template of"],
    ["{{ }}", '"nothing"'],
  ])("%s is refused by name", (template, words) => {
    expect(() => compileTemplate(template)).toThrow(TemplateError);
    expect(() => compileTemplate(template)).toThrow(words);
  });

  it("is compiled or refused, and never crashes", () => {
    const expectRefusal = countedExpect();
    const part = fc.constantFrom(
      "value_json",
      ".a",
      "[0]",
      "|",
      "float",
      "round(",
      ")",
      "(",
      "+",
      "-",
      "*",
      "/",
      "1",
      "'x'",
      " ",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        try {
          compileTemplate(`{{ ${parts.join("")} }}`)(PAYLOAD);
        } catch (error) {
          expectRefusal(error instanceof TemplateError || error instanceof PayloadError).toBe(true);
        }
      }),
    );
    expectRefusal.wasCalled();
  });
});
