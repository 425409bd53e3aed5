/** The pages at the end: devices, success, failure, and sessions that are closed. */
import { completeUri, exitUri } from "../../../domain/linking/link.ts";
import type { ClosedLink, LinkStepView, OfferedDevice } from "../../../domain/linking/link-view.ts";
import { type Html, html } from "../../html.ts";
import { icon } from "../icons.ts";
import { capitalized, type LinkTexts, listOf } from "../link-texts.ts";
import { actions, faultNote, heading, type Scene, type StepPage, sessionForm } from "../parts.ts";

type Of<Step extends LinkStepView["step"]> = Extract<LinkStepView, { readonly step: Step }>;

export function devicesPage({ canEnter, devices, fault }: Of<"devices">, scene: Scene): StepPage {
  const { texts } = scene;
  const manual = html`
    <button class="button" type="submit" name="action" value="manual" formnovalidate>${texts.devices.manual}</button>
  `;
  const body = html`
    ${heading(texts.devices.title, texts.devices.lead)} ${faultNote(fault, scene)}
    ${sessionForm(
      scene,
      "link",
      html`
        <fieldset class="group">
          <legend class="aside">${texts.devices.title}</legend>
          ${devices.map((device) => deviceRow(device, texts))}
        </fieldset>
        ${actions(texts.devices.confirm, scene, canEnter ? { other: manual } : {})}
      `,
    )}
  `;
  return { title: texts.devices.title, body, place: 4 };
}

function deviceRow(device: OfferedDevice, texts: LinkTexts): Html {
  return html`
    <label class="check">
      <input type="checkbox" name="device" value=${device.key} checked />
      <span class="box" aria-hidden="true">${icon("check")}</span>
      ${deviceText(device, texts, device.isLinked ? texts.devices.linked : null)}
    </label>
  `;
}

/** What a person knows a device by: its name, else its model, else what it is. */
function deviceText({ name, model, detail, vendorTypes }: OfferedDevice, texts: LinkTexts, badge: string | null): Html {
  const kinds = capitalized(
    listOf(
      vendorTypes.map((kind) => texts.kinds[kind].one),
      texts,
    ),
  );
  const title = name ?? model ?? texts.devices.unnamed;
  const more = [kinds, title === model ? null : model, detail].filter((part) => part !== null);
  return html`
    <span class="row-text">
      <strong>${title}</strong>
      <span>${more.join(" · ")}</span>
      ${badge !== null && html`<span class="badge">${badge}</span>`}
    </span>
    <span class="row-kind">${icon(vendorTypes[0] ?? "home")}</span>
  `;
}

export function donePage({ offer, devices }: Of<"done">, { texts, view, app }: Scene): StepPage {
  const { done } = texts;
  const title = view.isRelink ? done.titleAgain : done.title;
  const body = html`
    ${heading(title, done.text(app), html`<span class="seal seal-good">${icon("check")}</span>`)}
    <ul class="rows rows-still">
      ${devices.map((device) => html`<li class="row">${deviceText(device, texts, device.comesLater ? done.later : null)}</li>`)}
    </ul>
    ${devices.some(({ comesLater }) => comesLater) && html`<p class="fine">${done.whyLater(offer.portalName)}</p>`}
    <div class="actions">
      <a class="button button-main" rel="noreferrer" href=${completeUri(view.redirectUri)} data-complete>${done.complete}</a>
    </div>
  `;
  return { title, body, place: 5 };
}

export function failedPage(scene: Scene): StepPage {
  const { texts, view } = scene;
  const { failed } = texts;
  const body = html`
    ${heading(failed.title, failed.text, html`<span class="seal seal-bad">${icon("alert")}</span>`)}
    ${sessionForm(
      scene,
      "continue",
      html`<div class="actions">
        <button class="button button-main" type="submit">${failed.again}</button>
        <a class="button button-quiet" rel="noreferrer" href=${exitUri(view.redirectUri, "server_error")}>${failed.leave}</a>
      </div>`,
    )}
  `;
  return { title: failed.title, body, place: null };
}

export function closedPage(link: ClosedLink, texts: LinkTexts): StepPage {
  const { title, text } = texts.closed[link.closed];
  const sign =
    link.closed === "used" || link.closed === "left" ? "check" : link.closed === "expired" ? "clock" : "search";
  const body = html`
    ${heading(title, text, html`<span class="seal">${icon(sign)}</span>`)}
    ${
      "redirectUri" in link &&
      html`<div class="actions">
        <a class="button button-main" rel="noreferrer" href=${exitUri(link.redirectUri, "invalid_request")}>
          ${texts.closed.leave}
        </a>
      </div>`
    }
  `;
  return { title, body, place: null };
}
