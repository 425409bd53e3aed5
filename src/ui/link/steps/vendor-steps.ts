/** The pages on which a vendor or a device is asked: search, sign-in, second factor, vendor's page, device code. */
import type { LinkStepView } from "../../../domain/link-view.ts";
import type { LinkField, LinkFieldKind } from "../../../sdk/linking.ts";
import { type Html, html } from "../../html.ts";
import { icon } from "../icons.ts";
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

type Of<Step extends LinkStepView["step"]> = Extract<LinkStepView, { readonly step: Step }>;

/** How a browser helps with each kind of field. */
const INPUTS: Readonly<Record<LinkFieldKind, Readonly<Record<string, string>>>> = {
  username: { type: "text", autocomplete: "username", autocapitalize: "none", spellcheck: "false" },
  email: { type: "email", autocomplete: "username", inputmode: "email", autocapitalize: "none", spellcheck: "false" },
  password: { type: "password", autocomplete: "current-password" },
  "api-key": { type: "password", autocomplete: "off", spellcheck: "false" },
  code: { type: "text", autocomplete: "one-time-code", inputmode: "numeric", spellcheck: "false" },
  host: { type: "text", autocomplete: "off", inputmode: "url", autocapitalize: "none", spellcheck: "false" },
  port: { type: "text", autocomplete: "off", inputmode: "numeric" },
  unit: { type: "text", autocomplete: "off", inputmode: "numeric" },
  text: { type: "text", autocomplete: "off" },
};

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

export function signInPage({ offer, fields, written, canSearch, fault }: Of<"sign-in">, scene: Scene): StepPage {
  const { signIn } = scene.texts;
  const isLocal = offer.method === "local";
  const title = isLocal ? signIn.titleLocal(offer.displayName) : signIn.title(offer.portalName);
  const leadLocal = fields.some(({ kind }) => kind === "host") ? signIn.leadLocal : signIn.leadPlate;
  const lead = isLocal ? leadLocal : signIn.lead(offer.portalName);
  const searchAgain = html`
    <button class="button" type="submit" name="action" value="search" formnovalidate>${signIn.searchAgain}</button>
  `;
  const isTried = fault !== null && fault !== "no-devices";
  const body = html`
    ${heading(title, lead, brandTile(offer.displayName, "large"))} ${faultNote(fault, scene, isLocal)}
    ${sessionForm(
      scene,
      "continue",
      html`
        ${fields.map((field, at) => input(field, written[field.name] ?? field.initial ?? "", scene, at === 0, isTried))}
        ${!isLocal && html`<p class="fine fine-lock">${icon("lock")}${signIn.privacy}</p>`}
        ${actions(isLocal ? signIn.submitLocal : signIn.submit, scene, canSearch ? { other: searchAgain } : {})}
      `,
    )}
  `;
  return { title, body, place: 3 };
}

export function challengePage({ offer, fields, fault }: Of<"challenge">, scene: Scene): StepPage {
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
        ${fields.map((field, at) => input(field, field.initial ?? "", scene, at === 0, fault !== null))}
        ${actions(challenge.submit, scene)}
      `,
    )}
  `;
  return { title: challenge.title, body, place: 3 };
}

function input(field: LinkField, value: string, { texts, view }: Scene, isFirst: boolean, isBad: boolean): Html {
  const { signIn } = texts;
  const { name, kind } = field;
  const id = `field-${name}`;
  // A hint of the kind would say something else than a label of the vendor's own.
  const known = field.label === undefined ? signIn.fields[kind] : { label: field.label["en-US"] };
  const label = field.label?.[view.language] ?? known.label;
  const isSecret = kind === "password" || kind === "api-key";
  return html`
    <div class="field">
      <label for=${id}>
        ${label}${field.isOptional === true && html`<span class="optional"> (${signIn.optional})</span>`}
      </label>
      <div class="input">
        <input
          id=${id}
          name=${name}
          value=${value}
          class=${kind === "code" ? "code" : ""}
          required=${field.isOptional !== true}
          aria-invalid=${isBad ? "true" : undefined}
          aria-describedby=${known.hint === undefined ? undefined : `${id}-hint`}
          autofocus=${isFirst}
          ...${INPUTS[kind]}
        />
        ${isSecret && html`<button class="reveal" type="button" data-reveal=${id} data-show=${signIn.show} data-hide=${signIn.hide} aria-controls=${id} hidden>${signIn.show}</button>`}
      </div>
      ${known.hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${known.hint}</p>`}
    </div>
  `;
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

export function waitPage({ offer, url, code }: Of<"wait">, scene: Scene): StepPage {
  const { wait } = scene.texts;
  const title = wait.title(offer.portalName);
  const body = html`
    ${heading(title, wait.text, brandTile(offer.displayName, "large"))}
    <p class="device-code"><span class="aside">${wait.code}: </span>${code}</p>
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
