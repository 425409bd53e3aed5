import type { z } from "zod";
import { isSecretName } from "../domain/secret-names.ts";
import type { Override } from "./environment.ts";
import { allowedValues, childOf, expectedText, isNode, type SchemaNode, schemaAt } from "./json-schema.ts";
import { type ConfigMistake, type ConfigPath, type MistakePlace, pathText, shown } from "./mistake.ts";
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

function wrongValue(issue: z.core.$ZodIssue, path: ConfigPath, context: DiagnosisContext): ConfigMistake {
  const node = schemaAt(context.schema, context.value, path);
  const candidates = candidatesOf(issue, node);
  const given = givenValue(issue);
  const isMissing = given === undefined;
  return {
    place: placeOf(path, "value", context),
    path: pathText(path),
    problem: problemText(issue, isMissing),
    expected: issue.code === "custom" ? null : expectation(node, candidates),
    found: isMissing ? null : foundAt(path, given, node),
    nearest: typeof given === "string" ? nearest(given, candidates) : null,
  };
}

/** What stands at the issue's place. An unknown alternative is reported with the whole map as its input. */
function givenValue(issue: z.core.$ZodIssue): unknown {
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
    const given: unknown = issue.params?.["candidates"];
    return Array.isArray(given) ? given.map(String) : [];
  }
  return isNode(node) ? allowedValues(node) : [];
}

function placeOf(path: ConfigPath, part: "key" | "value", context: DiagnosisContext): MistakePlace {
  const override = context.overrides.find(({ path: own }) => pathText(own) === pathText(path));
  if (override !== undefined) return { kind: "variable", name: override.name };
  return { kind: "file", ...context.source.locate(path, part) };
}

/** A secret is in no message: it goes to the log. A text where a map or a list belongs may be one with its key. */
function foundAt(path: ConfigPath, given: unknown, node: SchemaNode | null): string {
  if (typeof given === "object") return shown(given);
  const isSecret = path.some((part) => typeof part === "string" && isSecretName(part));
  const isSection = node !== null && /^a (map|list)\b/.test(expectedText(node) ?? "");
  return isSecret || (isSection && typeof given === "string") ? "a value that is not shown here" : shown(given);
}
