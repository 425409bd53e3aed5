import { finding, nodesOf, type Source } from "./syntax.ts";

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;
/** Tables that are as long as what they describe. */
const TABLES = /\/(profiles|models)\/|\.generated\.ts$/;

/** Files and functions that are too long to be read at once. */
export function sizeProblems(source: Source): readonly string[] {
  const found: string[] = [];
  const lines = lineCount(source.text.trimEnd());
  if (lines > MAX_FILE_LINES && !TABLES.test(source.path)) {
    found.push(finding(source, 0, `${lines} lines are more than ${MAX_FILE_LINES}`));
  }
  for (const { node } of nodesOf(source)) {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) continue;
    const length = lineCount(source.text.slice(node.start, node.end));
    if (length <= MAX_FUNCTION_LINES) continue;
    found.push(finding(source, node.start, `a function of ${length} lines is longer than ${MAX_FUNCTION_LINES}`));
  }
  return found;
}

function lineCount(text: string): number {
  return text.split("\n").length;
}
