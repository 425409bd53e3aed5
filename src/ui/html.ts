import { html as template } from "htm/preact";
import { type ComponentChildren, Fragment, h } from "preact";
import { renderToString } from "preact-render-to-string";

/** A piece of a page. Everything written into it is escaped. */
export type Html = ComponentChildren;

/** Makes a piece of a page from a template; nothing else does, so no text of a person ever becomes markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Html = template;

/** A whole document as text. */
export function documentText(document: Html): string {
  return `<!doctype html>${renderToString(h(Fragment, null, document))}`;
}
