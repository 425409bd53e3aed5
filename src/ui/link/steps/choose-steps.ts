/** The pages before a vendor is asked: introduction, brand, service, permissions. */
import type { AssetKind } from "../../../domain/assets/asset.ts";
import { exitUri } from "../../../domain/linking/link.ts";
import type { LinkOffer, LinkStepView } from "../../../domain/linking/link-view.ts";
import { type Html, html } from "../../html.ts";
import { icon } from "../icons.ts";
import { capitalized, type LinkTexts, listOf } from "../link-texts.ts";
import {
  actions,
  backButton,
  brandTile,
  faultNote,
  heading,
  type Scene,
  type StepPage,
  sessionForm,
} from "../parts.ts";

type Of<Step extends LinkStepView["step"]> = Extract<LinkStepView, { readonly step: Step }>;

/** With fewer brands nobody needs to search. */
const SEARCH_FROM = 7;
const PROMISE_ICONS = ["choice", "lock", "undo"] as const;

export function introPage({ offer }: Of<"intro">, scene: Scene): StepPage {
  const { texts, view, app } = scene;
  const { intro } = texts;
  const named =
    offer === null ? intro.title(deviceWords(view.vendorTypes, texts)) : intro.titleBrand(offer.displayName);
  const title = view.isRelink ? intro.titleAgain : named;
  const promises = intro.promises.map(
    (promise, at) => html`
      <li>${icon(PROMISE_ICONS[at] ?? "check")}<div><strong>${promise.title}</strong><span>${promise.text}</span></div></li>
    `,
  );
  const body = html`
    ${heading(title, view.isRelink ? intro.leadAgain(app) : intro.lead(app), kindIcons(view.vendorTypes))}
    <ul class="promises">${promises}</ul>
    ${sessionForm(scene, "continue", actions(intro.begin, scene, { back: false }))}
  `;
  return { title, body, place: 0 };
}

export function brandPage({ offers }: Of<"vendor">, scene: Scene): StepPage {
  const { texts, view, query } = scene;
  const { brand } = texts;
  if (offers.length === 0) {
    const body = html`
      ${heading(brand.empty.title, brand.empty.text, html`<span class="seal">${icon("search")}</span>`)}
      <div class="actions">
        <a class="button button-main" rel="noreferrer" href=${exitUri(view.redirectUri, "invalid_scope")}>
          ${texts.outage.leave}
        </a>
      </div>
    `;
    return { title: brand.empty.title, body, place: null };
  }
  const brands = [...new Map(offers.toReversed().map((offer) => [offer.displayName, offer])).values()].sort((a, b) =>
    a.displayName.localeCompare(b.displayName),
  );
  const searched = query.trim().toLowerCase();
  const shown = brands.filter(({ displayName }) => displayName.toLowerCase().includes(searched));
  const body = html`
    ${heading(brand.title, brand.lead)}
    ${brands.length >= SEARCH_FROM && searchForm(scene)}
    ${sessionForm(
      scene,
      "continue",
      html`
        <ul class="rows" data-brands>
          ${shown.map(({ displayName }) => brandRow(displayName, offers, texts))}
        </ul>
        <p class="nothing" data-nothing hidden=${shown.length > 0}>${brand.none(query)}</p>
        <div class="actions">${backButton(texts)}</div>
      `,
    )}
  `;
  return { title: brand.title, body, place: 1 };
}

function searchForm({ texts, query }: Scene): Html {
  return html`
    <form method="get" class="search" role="search">
      <label class="search-box">
        ${icon("search")}
        <span class="aside">${texts.brand.search}</span>
        <input
          type="search"
          name="q"
          value=${query}
          placeholder=${texts.brand.search}
          autocomplete="off"
          spellcheck="false"
          data-search
        />
      </label>
      <button class="button button-small" type="submit" data-script-hides>${texts.brand.doSearch}</button>
    </form>
  `;
}

function brandRow(name: string, offers: readonly LinkOffer[], texts: LinkTexts): Html {
  const own = offers.filter(({ displayName }) => displayName === name);
  const kinds = [...new Set(own.flatMap(({ vendorTypes }) => vendorTypes))].map((kind) => texts.kinds[kind].one);
  const isOut = own.every(({ linkingStatus }) => linkingStatus === "OUTAGE");
  const isSlow = own.every(({ linkingStatus }) => linkingStatus !== "READY");
  return html`
    <li data-name=${name.toLowerCase()}>
      <button class="row" type="submit" name="brand" value=${name}>
        ${brandTile(name)}
        <span class="row-text">
          <strong>${name}</strong>
          <span>${capitalized(listOf(kinds, texts))}</span>
        </span>
        ${isSlow && html`<span class=${isOut ? "badge badge-bad" : "badge"}>${isOut ? texts.brand.out : texts.brand.slow}</span>`}
        ${icon("chevron")}
      </button>
    </li>
  `;
}

