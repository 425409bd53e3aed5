import { parseAst } from "vitest/node";

/** A node of the syntax tree; which further keys it has depends on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface Source {
  /** From the root of the repository: `src/domain/assets/battery.ts`. */
  readonly path: string;
  readonly text: string;
}

/** A rule's finding: where, and what is wrong there. */
export function finding(source: Source, offset: number, problem: string): string {
  const line = source.text.slice(0, offset).split("\n").length;
  return `${source.path}:${line}: ${problem}`;
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** A node with its parent and the key it stands under. */
interface Place {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | null;
  readonly key: string;
}

/** Several rules look at one file after the other, so each is parsed once for as long as somebody has it. */
const parsed = new WeakMap<Source, readonly Place[]>();

/** All nodes, parents first. */
export function nodesOf(source: Source): readonly Place[] {
  const known = parsed.get(source);
  if (known !== undefined) return known;
  const found = [...walk(source)];
  parsed.set(source, found);
  return found;
}

function* walk(source: Source): Generator<Place> {
  const program: unknown = parseAst(source.text, { lang: "ts" });
  if (!isSyntaxNode(program)) throw new Error(`${source.path} has no syntax tree`);
  const open: Place[] = [{ node: program, parent: null, key: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { node } = next;
    for (const [key, value] of Object.entries(node).toReversed()) {
      const children = Array.isArray(value) ? value.toReversed() : [value];
      for (const child of children) if (isSyntaxNode(child)) open.push({ node: child, parent: node, key });
    }
  }
}

export interface ImportOf {
  readonly specifier: string;
  /** The names taken from it, `*` and `default` among them; empty for an import of nothing. */
  readonly names: readonly string[];
  /** True if running the file loads the module at once: neither a type only nor a dynamic import. */
  readonly isLoaded: boolean;
  readonly offset: number;
}

/** Static, re-exporting and dynamic imports. A dynamic one of a computed name has the specifier "". */
export function importsOf(source: Source): readonly ImportOf[] {
  const found: ImportOf[] = [];
  for (const { node } of nodesOf(source)) {
    const isImport = /^(Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/.test(node.type);
    const from = node["source"] ?? node["argument"];
    if (!isImport || !isSyntaxNode(from)) continue;
    const specifiers = Array.isArray(node["specifiers"]) ? node["specifiers"].filter(isSyntaxNode) : [];
    found.push({
      specifier: typeof from["value"] === "string" ? from["value"] : "",
      names: specifiers.flatMap(importedName),
      isLoaded: node.type.endsWith("Declaration") && (node["importKind"] ?? node["exportKind"]) !== "type",
      offset: node.start,
    });
  }
  return found;
}

function importedName(specifier: SyntaxNode): readonly string[] {
  if (specifier.type === "ImportNamespaceSpecifier") return ["*"];
  if (specifier.type === "ImportDefaultSpecifier") return ["default"];
  return nameOf(specifier["imported"] ?? specifier["local"]);
}

export function nameOf(node: unknown): readonly string[] {
  if (!isSyntaxNode(node)) return [];
  const name = node["name"] ?? node["value"];
  return typeof name === "string" ? [name] : [];
}
