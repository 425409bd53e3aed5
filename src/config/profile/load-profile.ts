/** From a file's text to a device profile, or to everything that is wrong with it. Pure. */
import type { z } from "zod";
import { issuesOf } from "../../domain/issue-text.ts";
import type { DeviceProfile, ProfileControl, Provenance } from "../../sdk/profile.ts";
import { type ConfigMistake, type ConfigPath, foundText, pathText } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import { parseYamlSource, type YamlSource } from "../yaml-source.ts";
import { isMap } from "./picked.ts";
import { profileProblems } from "./profile-problems.ts";
import { ProfileSchema } from "./profile-schema.ts";

export type ProfileResult =
  | { readonly ok: true; readonly profile: DeviceProfile }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

/** Reads a profile from YAML, of which JSON is a part. */
export function loadProfile(text: string): ProfileResult {
  const parsed = parseYamlSource(text);
  if (!parsed.ok) return parsed;
  const { source } = parsed;
  if (!isMap(source.value)) {
    const expected = "a map with keys such as id, brand, model, transports, points";
    return { ok: false, mistakes: [mistake(source, [], "this is no device profile", { expected })] };
  }
  const checked = ProfileSchema.safeParse(source.value, { reportInput: true });
  if (!checked.success) {
    return { ok: false, mistakes: issuesOf(checked.error).flatMap((issue) => mistakesOf(issue, source)) };
  }
  const problems = profileProblems(checked.data);
  if (problems.length === 0) return { ok: true, profile: asOwn(checked.data) };
  return { ok: false, mistakes: problems.map(({ path, problem }) => mistake(source, path, problem)) };
}

/** Marks every write as unverified: nobody reviewed the owner's file, so the owner confirms its writes on the device. */
function asOwn(profile: DeviceProfile): DeviceProfile {
  return { ...profile, controls: profile.controls.map(unconfirmed) };
}

function unconfirmed(control: ProfileControl): ProfileControl {
  const { write, hold } = control;
  return {
    ...doubted(control),
    write: "cases" in write ? { cases: write.cases.map((each) => doubted(each)) } : write,
    ...(hold === undefined ? {} : { hold: doubted(hold) }),
  };
}

function doubted<Fact extends Partial<Provenance>>(fact: Fact): Fact {
  return fact.confidence === "cross-checked" ? { ...fact, confidence: "unverified" } : fact;
}

function mistake(
  source: YamlSource,
  path: ConfigPath,
  problem: string,
  more: Partial<Pick<ConfigMistake, "expected" | "found" | "nearest">> = {},
  part: "key" | "value" = "value",
): ConfigMistake {
  const place = { kind: "file" as const, ...source.locate(path, part) };
  return { place, path: pathText(path), problem, expected: null, found: null, nearest: null, ...more };
}

function mistakesOf(issue: z.core.$ZodIssue, source: YamlSource): readonly ConfigMistake[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys") {
    // Its message lists the known keys.
    const known = issue.message.split(", ");
    return issue.keys.map((key) =>
      mistake(
        source,
        [...path, key],
        "unknown key",
        { expected: `one of ${issue.message}`, nearest: nearest(key, known) },
        "key",
      ),
    );
  }
  if (issue.code === "custom") return [mistake(source, path, issue.message)];
  const isMissing = issue.input === undefined;
  const values = issue.code === "invalid_value" ? issue.values.map(String) : [];
  const expected = expectation(issue);
  return [
    mistake(source, path, isMissing ? "missing" : "wrong value", {
      expected,
      found: isMissing ? null : foundText(path, issue.input, expected),
      nearest: typeof issue.input === "string" ? nearest(issue.input, values) : null,
    }),
  ];
}

const KINDS: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a map",
  record: "a map",
};

/** What a place takes, in words. */
function expectation(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return limit("at least", issue.minimum, issue.origin);
    case "too_big":
      return limit("at most", issue.maximum, issue.origin);
    case "invalid_format":
      return issue.format === "regex" ? `text that fits ${issue.pattern ?? "a pattern"}` : issue.format;
    case "invalid_union":
      return unionText(issue);
    default:
      return null;
  }
}

function unionText(issue: Extract<z.core.$ZodIssue, { code: "invalid_union" }>): string | null {
  if (issue.discriminator !== undefined) {
    return `${issue.discriminator}: one of tcp, rtu-over-tcp, udp, rtu, ascii`;
  }
  const kinds = issue.errors.flatMap(([first]) => (first === undefined ? [] : (expectation(first) ?? [])));
  return kinds.length === 0 ? null : [...new Set(kinds)].join(", or ");
}

function limit(bound: string, value: number | bigint, origin: string): string {
  if (origin === "array" || origin === "tuple") return `${bound} ${value} entries`;
  return origin === "string" ? `text of ${bound} ${value} characters` : `${bound} ${value}`;
}
