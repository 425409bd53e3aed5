import type { ConfirmLinkField, LinkField } from "../../domain/linking/link-form.ts";
import type { FieldFault, FieldFaults, LinkFault } from "../../domain/linking/link-view.ts";
import { withoutCredentials } from "../../domain/secret-names.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { LinkForm } from "../contracts/linking.ts";

/** Longer than any credential that a vendor uses. */
const MAX_FIELD_CHARACTERS = 1_000;
const SECRETS: readonly LinkField["kind"][] = ["password", "api-key", "code"];
/** The form value of a ticked checkbox. */
const TICKED = "yes";

/** A number with a decimal point or a decimal comma. */
const NUMBER = /^[-+]?\d{1,12}([.,]\d{1,9})?$/;
/** `2.000` is two thousand in some languages and two in others, so the page asks again. */
const AMBIGUOUS = /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Returns the form's values of the fields that the page showed, by field name; ignores everything else in the form. */
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

/** Returns the controls that a field's details name, without duplicates. */
export function controlsOf({ details }: ConfirmLinkField): readonly ControlPoint[] {
  return [...new Set(details.map(({ point }) => point))];
}

/** Returns the controls of a field that are in `named`. */
export function tickedOf(field: ConfirmLinkField, named: readonly string[]): readonly ControlPoint[] {
  return controlsOf(field).filter((point) => named.includes(point));
}

/** Returns the fault of each field that has one, by field name. */
export function faultsOf(fields: readonly LinkField[], values: Readonly<Record<string, string>>): FieldFaults {
  const faults = fields.map((field) => [field.name, faultOf(field, values[field.name] ?? "")] as const);
  return Object.fromEntries(faults.filter((each): each is [string, FieldFault] => each[1] !== null));
}

/** Returns the fault that the page shows for the whole form; `null` if no field has one. */
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

/** Returns the values for the adapter, with numbers in JavaScript's notation. Values must have no fault. */
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

/** Returns the values that the page may show again after a fault: no secrets, and no passwords inside URLs. */
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
