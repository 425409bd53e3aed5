import type { LinkField } from "../../sdk/linking.ts";

/** What the page's own forms call what is in them. */
export const PAGE_FIELDS: readonly string[] = ["action", "brand", "device", "key", "offer", "q", "scope"];

/** What becomes part of an element's id. */
const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

/** Why the link page cannot show a form of these fields, in words; null when it can. */
export function fieldsProblem(fields: readonly LinkField[]): string | null {
  const names = new Set<string>();
  for (const field of fields) {
    const { name } = field;
    if (!NAME.test(name)) return `the field "${name}" is not named by letters, digits, dots, dashes and underscores`;
    if (PAGE_FIELDS.includes(name)) return `the field ${name} is called as one of the link page's own`;
    if (names.has(name)) return `the field ${name} stands twice in a form`;
    if (field.kind === "number" && !(field.min < field.max)) return `the field ${name} takes no number`;
    names.add(name);
  }
  return null;
}
