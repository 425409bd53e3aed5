/** What is said of a found device when it is added, held against what the link page would ask of its owner. */
import type { AdoptBody } from "../../domain/discovery/discovery.ts";
import { type Issue, problem } from "../../domain/problem.ts";
import type { ConfirmLinkField, LinkField, NumberLinkField } from "../../sdk/linking.ts";
import { controlsOf, tickedOf } from "../linking/link-fields.ts";

/** What a body says beside whose device it is. */
export type AdoptTerms = Omit<AdoptBody, "userId" | "name">;

/** How a profile's settings are called as fields. */
const SETTING = "settings.";
const TICKED = "yes";
const MAX_ISSUES = 20;

/** The answers to the fields of a form, as its adapter takes them, and what is wrong with what was said. */
export function answersTo(
  fields: readonly LinkField[],
  terms: AdoptTerms,
): { readonly values: Readonly<Record<string, string>>; readonly issues: readonly Issue[] } {
  const answers = fields.map((field) => ({ name: field.name, ...answerTo(field, terms) }));
  return {
    values: Object.fromEntries(answers.map(({ name, value }) => [name, value])),
    issues: [...answers.flatMap(({ issues }) => issues), ...unaskedSettings(fields, terms)],
  };
}

/** One thing that is wrong with a body. */
export function bodyIssue(code: string, path: Issue["path"], message: string): Issue {
  return { code, path, message, in: "body" };
}

/** Throws `bad-request` that names each of the issues; nothing where there is none. */
export function refuse(issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const told = issues.slice(0, MAX_ISSUES);
  const detail = told.map(({ path, message }) => `${["body", ...path].join(".")}: ${message}`).join("; ");
  throw problem("bad-request", detail, { issues: told });
}

interface Answer {
  readonly value: string;
  readonly issues: readonly Issue[];
}

function answerTo(field: LinkField, terms: AdoptTerms): Answer {
  const { name, kind, initial = "", isOptional = false } = field;
  const { path, given } = givenFor(name, terms);
  const wrong = (code: string, message: string): Answer => ({ value: "", issues: [bodyIssue(code, path, message)] });
  const isLeftOut = given === undefined || given === "" || (kind === "confirm" && isUnticked(given));
  // A tick is nobody's but the owner's, so none is taken as read.
  if (isLeftOut && kind !== "confirm" && initial !== "") return { value: initial, issues: [] };
  if (isLeftOut) return isOptional ? { value: "", issues: [] } : wrong("invalid_type", `Required: ${wanted(field)}`);
  switch (kind) {
    case "confirm": {
      const { value, message } = tickedBy(field, given);
      return message === null ? { value, issues: [] } : wrong("invalid_enum", message);
    }
    case "number":
      return isWithin(field, given) ? { value: String(given), issues: [] } : wrong("custom", wanted(field));
    default:
      return typeof given === "boolean" ? wrong("invalid_type", wanted(field)) : { value: String(given), issues: [] };
  }
}

function isUnticked(given: unknown): boolean {
  return given === false || (Array.isArray(given) && given.length === 0);
}

/** The answer to a box, or to one for each control, and what is wrong with what was said. */
function tickedBy(
  field: ConfirmLinkField,
  given: unknown,
): { readonly value: string; readonly message: string | null } {
  const isPerControl = field.isPerControl === true;
  if (given === true) return { value: isPerControl ? controlsOf(field).join(" ") : TICKED, message: null };
  if (!isPerControl || !Array.isArray(given)) return { value: "", message: wanted(field) };
  const named = given.map(String);
  const strange = named.find((name) => !controlsOf(field).some((point) => point === name));
  if (strange === undefined) return { value: tickedOf(field, named).join(" "), message: null };
  const possible = controlsOf(field).join(", ");
  return { value: "", message: `No control "${strange}" of the device waits for it; possible are ${possible}` };
}

/** Where a body says what a field asks for, and what it says there. */
function givenFor(name: string, { options, ...terms }: AdoptTerms) {
  if (name.startsWith(SETTING)) {
    const setting = name.slice(SETTING.length);
    return { path: ["settings", setting], given: terms.settings?.[setting] };
  }
  const isConfirmation = name === "confirmUnverified" || name === "confirmNoFailsafe";
  if (isConfirmation && terms[name] !== undefined) return { path: [name], given: terms[name] };
  return { path: ["options", name], given: options[name] };
}

function isWithin({ min, max }: NumberLinkField, given: unknown): boolean {
  return typeof given === "number" && given >= min && given <= max;
}

function wanted(field: LinkField): string {
  const meaning = field.label?.["en-US"];
  const about = meaning === undefined ? "" : ` (${meaning})`;
  if (field.kind === "confirm") return `true once its owner has confirmed it${about}`;
  if (field.kind !== "number") return `a text${about}`;
  const { min, max, unit } = field;
  return `a number from ${min} to ${max}${unit === "" ? "" : ` ${unit}`}${about}`;
}

function unaskedSettings(fields: readonly LinkField[], { settings = {} }: AdoptTerms): readonly Issue[] {
  const known = fields.flatMap(({ name }) => (name.startsWith(SETTING) ? [name.slice(SETTING.length)] : []));
  const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => bodyIssue("unrecognized_keys", ["settings", name], `The device has no such setting; ${has}`));
}
