/** The fields of the link page's forms. */
import type { FieldFault, FieldFaults } from "../../domain/link-view.ts";
import type { ConfirmLinkField, LinkDetail, LinkField, LinkFieldKind } from "../../sdk/linking.ts";
import { type Html, html } from "../html.ts";
import { icon } from "./icons.ts";
import type { LinkTexts } from "./link-texts.ts";
import type { Scene } from "./parts.ts";

/** How a browser helps with each kind of field that is typed. */
const INPUTS: Readonly<Record<Exclude<LinkFieldKind, "confirm">, Readonly<Record<string, string>>>> = {
  username: { type: "text", autocomplete: "username", autocapitalize: "none", spellcheck: "false" },
  email: { type: "email", autocomplete: "username", inputmode: "email", autocapitalize: "none", spellcheck: "false" },
  password: { type: "password", autocomplete: "current-password" },
  "api-key": { type: "password", autocomplete: "off", spellcheck: "false" },
  code: { type: "text", autocomplete: "one-time-code", inputmode: "numeric", spellcheck: "false" },
  host: { type: "text", autocomplete: "off", inputmode: "url", autocapitalize: "none", spellcheck: "false" },
  port: { type: "text", autocomplete: "off", inputmode: "numeric" },
  unit: { type: "text", autocomplete: "off", inputmode: "numeric" },
  text: { type: "text", autocomplete: "off" },
  number: { type: "text", autocomplete: "off", inputmode: "decimal" },
};

export interface Fields {
  readonly fields: readonly LinkField[];
  readonly written: Readonly<Record<string, string>>;
  readonly faults: FieldFaults;
  /** What was written was refused as a whole: nobody can tell which field it was. False: something else went wrong. */
  readonly isRefused: boolean;
}

/** The fields of a form. The cursor is in the first that is wrong, else in the first that is empty, else in the first. */
export function fieldList({ fields, written, faults, isRefused }: Fields, scene: Scene): Html {
  const names = Object.keys(faults);
  const textIn = ({ name, initial = "" }: LinkField): string => written[name] ?? initial;
  const empty = fields.find((field) => field.isOptional !== true && textIn(field) === "");
  const focused = fields.find(({ name }) => names.includes(name)) ?? empty ?? fields[0];
  return fields.map((field) => {
    const fault = faults[field.name] ?? null;
    const shown = {
      value: textIn(field),
      fault,
      isBad: fault !== null || (isRefused && names.length === 0),
      isFocused: field === focused,
    };
    if (field.kind !== "confirm") return input(field, shown, scene);
    return field.isPerControl === true ? choices(field, shown, scene) : confirmation(field, shown, scene);
  });
}

interface Shown {
  readonly value: string;
  readonly fault: FieldFault | null;
  readonly isBad: boolean;
  readonly isFocused: boolean;
}

/** What stands at a field, and what describes it to a screen reader. */
function wordsOf(field: LinkField, { fault }: Pick<Shown, "fault">, { texts, view }: Scene) {
  const known = texts.signIn.fields[field.kind];
  const label = field.label?.[view.language] ?? field.label?.["en-US"] ?? known.label;
  // A hint of the kind would say something else than a label of the vendor's own.
  const ofKind = field.label === undefined ? known.hint : undefined;
  const hint = field.hint?.[view.language] ?? field.hint?.["en-US"] ?? ofKind;
  const range = field.kind === "number" ? texts.setup.range(field.min, field.max, field.unit) : undefined;
  const id = `field-${field.name}`;
  const error = fault === null ? undefined : faultText(fault, field, texts);
  const hints = [range, hint].filter((each) => each !== undefined).join(" ");
  const describedBy = [error !== undefined && `${id}-error`, hints !== "" && `${id}-hint`].filter(Boolean).join(" ");
  return { id, label, hints, error, describedBy: describedBy === "" ? undefined : describedBy };
}

function faultText(fault: FieldFault, field: LinkField, { setup }: LinkTexts): string {
  if (fault === "missing") return field.kind === "confirm" ? setup.faults.unticked : setup.faults.missing;
  if (fault === "not-a-number" || field.kind !== "number") return setup.faults.notANumber;
  const { min, max, unit } = field;
  return fault === "too-low" ? setup.faults.tooLow(min, unit) : setup.faults.tooHigh(max, unit);
}

