import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { describe, expect, test } from "vitest";
import { finding, isSyntaxNode, nodesOf, type Source } from "./syntax.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/**
 * recheck's own limits of time, a second for an attack, call an expression vulnerable where the machine is busy. Without them its
 * limits of steps and its seed decide. One that it cannot decide at all is named after minutes, and not held for safe.
 */
const BY_STEPS = {
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 0,
  timeout: 300_000,
} as const;
const PATIENCE = { timeout: 600_000 };
/** Files that make expressions at run time, of texts that they bound or own. */
const MAKERS = new Set([
  // Of fingerprints in profiles, matched against a register's text; those of our own profiles are literals.
  "adapters/modbus/discovery/match.ts",
  "src/config/profile/profile-schema.ts",
  // Of constants, without anything that repeats ambiguously.
  "src/broker/retained-states.ts",
  "src/engine/discovery/device-descriptions.ts",
  "test/twins/http-devices/digest-guard.ts",
]);

interface Expression {
  readonly pattern: string;
  readonly flags: string;
  readonly place: string;
}

/** The literals of a file, and the patterns that profiles give as text. */
function expressionsIn(source: Source): readonly Expression[] {
  return nodesOf(source).flatMap(({ node, parent }): readonly Expression[] => {
    const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined;
    if (regex !== undefined && regex !== null) return [{ ...regex, place: finding(source, node.start, "") }];
    const isPattern = parent?.type === "Property" && isNamed(parent["key"], "pattern") && parent["value"] === node;
    if (!isPattern || typeof node["value"] !== "string") return [];
    return [{ pattern: node["value"], flags: "", place: finding(source, node.start, "") }];
  });
}

function madeIn(source: Source): readonly string[] {
  return nodesOf(source)
    .filter(({ node }) => /^(New|Call)Expression$/.test(node.type) && isNamed(node["callee"], "RegExp"))
    .map(({ node }) => finding(source, node.start, "an expression that is made at run time is checked by nobody"));
}

function isNamed(node: unknown, name: string): boolean {
  return isSyntaxNode(node) && node["name"] === name;
}

describe("regular expressions", () => {
  const sources = globSync("{src,adapters,firmware-bridges,examples/*/src}/**/*.ts", { cwd: ROOT })
    .toSorted()
    .map((path): Source => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
  const expressions = sources.flatMap(expressionsIn);
  const unique = new Map(expressions.map((each) => [`/${each.pattern}/${each.flags}`, each]));

  test("are found, and the patterns that are given as text too", () => {
    expect(unique.size).toBeGreaterThan(250);
    expect(expressions.map(({ place }) => place).join()).toContain("adapters/modbus/discovery/nameplates.ts");
  });

  test("are made of texts at run time only where that is known to be bounded", () => {
    expect(sources.filter(({ path }) => !MAKERS.has(path)).flatMap(madeIn)).toEqual([]);
  });

  test("take no more than linear time, whatever a device, a vendor or a client says", PATIENCE, async () => {
    const slow: string[] = [];
    for (const [text, { pattern, flags, place }] of unique) {
      const { status } = await check(pattern, flags, BY_STEPS);
      if (status !== "safe") slow.push(`${place}${text}: ${status}`);
    }
    expect(slow).toEqual([]);
  });

  test.each([
    ["automaton", "^\\s*digest\\s+(.*)$", "i"],
    ["fuzz", "^(?!x)\\s*a\\s*(\\s|b)*$", ""],
  ])(
    "an expression with a quadratic worst case is refused by the checker %s",
    PATIENCE,
    async (checker, ...expression) => {
      expect(await check(...expression, BY_STEPS)).toMatchObject({ status: "vulnerable", checker });
    },
  );
});
