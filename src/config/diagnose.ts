import type { z } from "zod";
import type { Override } from "./environment.ts";
import { allowedValues, childOf, expectedText, isNode, type SchemaNode, schemaAt } from "./json-schema.ts";
import { type ConfigMistake, type ConfigPath, foundText, type MistakePlace, pathText } from "./mistake.ts";
import { nearest } from "./nearest.ts";
import type { YamlSource } from "./yaml-source.ts";

/** What a configuration is, and where its parts came from. */
export interface DiagnosisContext {
  readonly schema: SchemaNode;
  /** With the overrides in it. */
  readonly value: unknown;
  readonly source: Pick<YamlSource, "locate">;
  readonly overrides: readonly Override[];
}

/** What validation found, in words and with places. An issue about several keys becomes one mistake a key. */
export function diagnose(issues: readonly z.core.$ZodIssue[], context: DiagnosisContext): readonly ConfigMistake[] {
  return issues.flatMap((issue): readonly ConfigMistake[] => {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => unknownKey([...path, key], key, context));
    }
    if (issue.code === "custom" && issue.params?.["isOption"] === true) {
      return [wrongOption(issue.message, issue.params["validNames"], path, context)];
    }
    return [wrongValue(issue, path, context)];
  });
}

function unknownKey(path: ConfigPath, key: string, context: DiagnosisContext): ConfigMistake {
  const parent = schemaAt(context.schema, context.value, path.slice(0, -1));
  const valid = Object.keys(parent?.properties ?? {});
  return {
    place: placeOf(path, "key", context),
    path: pathText(path),
    problem: "unknown key",
    expected: valid.length === 0 ? null : `one of ${valid.join(", ")}`,
    found: null,
    nearest: nearest(key, valid),
  };
}

/** A problem that an adapter found: its message says what was found. */
function wrongOption(message: string, validNames: unknown, path: ConfigPath, context: DiagnosisContext): ConfigMistake {
  const names = Array.isArray(validNames) ? validNames.map(String) : null;
  return {
    place: placeOf(path, names === null ? "value" : "key", context),
    path: pathText(path),
    problem: message,
    expected: null,
    found: null,
    nearest: names === null ? null : nearest(String(path.at(-1)), names),
  };
}

function wrongValue(issue: z.core.$ZodIssue, path: ConfigPath, context: DiagnosisContext): ConfigMistake {
  const node = schemaAt(context.schema, context.value, path);
  const candidates = candidatesOf(issue, node);
  const actual = inputOf(issue);
  const isMissing = actual === undefined;
  return {
    place: placeOf(path, "value", context),
    path: pathText(path),
    problem: problemText(issue, isMissing),
    expected: issue.code === "custom" ? null : expectation(node, candidates),
    found: isMissing ? null : foundText(path, actual, node === null ? null : expectedText(node)),
    nearest: typeof actual === "string" ? nearest(actual, candidates) : null,
  };
}

/** What stands at the issue's place. An unknown alternative is reported with the whole map as its input. */
function inputOf(issue: z.core.$ZodIssue): unknown {
  const isAlternative = issue.code === "invalid_union" && issue.discriminator !== undefined;
  return isAlternative ? childOf(issue.input, issue.discriminator) : issue.input;
}

function problemText(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === "custom") return issue.message;
  if (isMissing) return "missing";
  if (issue.code === "too_big" && issue.origin === "array") return `more than ${issue.maximum} entries`;
  return "wrong value";
}

function expectation(node: SchemaNode | null, candidates: readonly string[]): string | null {
  if (node !== null) return expectedText(node);
  return candidates.length === 0 ? null : `one of ${candidates.join(", ")}`;
}

function candidatesOf(issue: z.core.$ZodIssue, node: SchemaNode | null): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "custom") {
    const listed: unknown = issue.params?.["candidates"];
    return Array.isArray(listed) ? listed.map(String) : [];
  }
  return isNode(node) ? allowedValues(node) : [];
}

function placeOf(path: ConfigPath, part: "key" | "value", context: DiagnosisContext): MistakePlace {
  const override = context.overrides.find(({ path: own }) => pathText(own) === pathText(path));
  if (override !== undefined) return { kind: "variable", name: override.name };
  return { kind: "file", ...context.source.locate(path, part) };
}
