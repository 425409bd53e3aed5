/** The pages on which a vendor or a device is asked: search, sign-in, second factor, vendor's page, device code. */
import type { LinkFault, LinkStepView } from "../../../domain/linking/link-view.ts";
import { html } from "../../html.ts";
import { icon } from "../icons.ts";
import { fieldList } from "../link-field.ts";
import {
  actions,
  backButton,
  brandTile,
  faultNote,
  heading,
  hostOf,
  placeOf,
  type Scene,
  type StepPage,
  sessionForm,
  waiting,
} from "../parts.ts";

const NOT_ABOUT_INPUT: readonly LinkFault[] = [
  "unavailable",
  "rate-limited",
  "no-devices",
  "too-many-devices",
  "too-many-attempts",
  "code-expired",
  "denied",
];

type Of<Step extends LinkStepView["step"]> = Extract<LinkStepView, { readonly step: Step }>;

export function searchingPage({ offer, canEnter }: Of<"searching">, scene: Scene): StepPage {
  const { searching } = scene.texts;
  const body = html`
    ${heading(searching.title, searching.text(offer.displayName), brandTile(offer.displayName, "large"))}
    <div class="radar" role="status"><span></span><span></span><span></span><span class="aside">${searching.title}</span></div>
    ${sessionForm(
      scene,
      "manual",
      html`<div class="actions">
        ${canEnter && html`<button class="button" type="submit">${searching.manual}</button>`}
        ${backButton(scene.texts)}
      </div>`,
    )}
  `;
  return { title: searching.title, body, place: 3, refreshS: 2 };
}

export function signInPage(
  { offer, fields, written, canSearch, faults, fault }: Of<"sign-in">,
  scene: Scene,
): StepPage {
  const { signIn } = scene.texts;
  const isLocal = offer.method === "local";
  const title = isLocal ? signIn.titleLocal(offer.displayName) : signIn.title(offer.portalName);
  const leadLocal = fields.some(({ kind }) => kind === "host") ? signIn.leadLocal : signIn.leadPlate;
  const lead = isLocal ? leadLocal : signIn.lead(offer.portalName);
  const searchAgain = html`
    <button class="button" type="submit" name="action" value="search" formnovalidate>${signIn.searchAgain}</button>
  `;
  const body = html`
    ${heading(title, lead, brandTile(offer.displayName, "large"))} ${faultNote(fault, scene, isLocal)}
    ${sessionForm(
      scene,
      "continue",
      html`
        ${fieldList({ fields, written, faults, isRefused: isAboutInput(fault), fault }, scene)}
        ${!isLocal && html`<p class="fine fine-lock">${icon("lock")}${signIn.privacy}</p>`}
        ${actions(isLocal ? signIn.submitLocal : signIn.submit, scene, canSearch ? { other: searchAgain } : {})}
      `,
    )}
  `;
  return { title, body, place: 3 };
}

/** False for what is nobody's mistake, and for what another page was about. */
function isAboutInput(fault: LinkFault | null): boolean {
  return fault !== null && !NOT_ABOUT_INPUT.includes(fault);
}

export function challengePage({ offer, fields, written, faults, fault }: Of<"challenge">, scene: Scene): StepPage {
  const { challenge: code, press } = scene.texts;
  // Where nothing is to be typed, a button on the device is to be pressed.
  const challenge = fields.length === 0 ? press : code;
  const name = fields.length === 0 ? offer.displayName : offer.portalName;
  const body = html`
    ${heading(challenge.title, challenge.lead(name), brandTile(offer.displayName, "large"))}
    ${faultNote(fault, scene)}
    ${sessionForm(
      scene,
      "continue",
      html`
        ${fieldList({ fields, written, faults, isRefused: isAboutInput(fault), fault }, scene)}
        ${actions(challenge.submit, scene)}
      `,
    )}
  `;
  return { title: challenge.title, body, place: 3 };
}

export function awayPage({ offer, url }: Of<"away">, scene: Scene): StepPage {
  const { away } = scene.texts;
  const title = away.title(offer.portalName);
  const body = html`
    ${heading(title, away.text(hostOf(url)), brandTile(offer.displayName, "large"))}
    ${sessionForm(
      scene,
      "back",
      html`<div class="actions">
        <a class="button button-main" rel="noreferrer" href=${url}>${away.go(offer.portalName)}</a>
        ${backButton(scene.texts)}
      </div>`,
    )}
  `;
  return { title, body, place: 3 };
}

export function waitPage({ offer, url, code, hint }: Of<"wait">, scene: Scene): StepPage {
  const { wait } = scene.texts;
  const where = hint?.[scene.view.language] ?? hint?.["en-US"];
  const title = wait.title(offer.portalName);
  const body = html`
    ${heading(title, wait.text, brandTile(offer.displayName, "large"))}
    <p class="device-code"><span class="aside">${wait.code}: </span>${code}</p>
    ${where !== undefined && html`<p class="fine">${where}</p>`}
    ${waiting(wait.waiting)}
    ${sessionForm(
      scene,
      "back",
      html`<div class="actions">
        <a class="button button-main" rel="noreferrer noopener" target="_blank" href=${url}>${wait.open(hostOf(url))}</a>
        ${backButton(scene.texts)}
      </div>`,
    )}
  `;
  return { title, body, place: 3, refreshS: 3 };
}

export function busyPage({ offer }: Of<"busy">, { texts }: Scene): StepPage {
  const { busy } = texts;
  const body = html`
    ${heading(busy.title, "", brandTile(offer.displayName, "large"))} ${waiting(busy.text(placeOf(offer)))}
  `;
  return { title: busy.title, body, place: 3, refreshS: 2 };
}
