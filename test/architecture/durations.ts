import { finding, isSyntaxNode, nodesOf, type Source, type SyntaxNode } from "./syntax.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A constant or field that holds milliseconds. */
const IN_MS = /(MS|Ms)$/;
/** Tables of devices, with many times in milliseconds beside each other. */
const TABLES = /\/profiles\//;

/**
 * Durations written as numbers: `15 * 60_000`, `3_600_000`, `FLUSH_MS = 300_000`. `duration.ts` has the units, and with
 * them nobody counts zeros.
 */
export function durationProblems(source: Source): readonly string[] {
  if (source.path === "src/domain/duration.ts") return [];
  const found: string[] = [];
  for (const { node, parent } of nodesOf(source)) {
    if (node.type !== "Literal" || typeof node["value"] !== "number" || parent === null) continue;
    const value = node["value"];
    const isFactor = parent.type === "BinaryExpression" && ["*", "/"].includes(String(parent["operator"]));
    const isDuration =
      value === HOUR ||
      value === DAY ||
      (isFactor && value === MINUTE) ||
      (isMinutes(value) && IN_MS.test(holderOf(parent, node)) && !TABLES.test(source.path));
    if (isDuration)
      found.push(finding(source, node.start, `write ${String(node["raw"])} with the constants of duration.ts`));
  }
  return found;
}

/** Whole minutes, more than one; an instant is more than a month. */
function isMinutes(value: number): boolean {
  return value > MINUTE && value <= 31 * DAY && value % MINUTE === 0;
}

/** The name of the constant or field that a value is given to; "" if it is something else. */
function holderOf(parent: SyntaxNode, value: SyntaxNode): string {
  const isHeld = parent["init"] === value || parent["value"] === value;
  const name = parent["id"] ?? parent["key"];
  return isHeld && isSyntaxNode(name) ? String(name["name"] ?? "") : "";
}
