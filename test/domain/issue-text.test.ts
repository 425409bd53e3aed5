import { describe, expect, test } from "vitest";
import { z } from "zod";
import { issuesOf, issueText } from "../../src/domain/issue-text.ts";

const SECRET = "hunter2-hunter2-hunter2";

function wordsFor(schema: z.ZodType, input: unknown): string {
  const { error } = schema.safeParse(input);
  return error === undefined ? "" : issueText(error);
}

const CASES: readonly (readonly [z.ZodType, unknown, string])[] = [
  [z.string(), undefined, "Required: expected a string"],
  [z.string(), null, "Expected a string, received null"],
  [z.string(), [SECRET], "Expected a string, received a list"],
  [z.string(), { password: SECRET }, "Expected a string, received an object"],
  [z.string(), true, "Expected a string, received a boolean"],
  [z.number(), SECRET, "Expected a number, received a string"],
  [z.number(), Number.NaN, "Expected a number, received a number that is not finite"],
  [z.int(), 1.5, "Expected a whole number, received a number with decimals"],
  [z.boolean(), SECRET, "Expected true or false, received a string"],
  [z.array(z.number()), SECRET, "Expected a list, received a string"],
  [z.record(z.string(), z.number()), SECRET, "Expected an object, received a string"],
  [z.enum(["FULL", "FAST"]), SECRET, "Expected one of FULL, FAST"],
  [z.enum(["FULL", "FAST"]), undefined, "Required: expected one of FULL, FAST"],
  [z.literal(true), SECRET, "Expected true"],
  [z.string().min(1), "", "Expected at least 1 character"],
  [z.string().max(3), SECRET, "Expected at most 3 characters"],
  [z.string().length(3), SECRET, "Expected exactly 3 characters"],
  [z.number().positive(), 0, "Expected more than 0"],
  [z.number().min(6).max(32), 33, "Expected at most 32"],
  [z.number().lt(4), 4, "Expected less than 4"],
  [z.array(z.string()).max(1), [SECRET, SECRET], "Expected at most 1 entry"],
  [z.number().multipleOf(5), 3, "Expected a multiple of 5"],
  [z.uuid(), SECRET, "Expected a UUID such as 0e8fd8f1-5c2a-4b8e-9a54-3f3d5d2f4c11"],
  [z.url(), SECRET, "Expected a URL such as https://example.com/path"],
  [z.iso.datetime({ offset: true }), SECRET, "Expected a date and time such as 2026-03-29T12:00:00Z"],
  [z.iso.date(), SECRET, "Expected a date such as 2026-03-29"],
  [z.ipv4(), SECRET, "Expected an IPv4 address such as 192.168.1.40"],
  [z.string().startsWith("mqtt"), SECRET, 'Expected a string that begins with "mqtt"'],
  [z.string().regex(/^[a-z]+$/), SECRET, "Expected a string that matches /^[a-z]+$/"],
  [z.strictObject({}), { other: SECRET }, 'Unknown key "other"'],
  [z.strictObject({}), { ["x".repeat(70)]: SECRET }, `Unknown key "${"x".repeat(64)}…"`],
  [z.record(z.string().max(2), z.number()), { long: 1 }, "long: A key of this object has a name that is not allowed"],
  [z.map(z.string(), z.number()), new Map([["a", SECRET]]), "a: Expected a number, received a string"],
  [z.union([z.number(), z.array(z.number())]), SECRET, "Expected a number or a list, received a string"],
  [z.union([z.object({ a: z.number() }), z.object({ b: z.number() })]), {}, "Expected one of the documented forms"],
  [z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]), { kind: SECRET }, "kind: Expected a"],
  [z.string().refine(() => false), SECRET, "This value is not allowed here"],
  [z.string().refine(() => false, { error: "our own words" }), SECRET, "our own words"],
  [z.object({ a: z.object({ b: z.string() }) }), { a: {} }, "a: b: Required: expected a string"],
];

describe("the sentence for what a schema finds wrong", () => {
  test.each(CASES)("is the gateway's own and repeats no value, case %#", (schema, input, words) => {
    expect(wordsFor(schema, input)).toBe(words);
  });

  test("stands in every issue of the process, not only where it is asked for", () => {
    expect(z.int().safeParse(0.5).error?.issues).toMatchObject([
      { message: "Expected a whole number, received a number with decimals" },
    ]);
  });
});

test.each([
  ["a list where a text belongs", z.object({ secret: z.string().min(6) }), { secret: [SECRET] }],
  ["a text where a list belongs", z.object({ secret: z.array(z.string()).max(3) }), { secret: SECRET }],
])("%s is one issue, although it has a length, too", (_what, schema, input) => {
  const { error } = schema.safeParse(input);
  if (error === undefined) throw new Error("expected an issue");
  expect(issuesOf(error)).toMatchObject([{ code: "invalid_type", path: ["secret"] }]);
  expect(issueText(error).split("\n")).toHaveLength(1);
});