function notes({ id, hints, error }: ReturnType<typeof wordsOf>): Html {
  return html`
    ${error !== undefined && html`<p class="field-error" id=${`${id}-error`}>${error}</p>`}
    ${hints !== "" && html`<p class="hint" id=${`${id}-hint`}>${hints}</p>`}
  `;
}

function input(field: Exclude<LinkField, ConfirmLinkField>, shown: Shown, scene: Scene): Html {
  const { signIn } = scene.texts;
  const { name, kind } = field;
  const words = wordsOf(field, shown, scene);
  const { id, label } = words;
  const isSecret = kind === "password" || kind === "api-key";
  const unit = kind === "number" ? field.unit : "";
  return html`
    <div class="field">
      <label for=${id}>
        ${label}${unit !== "" && html`<span class="optional"> (${unit})</span>`}${field.isOptional === true && html`<span class="optional"> (${signIn.optional})</span>`}
      </label>
      <div class="input">
        <input
          id=${id}
          name=${name}
          value=${shown.value}
          class=${kind === "code" ? "code" : ""}
          required=${field.isOptional !== true}
          aria-invalid=${shown.isBad ? "true" : undefined}
          aria-describedby=${words.describedBy}
          autofocus=${shown.isFocused}
          ...${INPUTS[kind]}
        />
        ${isSecret && html`<button class="reveal" type="button" data-reveal=${id} data-show=${signIn.show} data-hide=${signIn.hide} aria-controls=${id} hidden>${signIn.show}</button>`}
      </div>
      ${notes(words)}
    </div>
  `;
}

/** What a tick does stands above it, so that it is read before. */
function confirmation(field: ConfirmLinkField, shown: Shown, scene: Scene): Html {
  const { name, details } = field;
  const words = wordsOf(field, shown, scene);
  const { id, label } = words;
  const list = details.length === 0 ? undefined : `${id}-details`;
  return html`
    <div class="field">
      ${notes(words)}
      ${list !== undefined && html`<ul class="details" id=${list}>${details.map((each) => detailRow(each, scene.texts))}</ul>`}
      <div class="group">
        <label class="check">
          <input
            type="checkbox"
            id=${id}
            name=${name}
            value="yes"
            checked=${shown.value === "yes"}
            required=${field.isOptional !== true}
            aria-invalid=${shown.isBad ? "true" : undefined}
            aria-describedby=${[words.describedBy, list].filter(Boolean).join(" ") || undefined}
            autofocus=${shown.isFocused}
          />
          <span class="box" aria-hidden="true">${icon("check")}</span>
          <span class="row-text"><strong>${label}</strong></span>
        </label>
      </div>
    </div>
  `;
}

/** A box for each control; which writes it stands for is read before it is ticked. */
function choices(field: ConfirmLinkField, shown: Shown, scene: Scene): Html {
  const { name, details } = field;
  const words = wordsOf(field, shown, scene);
  const ticked = shown.value.split(" ");
  const points = [...new Set(details.map(({ point }) => point))];
  return html`
    <fieldset class="field" aria-describedby=${words.describedBy}>
      <legend>${words.label}</legend>
      ${notes(words)}
      ${points.map((point, at) => {
        const id = `${words.id}-${point}`;
        const own = details.filter((each) => each.point === point);
        return html`
          <ul class="details" id=${`${id}-details`}>${own.map((each) => detailRow(each, scene.texts))}</ul>
          <div class="group">
            <label class="check">
              <input
                type="checkbox"
                id=${id}
                name=${name}
                value=${point}
                checked=${ticked.includes(point)}
                aria-invalid=${shown.isBad ? "true" : undefined}
                aria-describedby=${`${id}-details`}
                autofocus=${shown.isFocused && at === 0}
              />
              <span class="box" aria-hidden="true">${icon("check")}</span>
              <span class="row-text"><strong>${scene.texts.setup.controls[point]}</strong></span>
            </label>
          </div>
        `;
      })}
    </fieldset>
  `;
}

function detailRow({ point, values, confidence, source, isTimer, note }: LinkDetail, { setup }: LinkTexts): Html {
  const control = setup.controls[point];
  const states = values?.map((value) => setup.states[String(value)] ?? String(value)).join(", ");
  const what = states === undefined ? control : `${control}: ${states}`;
  return html`
    <li>
      <strong>${isTimer ? setup.timer(control) : what}</strong>
      <span>${setup.confidence[confidence]} · ${setup.source(source)}</span>
      ${note === undefined ? null : html`<span lang="en">${note}</span>`}
    </li>
  `;
}
