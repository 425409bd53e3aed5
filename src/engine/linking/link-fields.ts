import type { FieldFault, FieldFaults, LinkFault } from "../../domain/linking/link-view.ts";
import { withoutCredentials } from "../../domain/secret-names.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { ConfirmLinkField, LinkField } from "../../sdk/linking.ts";
import type { LinkForm } from "../contracts/linking.ts";

/** Longer than anything that a vendor asks for. */
const MAX_FIELD_CHARACTERS = 1_000;
const SECRETS: readonly LinkField["kind"][] = ["password", "api-key", "code"];
/** What a box says that is ticked. */
const TICKED = "yes";

/** A number with a decimal sign of any language, as people write it. */
const NUMBER = /^[-+]?\d{1,12}([.,]\d{1,9})?$/;
/** Two thousand for some and two for others: nobody can tell, so it is asked again. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;

/** What the person wrote into the fields that were asked for; nothing else of a form is looked at. */
export function valuesOf(fields: readonly LinkField[], form: LinkForm): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.map((field) => {
      const { name, kind } = field;
      const all = form.fields.get(name) ?? [];
      const written = (all[0] ?? "").slice(0, MAX_FIELD_CHARACTERS);
      if (kind === "confirm" && field.isPerControl === true) return [name, tickedOf(field, all).join(" ")];
      if (kind === "confirm") return [name, written === TICKED ? TICKED : ""];
      // A password may begin or end with a space; nothing else does on purpose.
      return [name, kind === "password" ? written : written.trim()];
    }),
  );
}

/** The controls that a field is about, each once. */
export function controlsOf({ details }: ConfirmLinkField): readonly ControlPoint[] {
  return [...new Set(details.map(({ point }) => point))];
}

/** Those of them that are named. */
export function tickedOf(field: ConfirmLinkField, named: readonly string[]): readonly ControlPoint[] {
  return controlsOf(field).filter((point) => named.includes(point));
}

/** What is wrong, field by field; empty when nothing is. */
export function faultsOf(fields: readonly LinkField[], values: Readonly<Record<string, string>>): FieldFaults {
  const faults = fields.map((field) => [field.name, faultOf(field, values[field.name] ?? "")] as const);
  return Object.fromEntries(faults.filter((each): each is [string, FieldFault] => each[1] !== null));
}

/** What the page says of a form as a whole; null when no field is wrong. */
export function formFault(faults: FieldFaults): LinkFault | null {
  const all = Object.values(faults);
  if (all.length === 0) return null;
  return all.includes("missing") ? "missing-field" : "wrong-value";
}

function faultOf(field: LinkField, value: string): FieldFault | null {
  if (value === "") return field.isOptional === true ? null : "missing";
  if (field.kind !== "number") return null;
  const number = numberOf(value);
  if (number === null) return "not-a-number";
  if (number < field.min) return "too-low";
  return number > field.max ? "too-high" : null;
}

/** What the adapter is told: numbers as JavaScript writes them. Only for values without a fault. */
export function answersOf(
  fields: readonly LinkField[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const numbers = fields.flatMap(({ name, kind }) => {
    const number = kind === "number" ? numberOf(values[name] ?? "") : null;
    return number === null ? [] : [[name, String(number)] as const];
  });
  return { ...values, ...Object.fromEntries(numbers) };
}

function numberOf(text: string): number | null {
  return NUMBER.test(text) && !AMBIGUOUS.test(text) ? Number(text.replace(",", ".")) : null;
}

/** What may be shown again after a mistake: no secret, and no password that stands in an address. */
export function withoutSecrets(
  fields: readonly LinkField[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields
      .filter(({ kind }) => !SECRETS.includes(kind))
      .map(({ name }) => [name, withoutCredentials(values[name] ?? "")]),
  );
}