export function servicePage({ offers }: Of<"service">, scene: Scene): StepPage {
  const { texts } = scene;
  const name = offers[0]?.displayName ?? "";
  const title = texts.service.title(name);
  const rows = offers.map(
    ({ id, portalName, method }) => html`
      <li>
        <button class="row" type="submit" name="offer" value=${id}>
          <span class="row-text">
            <strong>${portalName}</strong>
            ${method === "local" && html`<span>${texts.service.local}</span>`}
          </span>
          ${icon("chevron")}
        </button>
      </li>
    `,
  );
  const body = html`
    ${heading(title, texts.service.lead, brandTile(name, "large"))}
    ${sessionForm(scene, "continue", html`<ul class="rows">${rows}</ul><div class="actions">${backButton(texts)}</div>`)}
  `;
  return { title, body, place: 1 };
}

export function outagePage({ offer, canChoose }: Of<"outage">, scene: Scene): StepPage {
  const { texts, view } = scene;
  const title = texts.outage.title(offer.displayName);
  const leave = html`
    <a class=${canChoose ? "button button-quiet" : "button button-main"} rel="noreferrer"
      href=${exitUri(view.redirectUri, "temporarily_unavailable")}>${texts.outage.leave}</a>
  `;
  const body = html`
    ${heading(title, texts.outage.text, html`<span class="seal seal-bad">${icon("alert")}</span>`)}
    ${sessionForm(
      scene,
      "back",
      html`<div class="actions">
        ${canChoose && html`<button class="button button-main" type="submit">${texts.outage.other}</button>`} ${leave}
      </div>`,
    )}
  `;
  return { title, body, place: null };
}

export function consentPage({ offer, scopes, isChoice, fault }: Of<"consent">, scene: Scene): StepPage {
  const { texts, app } = scene;
  const title = texts.consent.title(app);
  const groups = offer.vendorTypes.map((kind) => scopeGroup(kind, scopes, isChoice, texts));
  const body = html`
    ${heading(title, isChoice ? texts.consent.lead(offer.displayName) : texts.consent.leadFixed(offer.displayName), brandTile(offer.displayName, "large"))}
    ${faultNote(fault, scene)}
    ${sessionForm(
      scene,
      "continue",
      html`
        ${groups}
        <p class="fine">${texts.consent.note}</p>
        ${actions(texts.consent.allow, scene)}
      `,
    )}
  `;
  return { title, body, place: 2 };
}

function scopeGroup(kind: AssetKind, scopes: readonly string[], isChoice: boolean, texts: LinkTexts): Html {
  const own = scopes.filter((scope) => scope.startsWith(`${kind}:`));
  const order = [...own].sort((a, b) => Number(isNeeded(b)) - Number(isNeeded(a)));
  return html`
    <fieldset class="group">
      <legend>${icon(kind)}${capitalized(texts.kinds[kind].many)}</legend>
      ${order.map((scope) => scopeRow(scope, isNeeded(scope) || !isChoice, texts))}
    </fieldset>
  `;
}

function scopeRow(scope: string, needed: boolean, texts: LinkTexts): Html {
  const { label, about } = texts.consent.scopes[scope] ?? { label: scope, about: "" };
  return html`
    <label class=${needed ? "check check-fixed" : "check"}>
      <input type="checkbox" name="scope" value=${scope} checked disabled=${needed} />
      <span class="box" aria-hidden="true">${icon("check")}</span>
      <span class="row-text"><strong>${label}</strong><span>${about}</span></span>
      ${needed && html`<span class="badge">${texts.consent.required}</span>`}
    </label>
  `;
}

function isNeeded(scope: string): boolean {
  return scope.endsWith(":read:data");
}

function kindIcons(kinds: readonly AssetKind[]): Html {
  return html`<div class="kinds">${kinds.map((kind) => html`<span class="seal">${icon(kind)}</span>`)}</div>`;
}

function deviceWords(kinds: readonly AssetKind[], texts: LinkTexts): string {
  return listOf(
    kinds.map((kind) => texts.kinds[kind].one),
    texts,
  );
}
