import type { z } from "zod";

/** What is wrong with an input, a line an issue: `host: at most 253 characters`. No value is repeated. */
export function issueText({ issues }: z.ZodError): string {
  return issues.map((issue) => [...issue.path.map(String), words(issue)].join(": ")).join("\n");
}

function words(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `unknown: ${issue.keys.join(", ")}`;
    case "invalid_type":
      return `missing, or not ${issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`}`;
    case "invalid_value":
      return `expected one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `expected at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `expected at most ${issue.maximum}${unit(issue.origin)}`;
    case "custom":
      return issue.message;
    default:
      return "this value cannot be";
  }
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}
