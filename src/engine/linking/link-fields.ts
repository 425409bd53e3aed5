import type { LinkField } from "../../sdk/linking.ts";
import type { LinkForm } from "../services/linking.ts";

/** Longer than anything that a vendor asks for. */
const MAX_FIELD_CHARACTERS = 1_000;
const SECRETS: readonly LinkField["kind"][] = ["password", "api-key", "code"];

/** What the person wrote into the fields that were asked for; nothing else of a form is looked at. */
export function valuesOf(fields: readonly LinkField[], form: LinkForm): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const written = (form.fields.get(name)?.[0] ?? "").slice(0, MAX_FIELD_CHARACTERS);
      // A password may begin or end with a space; nothing else does on purpose.
      return [name, kind === "password" ? written : written.trim()];
    }),
  );
}

export function hasMissing(fields: readonly LinkField[], values: Readonly<Record<string, string>>): boolean {
  return fields.some(({ name, isOptional = false }) => !isOptional && values[name] === "");
}

/** What may be shown again after a mistake. */
export function withoutSecrets(
  fields: readonly LinkField[],
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.filter(({ kind }) => !SECRETS.includes(kind)).map(({ name }) => [name, values[name] ?? ""]),
  );
}
