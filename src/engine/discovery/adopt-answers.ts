/** Checks the request body that adds a found device against the fields that the link page would show. */
import type { AdoptBody } from "../../domain/discovery/discovery.ts";
import type { ConfirmLinkField, LinkField, NumberLinkField } from "../../domain/linking/link-form.ts";
import { type Issue, problem } from "../../domain/problem.ts";
import { controlsOf, tickedOf } from "../linking/link-fields.ts";

/** The request body without the user and the name of the device. */
export type AdoptTerms = Omit<AdoptBody, "userId" | "name" | "saveAnyway">;

/** The prefix of the field names of a profile's settings. */
const SETTING = "settings.";
const TICKED = "yes";
const MAX_ISSUES = 20;

/** Returns the values of the fields for the adapter, and an issue for each value that is missing or wrong. */
export function answersTo(
  fields: readonly LinkField[],
  terms: AdoptTerms,
): { readonly values: Readonly<Record<string, string>>; readonly issues: readonly Issue[] } {
  const answers = fields.map((field) => ({ name: field.name, ...answerTo(field, terms) }));
  return {
    values: Object.fromEntries(answers.map(({ name, value }) => [name, value])),
    issues: [...answers.flatMap(({ issues }) => issues), ...unknownSettings(fields, terms)],
  };
}

/** Returns an issue with a part of the request body. */
export function bodyIssue(code: string, path: Issue["path"], message: string): Issue {
  return { code, path, message, in: "body" };
}

/** Throws `bad-request` with the first 20 issues; does nothing if there are none. */
export function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const reported = issues.slice(0, MAX_ISSUES);
  const detail = reported.map(({ path, message }) => `${["body", ...path].join(".")}: ${message}`).join("; ");
  throw problem("bad-request", detail, { issues: reported });
}

interface Answer {
  readonly value: string;
  readonly issues: readonly Issue[];
}

function answerTo(field: LinkField, terms: AdoptTerms): Answer {
  const { name, kind, initial = "", isOptional = false } = field;
  const { path, value } = valueFor(name, terms);
  const wrong = (code: string, message: string): Answer => ({ value: "", issues: [bodyIssue(code, path, message)] });
  const isLeftOut = value === undefined || value === "" || (kind === "confirm" && isUnticked(value));
  // Only the owner confirms, so a confirmation has no default.
  if (isLeftOut && kind !== "confirm" && initial !== "") return { value: initial, issues: [] };
  if (isLeftOut)
    return isOptional ? { value: "", issues: [] } : wrong("invalid_type", `Required: ${expectation(field)}`);
  switch (kind) {
    case "confirm": {
      const { answer, message } = tickedBy(field, value);
      return message === null ? { value: answer, issues: [] } : wrong("invalid_enum", message);
    }
    case "number":
      return isWithin(field, value) ? { value: String(value), issues: [] } : wrong("custom", expectation(field));
    default:
      return typeof value === "boolean"
        ? wrong("invalid_type", expectation(field))
        : { value: String(value), issues: [] };
  }
}

function isUnticked(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns the value of a confirmation for the adapter, and what is wrong with it; `null` if nothing is. */
function tickedBy(
  field: ConfirmLinkField,
  value: unknown,
): { readonly answer: string; readonly message: string | null } {
  const isPerControl = field.isPerControl === true;
  if (value === true) return { answer: isPerControl ? controlsOf(field).join(" ") : TICKED, message: null };
  if (!isPerControl || !Array.isArray(value)) return { answer: "", message: expectation(field) };
  const named = value.map(String);
  const unknownName = named.find((name) => !controlsOf(field).some((point) => point === name));
  if (unknownName === undefined) return { answer: tickedOf(field, named).join(" "), message: null };
  const possible = controlsOf(field).join(", ");
  return { answer: "", message: `The device has no control "${unknownName}" to confirm; it has ${possible}` };
}

/** Returns the part of the body that belongs to a field, and its value. */
function valueFor(name: string, { options, ...terms }: AdoptTerms) {
  if (name.startsWith(SETTING)) {
    const setting = name.slice(SETTING.length);
    return { path: ["settings", setting], value: terms.settings?.[setting] };
  }
  const isConfirmation = name === "confirmUnverified" || name === "confirmNoFailsafe";
  if (isConfirmation && terms[name] !== undefined) return { path: [name], value: terms[name] };
  return { path: ["options", name], value: options[name] };
}

function isWithin({ min, max }: NumberLinkField, value: unknown): boolean {
  return typeof value === "number" && value >= min && value <= max;
}

function expectation(field: LinkField): string {
  const meaning = field.label?.["en-US"];
  const about = meaning === undefined ? "" : ` (${meaning})`;
  if (field.kind === "confirm") return `true once its owner has confirmed it${about}`;
  if (field.kind !== "number") return `a text${about}`;
  const { min, max, unit } = field;
  return `a number from ${min} to ${max}${unit === "" ? "" : ` ${unit}`}${about}`;
}

function unknownSettings(fields: readonly LinkField[], { settings = {} }: AdoptTerms): readonly Issue[] {
  const known = fields.flatMap(({ name }) => (name.startsWith(SETTING) ? [name.slice(SETTING.length)] : []));
  const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => bodyIssue("unrecognized_keys", ["settings", name], `The device has no such setting; ${has}`));
}
