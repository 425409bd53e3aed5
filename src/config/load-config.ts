/** From a file's text and the environment to a configuration, or to everything that is wrong with it. Pure. */
import { z } from "zod";
import { issuesOf } from "../domain/issue-text.ts";
import type { Adapter } from "../sdk/driver.ts";
import type { ForecastSource } from "../sdk/forecast-source.ts";
import type { MarketSource } from "../sdk/market-source.ts";
import { type Config, configSchema, DeviceBasics } from "./config.ts";
import { type DiagnosisContext, diagnose } from "./diagnose.ts";
import { type Environment, readOverrides, withOverrides } from "./environment.ts";
import { configJsonSchema, isNode, type SchemaNode } from "./json-schema.ts";
import { type ConfigMistake, type ConfigPath, type MistakePlace, pathText, shown } from "./mistake.ts";
import { parseYamlSource, type YamlSource } from "./yaml-source.ts";

export interface ConfigInput {
  readonly text: string;
  readonly environment: Environment;
  readonly adapters: readonly Adapter[];
  /** Where market prices can come from; default nowhere. */
  readonly markets?: readonly MarketSource[];
  /** Who can be asked what the panels will give; default nobody. */
  readonly forecastSources?: readonly ForecastSource[];
  /** What stands in place of the file's sections of these names; places of mistakes in them are the file's still. */
  readonly sections?: Readonly<Record<string, unknown>>;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

export function loadConfig(input: ConfigInput): ConfigResult {
  const { text, environment, adapters, markets, forecastSources, sections = {} } = input;
  const parsed = parseYamlSource(text);
  const schema = configJsonSchema(adapters);
  const { overrides, mistakes: variableMistakes } = readOverrides(schema, environment);
  if (!parsed.ok) return { ok: false, mistakes: inOrder([...parsed.mistakes, ...variableMistakes]) };
  const notAMap = topLevelMistake(parsed.source);
  if (notAMap !== null) return { ok: false, mistakes: inOrder([notAMap, ...variableMistakes]) };

  const file = { ...Object(parsed.source.value), ...sections };
  const value = withOverrides(withEmptySections(file, schema), overrides);
  const checked = configSchema(adapters, markets, forecastSources).safeParse(value, { reportInput: true });
  if (checked.success && variableMistakes.length === 0) return { ok: true, config: checked.data };
  const context: DiagnosisContext = { schema, value, source: parsed.source, overrides };
  const issues = [...issuesOf(checked.error ?? { issues: [] }), ...basicIssues(value, adapters)];
  const mistakes = diagnose(issues, context);
  return { ok: false, mistakes: inOrder([...mistakes, ...variableMistakes]) };
}

/** Where a setting of a right configuration comes from. */
export function placeIn({ text, environment, adapters }: ConfigInput, path: ConfigPath): MistakePlace {
  const override = readOverrides(configJsonSchema(adapters), environment).overrides.find(
    (each) => pathText(each.path) === pathText(path),
  );
  if (override !== undefined) return { kind: "variable", name: override.name };
  const parsed = parseYamlSource(text);
  return { kind: "file", ...(parsed.ok ? parsed.source.locate(path, "value") : { line: 1, column: 1 }) };
}

/** What is wrong with the common keys of devices whose adapter is unknown: the schema stops at the adapter's name. */
function basicIssues(value: unknown, adapters: readonly Adapter[]): readonly z.core.$ZodIssue[] {
  const devices = isNode(value) && Array.isArray(value["devices"]) ? value["devices"] : [];
  const basics = z.looseObject(DeviceBasics.omit({ adapter: true }).shape);
  return devices.flatMap((device: unknown, index) => {
    if (!isNode(device) || adapters.some(({ name }) => name === device["adapter"])) return [];
    const { error } = basics.safeParse(device, { reportInput: true });
    return issuesOf(error ?? { issues: [] }).map((issue) => ({ ...issue, path: ["devices", index, ...issue.path] }));
  });
}

function topLevelMistake({ value, locate }: YamlSource): ConfigMistake | null {
  if (isNode(value)) return null;
  const isEmpty = value === null || value === undefined;
  return {
    place: { kind: "file", ...locate([], "value") },
    path: "",
    problem: isEmpty ? "the file is empty" : "this is not a configuration",
    expected: "a map with keys such as site, http, devices",
    found: isEmpty ? null : shown(value),
    nearest: null,
  };
}

/** A section whose lines are all commented out (`http:` and nothing below) is there with its defaults. */
function withEmptySections(value: unknown, schema: SchemaNode): unknown {
  if (!isNode(value)) return value;
  const parts = Object.entries(value).map(([key, part]): readonly [string, unknown] => {
    const node = schema.properties?.[key];
    if (part !== null || !isNode(node)) return [key, part];
    if (node.type === "object") return [key, {}];
    return [key, node.type === "array" ? [] : part];
  });
  return Object.fromEntries(parts);
}

/** By place in the file; variables last, by name. */
function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  return mistakes.toSorted((a, b) => {
    if (a.place.kind === "file" && b.place.kind === "file") {
      return a.place.line - b.place.line || a.place.column - b.place.column;
    }
    if (a.place.kind === "variable" && b.place.kind === "variable") return a.place.name.localeCompare(b.place.name);
    return a.place.kind === "file" ? -1 : 1;
  });
}
