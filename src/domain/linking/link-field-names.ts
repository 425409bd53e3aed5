import type { LinkField } from "./link-form.ts";

/** The field names that the link page itself uses. */
export const PAGE_FIELDS: readonly string[] = ["action", "brand", "device", "key", "offer", "q", "scope"];

/** The names that are allowed; they become part of the ids of HTML elements. */
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

/** Returns why the link page cannot show a form with these fields, in words; `null` if it can. */
export function fieldsProblem(fields: readonly LinkField[]): string | null {
  const names = new Set<string>();
  for (const field of fields) {
    const { name } = field;
    if (!NAME.test(name)) {
      return `the field name "${name}" must be a letter followed by at most 63 letters, digits, dots, dashes and underscores`;
    }
    if (PAGE_FIELDS.includes(name)) return `the field name ${name} is used by the link page itself; choose another one`;
    if (names.has(name)) return `the form has two fields with the name ${name}`;
    if (field.kind === "number" && !(field.min <= field.max)) {
      return `the field ${name} accepts no number: its min is above its max`;
    }
    names.add(name);
  }
  return null;
}
