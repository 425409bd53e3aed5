/** The page on which the owner decides about one of the chosen devices. */
import type { LinkStepView } from "../../../domain/linking/link-view.ts";
import { html } from "../../html.ts";
import { fieldList } from "../link-field.ts";
import { actions, faultNote, heading, type Scene, type StepPage, sessionForm } from "../parts.ts";

type SetupView = Extract<LinkStepView, { readonly step: "setup" }>;

export function setupPage({ device, fields, written, faults, fault }: SetupView, scene: Scene): StepPage {
  const { devices, setup } = scene.texts;
  const title = setup.title(device.name ?? device.model ?? devices.unnamed);
  const lead = device.detail === null ? setup.lead : `${device.detail}. ${setup.lead}`;
  const body = html`
    ${heading(title, lead)} ${faultNote(fault, scene)}
    ${sessionForm(
      scene,
      "continue",
      html`${fieldList({ fields, written, faults, isRefused: fault !== null, fault }, scene)} ${actions(setup.submit, scene)}`,
    )}
  `;
  return { title, body, place: 4 };
}
