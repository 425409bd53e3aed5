import { isNode, type SchemaNode } from "./json-schema.ts";
import type { ConfigMistake, ConfigPath } from "./mistake.ts";
import { nearest } from "./nearest.ts";

const PREFIX = "HEMGATE_";
/** Variables that say where things are, not how the gateway is set up. The command line reads them. */
const PLACES = ["HEMGATE_CONFIG", "HEMGATE_STATE", "HEMGATE_KEY_FILE"] as const;
/** Variables that only the tests read. A gateway in a shell with one of them starts all the same. */
const OF_TESTS: readonly string[] = ["HEMGATE_BUILT", "HEMGATE_FIXTURES", "HEMGATE_LIVES", "HEMGATE_SEED"];

export type Environment = Readonly<Record<string, string | undefined>>;

/** A value of the configuration that a variable replaces. */
export interface Override {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

export interface Overrides {
  readonly overrides: readonly Override[];
  readonly mistakes: readonly ConfigMistake[];
}

/**
 * The variables that override the file: `HEMGATE_` and the parts of the path in capitals, joined by `_`
 * (`http.port` is `HEMGATE_HTTP_PORT`, `compat.namePrefix` is `HEMGATE_COMPAT_NAME_PREFIX`). Lists, so the devices too,
 * are set in the file only. A `HEMGATE_` variable that means nothing is a mistake.
 */
export function readOverrides(schema: SchemaNode, environment: Environment): Overrides {
  const known = new Map(scalarPlaces(schema, []).map((place) => [variableName(place.path), place]));
  const names = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !isOther(name));
  const overrides: Override[] = [];
  const mistakes: ConfigMistake[] = [];
  for (const name of names.toSorted()) {
    const text = environment[name];
    const place = known.get(name);
    if (text === undefined) continue;
    if (place === undefined) mistakes.push(unknownVariable(name, [...known.keys(), ...PLACES]));
    else overrides.push({ name, path: place.path, value: typed(place.node, text) });
  }
  return { overrides, mistakes };
}

/** The configuration with the overrides in it. A section that is not a map stays: that is the file's own mistake. */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  return overrides.reduce((result, { path, value: replacement }) => replaced(result, path, replacement), value);
}

/** Returns true for a variable that is not a setting. */
function isOther(name: string): boolean {
  return OF_TESTS.includes(name) || PLACES.some((place) => place === name);
}

function variableName(path: ConfigPath): string {
  const parts = path.map((part) => String(part).replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
  return `${PREFIX}${parts.join("_").toUpperCase()}`;
}

interface ScalarPlace {
  readonly path: readonly string[];
  readonly node: SchemaNode;
}

function scalarPlaces(node: SchemaNode, path: readonly string[]): readonly ScalarPlace[] {
  if (node.type === "array") return [];
  if (node.properties === undefined) return [{ path, node }];
  return Object.entries(node.properties).flatMap(([key, child]) =>
    isNode(child) ? scalarPlaces(child, [...path, key]) : [],
  );
}

/** The text as the type that the place takes; text that is not of that type stays, and validation reports it. */
function typed(node: SchemaNode, text: string): unknown {
  if (node.type === "integer" || node.type === "number") {
    return /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  }
  if (node.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function replaced(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  const section = value ?? {};
  if (typeof section !== "object" || Array.isArray(section)) return value;
  const before: unknown = Object.hasOwn(section, first) ? Reflect.get(section, first) : undefined;
  return { ...section, [first]: replaced(before, rest, replacement) };
}

function unknownVariable(name: string, candidates: readonly string[]): ConfigMistake {
  return {
    place: { kind: "variable", name },
    path: "",
    problem: "no such setting",
    expected: null,
    found: null,
    nearest: nearest(name, candidates),
  };
}
