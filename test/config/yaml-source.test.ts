import fc from "fast-check";
import { expect, test } from "vitest";
import { parseYamlSource } from "../../src/config/yaml-source.ts";
import { countedExpect } from "../counted-expect.ts";

function source(text: string) {
  const result = parseYamlSource(text);
  if (!result.ok) throw new Error(result.mistakes[0]?.problem);
  return result.source;
}

const TEXT = `site: &house
  name: Home
devices:
  - id: a
  - { id: b, host: c }
other: *house
`;

test.each([
  [["site"], "key", 1, 1],
  [["site", "name"], "key", 2, 3],
  [["site", "name"], "value", 2, 9],
  [["devices", 0, "id"], "value", 4, 9],
  [["devices", 1, "host"], "value", 5, 20],
  [["devices", 1], "value", 5, 5],
  [["other", "name"], "value", 2, 9],
] as const)("%j stands where its %s does", (path, part, line, column) => {
  expect(source(TEXT).locate(path, part)).toEqual({ line, column });
});

test("what is not in the file stands where its nearest parent does", () => {
  expect(source(TEXT).locate(["devices", 1, "unit"], "value")).toEqual({ line: 5, column: 5 });
  expect(source(TEXT).locate(["nowhere", "at", "all"], "key")).toEqual({ line: 1, column: 1 });
});

test("any text is either read or refused with a place in it, and never throws", () => {
  const expectPlace = countedExpect();
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."a: -[]{}&*!|>'\"%@`#\n\t,?") })),
      (text) => {
        const result = parseYamlSource(text);
        if (result.ok) return;
        const lines = text.split("\n").length;
        for (const { place } of result.mistakes) {
          expect(place.kind).toBe("file");
          if (place.kind === "file") {
            expectPlace(place.line).toBeGreaterThanOrEqual(1);
            expect(place.line).toBeLessThanOrEqual(lines);
            expect(place.column).toBeGreaterThanOrEqual(1);
          }
        }
      },
    ),
    { numRuns: 500, seed: 7 },
  );
  expectPlace.wasCalled();
});
