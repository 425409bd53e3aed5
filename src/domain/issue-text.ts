/** The gateway's texts for schema errors. Importing this module replaces Zod's texts everywhere in the process. */
import { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;

/** Names from the input are cut to this length in error texts. */
const MAX_NAME_CHARACTERS = 64;

z.config({ customError: issueMessage });

/** Returns one line for each issue, such as `host: Expected at most 253 characters`. Values of the input do not appear. */
export function issueText(error: z.ZodError): string {
  return issuesOf(error)
    .map((issue) => [...issue.path.map(String), issue.message].join(": "))
    .join("\n");
}

/**
 * Returns the issues of an error, one for a value of the wrong type: Zod also compares the length of a list with that of
 * the text it expects there.
 */
export function issuesOf({ issues }: Pick<z.core.$ZodError, "issues">): readonly z.core.$ZodIssue[] {
  const wrongTypes = new Set(issues.filter(({ code }) => code === "invalid_type").map(placeOf));
  return issues.filter((issue) => !isLength(issue) || !wrongTypes.has(placeOf(issue)));
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).join("\n");
}

function isLength({ code }: z.core.$ZodIssue): boolean {
  return code === "too_small" || code === "too_big";
}

/** Returns the text of an issue whose schema has none: what was expected, and which type was received, never the value. */
function issueMessage(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, issue.input);
    case "invalid_value":
      return `${issue.input === undefined ? "Required: expected" : "Expected"} ${oneOf(issue.values.map(String))}`;
    case "too_small":
      return `Expected ${limit(issue.exact, issue.inclusive, "at least", "more than")} ${amount(issue.minimum, issue.origin)}`;
    case "too_big":
      return `Expected ${limit(issue.exact, issue.inclusive, "at most", "less than")} ${amount(issue.maximum, issue.origin)}`;
    case "not_multiple_of":
      return `Expected a multiple of ${issue.divisor}`;
    case "invalid_format":
      return wrongFormat(issue);
    case "unrecognized_keys":
      return `Unknown key${issue.keys.length === 1 ? "" : "s"} ${issue.keys.map((key) => `"${shortName(key)}"`).join(", ")}`;
    case "invalid_key":
      return "A key of this object has a name that is not allowed";
    case "invalid_element":
      return "An entry of this list is not valid";
    case "invalid_union":
      return wrongAlternative(issue);
    default:
      return "This value is not allowed here";
  }
}

/** Returns the first 64 characters of a name from the input. */
export function shortName(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
}

const TYPES: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  bigint: "a whole number",
  nan: "a number",
  string: "a string",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  map: "an object",
  date: "a date",
};

function wrongType(expected: string, input: unknown): string {
  const type = TYPES[expected] ?? expected;
  return input === undefined ? `Required: expected ${type}` : `Expected ${type}, received ${typeOf(input)}`;
}

/** Returns the type of a value in words, never the value. */
function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return numberType(value);
  return typeof value === "boolean" ? "a boolean" : (TYPES[typeof value] ?? typeof value);
}

function numberType(value: number): string {
  if (!Number.isFinite(value)) return "a number that is not finite";
  return Number.isInteger(value) ? "a number" : "a number with decimals";
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `${values[0]}` : `one of ${values.join(", ")}`;
}

function limit(isExact = false, isInclusive = true, inclusive: string, exclusive: string): string {
  if (isExact) return "exactly";
  return isInclusive ? inclusive : exclusive;
}

function amount(count: number | bigint, origin: string): string {
  const plural = Number(count) === 1 ? 0 : 1;
  const unit = { string: ["character", "characters"], array: ["entry", "entries"], set: ["entry", "entries"] }[origin];
  return unit === undefined ? String(count) : `${count} ${unit[plural]}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL such as https://example.com/path",
  uuid: "a UUID such as 0e8fd8f1-5c2a-4b8e-9a54-3f3d5d2f4c11",
  datetime: "a date and time such as 2026-03-29T12:00:00Z",
  date: "a date such as 2026-03-29",
  time: "a time such as 12:00:00",
  ipv4: "an IPv4 address such as 192.168.1.40",
  ipv6: "an IPv6 address",
  mac: "a MAC address",
  base64: "base64",
  base64url: "base64url",
  json_string: "JSON",
};

function wrongFormat(issue: Extract<RawIssue, { code: "invalid_format" }>): string {
  const named = FORMATS[issue.format];
  if (named !== undefined) return `Expected ${named}`;
  if (issue.format === "starts_with") return `Expected a string that begins with "${issue.prefix}"`;
  if (issue.format === "ends_with") return `Expected a string that ends with "${issue.suffix}"`;
  if (issue.format === "includes") return `Expected a string that contains "${issue.includes}"`;
  const { pattern } = issue;
  return typeof pattern === "string"
    ? `Expected a string that matches ${pattern}`
    : "Expected a string of another form";
}

function wrongAlternative(issue: Extract<RawIssue, { code: "invalid_union" }>): string {
  const { discriminator, options, errors, input } = issue;
  if (discriminator !== undefined && Array.isArray(options)) return `Expected ${oneOf(options.map(String))}`;
  const kinds = errors.map(kindOf);
  if (kinds.length === 0 || kinds.includes(null)) return "Expected one of the documented forms";
  const types = [...new Set(kinds)].join(" or ");
  return input === undefined ? `Required: expected ${types}` : `Expected ${types}, received ${typeOf(input)}`;
}

/** Returns the type that one alternative of a union expects, in words; `null` if the value has that type. */
function kindOf([issue]: readonly z.core.$ZodIssue[]): string | null {
  if (issue === undefined || issue.path.length > 0) return null;
  if (issue.code === "invalid_type") return TYPES[issue.expected] ?? issue.expected;
  return issue.code === "invalid_value" ? oneOf(issue.values.map(String)) : null;
}
