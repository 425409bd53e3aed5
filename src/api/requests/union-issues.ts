/** Explains what is wrong with an input that may have one of several shapes. */
import type { z } from "zod";

type ZodIssue = z.core.$ZodIssue;
type UnionIssue = Extract<ZodIssue, { code: "invalid_union" }>;
type ValueIssue = Extract<ZodIssue, { code: "invalid_value" }>;

/**
 * Returns the issues of the most likely shape: of those whose fixed values fit, the one with the fewest issues. Where
 * no shape's fixed values fit, the issue lists all possible values. Empty if neither can be determined.
 */
export function likelyIssues({ errors, path, ...issue }: UnionIssue): readonly ZodIssue[] {
  if ("discriminator" in issue && "options" in issue) return [];
  const shapes = [...errors].toSorted((a, b) => a.length - b.length);
  const likely = shapes.find((issues) => !issues.some(isValueIssue));
  return (likely ?? possibleValues(shapes)).map((each) => ({ ...each, path: [...path, ...each.path] }));
}

function possibleValues(shapes: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const first = shapes[0]?.find(isValueIssue);
  if (first === undefined) return [];
  const place = first.path.join();
  const there = shapes
    .flat()
    .filter(isValueIssue)
    .filter(({ path }) => path.join() === place);
  const values = [...new Set(there.flatMap((each) => each.values))];
  return [{ ...first, values, message: `Expected one of ${values.map(String).join(", ")}` }];
}

function isValueIssue(issue: ZodIssue): issue is ValueIssue {
  return issue.code === "invalid_value";
}
