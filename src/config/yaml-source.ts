import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
} from "yaml";
import type { ConfigMistake, ConfigPath } from "./mistake.ts";

/** A file of this size is no configuration written by people. */
const MAX_CHARACTERS = 1_000_000;
/** Uses of an anchor that a file may make; a few bytes could otherwise unfold into gigabytes. */
const MAX_ALIASES = 100;
const MAX_DEPTH = 50;

export interface YamlSource {
  readonly value: unknown;
  /** Where a value stands, or its key; for what is not in the file, where its nearest parent stands. */
  locate(path: ConfigPath, part: "key" | "value"): { readonly line: number; readonly column: number };
}

export type YamlResult =
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly mistakes: readonly ConfigMistake[] };

/** Reads one YAML document and keeps where everything stands in it. */
export function parseYamlSource(text: string): YamlResult {
  if (text.length > MAX_CHARACTERS) {
    return failure(1, 1, `the file is longer than ${MAX_CHARACTERS} characters`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, version: "1.2" });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    return { ok: false, mistakes: document.errors.map((error) => notYaml(error, text, place(error.pos[0]))) };
  }
  const locate: YamlSource["locate"] = (path, part) => place(offsetOf(document, path, part));
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const isTooDeep = depth(value) > MAX_DEPTH;
    return isTooDeep
      ? failure(1, 1, `nested deeper than ${MAX_DEPTH} levels`)
      : { ok: true, source: { value, locate } };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return failure(1, 1, "the file uses anchors too often, or one that does not exist");
  }
}

function failure(line: number, column: number, problem: string): YamlResult {
  return { ok: false, mistakes: [mistake({ line, column }, problem)] };
}

function mistake(place: { line: number; column: number }, problem: string): ConfigMistake {
  return { place: { kind: "file", ...place }, path: "", problem, expected: null, found: null, nearest: null };
}

function notYaml(error: YAMLError, text: string, place: { line: number; column: number }): ConfigMistake {
  switch (error.code) {
    case "DUPLICATE_KEY": {
      const key = /^[^\s:]*/.exec(text.slice(error.pos[0]))?.[0] ?? "";
      return mistake(place, `the key "${key}" stands here a second time`);
    }
    case "TAB_AS_INDENT":
      return mistake(place, "not YAML: a tab indents this line; indent with spaces");
    case "MULTIPLE_DOCS":
      return mistake(place, "the file holds more than one document (---)");
    default:
      return mistake(place, `not YAML: ${NOT_YAML[error.code] ?? "this cannot be read here"}`);
  }
}

/** What is wrong, by the parser's code. Its own messages quote the file, which holds passwords. */
const NOT_YAML: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  ALIAS_PROPS: "a value that begins with * needs quotes",
  BAD_ALIAS: "a value that begins with * or & needs quotes",
  BAD_DIRECTIVE: "a line that begins with % is not allowed here",
  BAD_DQ_ESCAPE: 'a backslash inside of "…" begins an escape sequence; write \\\\, or use single quotes',
  BAD_INDENT: "the indentation does not fit the lines above",
  BAD_SCALAR_START: "a value that begins with @ or ` needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second key on one line; a value with a colon and a space needs quotes",
  BLOCK_IN_FLOW: "a list or map of several lines cannot be inside of [ ] or { }",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MISSING_CHAR: "a closing quote or bracket, a comma, or the space after a colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key needs a colon and a space after it, on one line",
  MULTIPLE_ANCHORS: "a value that begins with & needs quotes",
  MULTIPLE_TAGS: "a value that begins with ! needs quotes",
  TAG_RESOLVE_FAILED: "a value that begins with ! needs quotes",
  UNEXPECTED_TOKEN: "something stands here that does not belong here; look at the quotes and brackets",
};

function depth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  const open: { readonly item: unknown; readonly level: number }[] = [{ item: value, level: 1 }];
  for (let next = open.pop(); next !== undefined && deepest <= MAX_DEPTH; next = open.pop()) {
    if (typeof next.item !== "object" || next.item === null) continue;
    deepest = Math.max(deepest, next.level);
    for (const child of Object.values(next.item)) open.push({ item: child, level: next.level + 1 });
  }
  return deepest;
}

function offsetOf(document: Document.Parsed, path: ConfigPath, part: "key" | "value"): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    const isLast = index === path.length - 1;
    const child = childNode(node, step);
    if (child === null) return offset;
    offset = (isLast && part === "key" ? child.key : child.value)?.range?.[0] ?? child.key?.range?.[0] ?? offset;
    node = child.value;
  }
  return offset;
}

function childNode(node: Node | null, step: string | number): { key: Node | null; value: Node | null } | null {
  if (isSeq<Node>(node) && typeof step === "number") {
    const value = node.items[step];
    return value === undefined ? null : { key: null, value };
  }
  if (!isMap<Node, Node | null>(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  return pair === undefined ? null : { key: pair.key, value: pair.value };
}

/** Returns the YAML without a section; comments stay. A text that cannot be parsed, or does not have it, is returned as it is. */
export function withoutSection(text: string, name: string): string {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !document.has(name)) return text;
  document.delete(name);
  return document.toString();
}
