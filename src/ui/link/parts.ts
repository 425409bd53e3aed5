/** What the steps of the link page are put together from. */
import type { LinkFault, LinkOffer, LinkView } from "../../domain/linking/link-view.ts";
import { type Html, html } from "../html.ts";
import { icon } from "./icons.ts";
import type { LinkTexts } from "./link-texts.ts";

/** What every step is shown with. */
export interface Scene {
  readonly texts: LinkTexts;
  readonly view: LinkView;
  /** The app, as a sentence begins with it. */
  readonly app: string;
  /** What was searched for, where the browser runs no scripts. */
  readonly query: string;
}

/** Progress through the pages, for those that are part of it. */
export interface StepPage {
  readonly title: string;
  readonly body: Html;
  /** Null: outside the row of steps. */
  readonly place: number | null;
  /** The page looks again by itself after so many seconds. */
  readonly refreshS?: number;
}

/** Colours of the tiles, defined in the style. */
const TONES = 8;

/** A brand's tile with its first letters; the gateway carries no logos of others. */
export function brandTile(name: string, size: "small" | "large" = "small"): Html {
  const letters = name.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(0, 2);
  const tone = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7) % TONES;
  return html`<span class=${`tile tile-${size} tone-${tone}`} aria-hidden="true">${letters}</span>`;
}

/** The heading of a step. */
export function heading(title: string, lead: string, above: Html = null): Html {
  return html`
    <div class="heading">
      ${above}
      <h1 id="title" tabindex="-1">${title}</h1>
      ${lead !== "" && html`<p class="lead">${lead}</p>`}
    </div>
  `;
}

/** What went wrong, where a screen reader says it at once. */
export function faultNote(fault: LinkFault | null, { texts }: Scene, isLocal = false): Html {
  if (fault === null) return null;
  const isHint = fault === "no-devices" && isLocal;
  const text = isHint ? texts.faults.noDevicesLocal : texts.faults[fault];
  return html`<div class=${isHint ? "note" : "note note-bad"} role="alert">${icon("alert")}<p>${text}</p></div>`;
}

/** A form of the session. Its answer goes to the page's own address. */
export function sessionForm({ view }: Scene, action: string, content: Html): Html {
  return html`
    <form method="post" class="form" novalidate>
      <input type="hidden" name="key" value=${view.formKey} />
      <input type="hidden" name="action" value=${action} />
      ${content}
    </form>
  `;
}

/** The buttons of a step. The first in the document is the one that the enter key presses. */
export function actions(
  main: string,
  { texts }: Scene,
  more: { readonly back?: boolean; readonly other?: Html } = {},
): Html {
  return html`
    <div class="actions">
      <button class="button button-main" type="submit">${main}</button>
      ${more.other ?? null}
      ${more.back !== false && backButton(texts)}
    </div>
  `;
}

export function backButton(texts: LinkTexts): Html {
  return html`<button class="button button-quiet" type="submit" name="action" value="back" formnovalidate>
    ${texts.back}
  </button>`;
}

/** Where the page waits for something: it moves, and says so. */
export function waiting(text: string): Html {
  return html`<div class="waiting" role="status"><span class="spinner" aria-hidden="true"></span><p>${text}</p></div>`;
}

/** The host of an address that the page leads to. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** What a brand's offer is called where the person signs in or looks for it. */
export function placeOf({ method, displayName, portalName }: LinkOffer): string {
  return method === "local" ? displayName : portalName;
}
