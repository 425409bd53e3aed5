/** The link page: a whole document for each step, complete without scripts. */
import { findLanguage } from "../../domain/language.ts";
import { exitUri } from "../../domain/linking/link.ts";
import type { ClosedLink, LinkView } from "../../domain/linking/link-view.ts";
import { documentText, type Html, html } from "../html.ts";
import { icon } from "./icons.ts";
import { LINK_TEXTS, type LinkTexts, withoutApp } from "./link-texts.ts";
import type { Scene, StepPage } from "./parts.ts";
import { brandPage, consentPage, introPage, outagePage, servicePage } from "./steps/choose-steps.ts";
import { closedPage, devicesPage, donePage, failedPage } from "./steps/end-steps.ts";
import { setupPage } from "./steps/setup-step.ts";
import { awayPage, busyPage, challengePage, searchingPage, signInPage, waitPage } from "./steps/vendor-steps.ts";

/** Introduction, brand, permissions, sign-in, devices. */
const STEPS = 5;

/** What a page is made for beside its session. */
export interface PageRequest {
  /** The Accept-Language header; empty without one. */
  readonly acceptLanguage: string;
  /** The gateway's name in the browser's address bar. */
  readonly host: string;
  /** Where the style and the script are. */
  readonly assets: string;
  /** What was searched for. */
  readonly query: string;
}

/** The page of a session, as HTML. */
export function linkPage(link: LinkView | ClosedLink, request: PageRequest): string {
  const asked = "language" in link ? link.language : "browser";
  const { code, texts: all } = textsFor(asked, request.acceptLanguage);
  const texts = "isOwnPage" in link && link.isOwnPage ? withoutApp(all) : all;
  const scheme = "colorScheme" in link ? link.colorScheme : "system";
  if ("closed" in link) return layout({ code, texts, scheme, exit: null }, closedPage(link, texts), request);
  const view = { ...link, language: code };
  const app = link.appName ?? texts.anApp;
  const page = stepPage({ texts, view, app, query: request.query });
  const isLeft = link.now.step === "done" || page.place === null;
  const exit = isLeft ? null : exitUri(link.redirectUri, "access_denied");
  return layout({ code, texts, scheme, exit }, page, request);
}

function stepPage(scene: Scene): StepPage {
  const { now } = scene.view;
  switch (now.step) {
    case "intro":
      return introPage(now, scene);
    case "vendor":
      return brandPage(now, scene);
    case "service":
      return servicePage(now, scene);
    case "outage":
      return outagePage(now, scene);
    case "consent":
      return consentPage(now, scene);
    case "searching":
      return searchingPage(now, scene);
    case "sign-in":
      return signInPage(now, scene);
    case "challenge":
      return challengePage(now, scene);
    case "away":
      return awayPage(now, scene);
    case "wait":
      return waitPage(now, scene);
    case "busy":
      return busyPage(now, scene);
    case "setup":
      return setupPage(now, scene);
    case "devices":
      return devicesPage(now, scene);
    case "done":
      return donePage(now, scene);
    case "failed":
      return failedPage(scene);
    default:
      return now satisfies never;
  }
}

/** Returns the texts of the language that was asked for; for `browser`, of the first language of the browser that exists. */
function textsFor(asked: string, acceptLanguage: string): { readonly code: string; readonly texts: LinkTexts } {
  const languages = asked === "browser" ? languagesOf(acceptLanguage) : [asked];
  for (const language of languages) {
    const found = findLanguage(LINK_TEXTS, language);
    if (found !== null) return found;
  }
  return { code: "en-US", texts: LINK_TEXTS["en-US"] };
}

/** Returns the languages of an Accept-Language header, the preferred first (RFC 9110, 12.5.4). */
function languagesOf(header: string): readonly string[] {
  return header
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [language = "", quality] = part.trim().split(/;\s*q=/);
      return { language, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ language }) => language);
}

interface Frame {
  readonly code: string;
  readonly texts: LinkTexts;
  readonly scheme: string;
  /** Where "cancel" leads; null on pages that are an end already. */
  readonly exit: string | null;
}

function layout({ code, texts, scheme, exit }: Frame, page: StepPage, { host, assets }: PageRequest): string {
  return documentText(html`
    <html lang=${code} data-scheme=${scheme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content=${scheme === "system" ? "light dark" : scheme} />
        <meta name="robots" content="noindex" />
        ${page.refreshS !== undefined && html`<meta http-equiv="refresh" content=${page.refreshS} />`}
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href=${`${assets}/link.css`} />
        <script src=${`${assets}/link.js`} defer></script>
      </head>
      <body>
        <a class="skip" href="#title">${texts.skipToContent}</a>
        <div class="shell">
          <header class="top">
            <span class="mark">${icon("home")}<span>${texts.gateway}</span></span>
            ${exit !== null && html`<a class="cancel" rel="noreferrer" href=${exit}>${texts.cancel}</a>`}
          </header>
          <main class="card">${progress(page.place, texts)}${page.body}</main>
          <footer class="foot">${icon("home")}<span>${texts.servedFrom(host)}</span></footer>
        </div>
      </body>
    </html>
  `);
}

function progress(place: number | null, texts: LinkTexts): Html {
  if (place === null || place >= STEPS) return null;
  const marks = Array.from({ length: STEPS }, (_none, at) => html`<i class=${at <= place ? "past" : ""}></i>`);
  return html`<div class="progress" role="img" aria-label=${texts.progress(place + 1, STEPS)}>${marks}</div>`;
}
