/** Converts Zod's issues into those of the API (rule S3.1). */
import type { FastifySchemaCompiler } from "fastify";
import type { z } from "zod";
import { issuesOf, shortName } from "../../domain/issue-text.ts";
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import { isSecretName, withoutCredentials } from "../../domain/secret-names.ts";
import { likelyIssues } from "./union-issues.ts";

/** More than these are not listed: a long list of wrong items says the same thing often. */
const MAX_ISSUES = 20;

const CONTAINERS = new Set(["object", "record", "array", "tuple", "map"]);

type Place = Issue["in"];
type ZodIssue = z.core.$ZodIssue;

/** Checks a part of a request against its Zod schema; what fails is a `bad-request` with issues. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const place = placeOf(httpPart);
  /** What an empty query becomes: most requests have none. */
  let ofNothing: { readonly value: unknown } | null = null;
  return (input: unknown) => {
    const isNothing = place === "query" && Object.keys(Object(input)).length === 0;
    if (isNothing && ofNothing !== null) return ofNothing;
    const result = schema.safeParse(input);
    if (!result.success) return { error: refusalOf(result.error, place, input) };
    if (isNothing) ofNothing = { value: Object.freeze(result.data) };
    return { value: result.data };
  };
};

function placeOf(httpPart: string | undefined): Place {
  if (httpPart === "params") return "path";
  if (httpPart === "querystring") return "query";
  return httpPart === "headers" ? "header" : "body";
}

/** What Zod found wrong with a part of a request, as a `bad-request`. */
export function refusalOf(error: z.ZodError, place: Place, input: unknown): ProblemError {
  const issues = issuesOf(error)
    .flatMap((issue) => answered(issue, place, input))
    .slice(0, MAX_ISSUES);
  if (place === "body" && input === null) return problem("bad-request", "The request needs a JSON body.", { issues });
  const [first, second] = issues;
  const detail =
    first === undefined || second !== undefined
      ? "The request has several errors; see `issues`."
      : `${[first.in, ...first.path].join(".")}: ${first.message}`;
  return problem("bad-request", detail, { issues });
}

function answered(issue: ZodIssue, place: Place, input: unknown): readonly Issue[] {
  const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const name = shortName(key);
      return { code: issue.code, path: [...path, name], message: `Unknown key "${name}"`, in: place };
    });
  }
  if (issue.code === "invalid_union") {
    const likely = likelyIssues(issue);
    if (likely.length > 0) return likely.flatMap((each) => answered(each, place, input));
  }
  return [{ code: codeOf(issue), path, message: issue.message, in: place, ...comparison(issue, path, input) }];
}

function codeOf(issue: ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return "invalid_enum";
    case "invalid_union":
      // Of the shapes there may be, none has this value in the field that tells them apart.
      return issue.discriminator === undefined ? "custom" : "invalid_enum";
    case "invalid_format":
      return "invalid_string";
    case "invalid_type":
    case "too_small":
    case "too_big":
      return issue.code;
    case "custom":
      return typeof issue.params?.["code"] === "string" ? issue.params["code"] : "custom";
    default:
      return "custom";
  }
}

function comparison(
  issue: ZodIssue,
  path: readonly (string | number)[],
  input: unknown,
): Pick<Issue, "expected" | "received"> {
  const value = valueAt(input, path);
  const isSecret = path.some((part) => typeof part === "string" && isSecretName(part));
  // A text where an object or a list belongs may be the secret that belongs into it.
  const isWhole = issue.code === "invalid_type" && CONTAINERS.has(issue.expected);
  const received = isSecret || isWhole ? typeName(value) : describe(value);
  switch (issue.code) {
    case "invalid_type":
      return { expected: issue.expected, received };
    case "invalid_value":
      return { expected: issue.values.map(String).join(" | "), received };
    case "too_small":
      return { expected: `${issue.inclusive === false ? ">" : ">="} ${issue.minimum}`, received };
    case "too_big":
      return { expected: `${issue.inclusive === false ? "<" : "<="} ${issue.maximum}`, received };
    default:
      return {};
  }
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** What JSON calls the type of a secret. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "array" : typeof value;
}

/** The type of a value, or the value itself when it is short and plain. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "array";
  return typeof value === "object"
    ? "object"
    : shortName(JSON.stringify(typeof value === "string" ? withoutCredentials(value) : value));
}
