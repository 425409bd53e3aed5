/** The fields of the link page's forms. */

import type { ConfirmLinkField, LinkDetail, LinkField, LinkFieldKind } from "../../domain/linking/link-form.ts";
import type { FieldFault, FieldFaults, LinkFault } from "../../domain/linking/link-view.ts";
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
  /** What went wrong with the form; shown at the fields that it is about, too. */
  readonly fault: LinkFault | null;
}

type TypedField = Exclude<LinkField, ConfirmLinkField>;
type PlaceFault = keyof LinkTexts["placeFaults"];

/** The kinds of field that a refusal is about; of those that a form has, the first. */
const ABOUT: Readonly<Record<PlaceFault, readonly LinkFieldKind[]>> = {
  "connection-refused": ["port", "host"],
  "no-such-host": ["host"],
  "name-not-found": ["host"],
  "outside-house": ["host"],
  "no-serial-port": ["host"],
  "wrong-unit": ["host"],
  "wrong-device": ["host"],
  "not-answering": ["host"],
};

/** By field, what is said there of a form that was refused as a whole; empty where nobody can tell which field it was. */
function refusalsOf({ fields, fault, faults }: Fields, shown: (field: LinkField) => string, texts: LinkTexts) {
  if (fault === null || Object.keys(faults).length > 0) return new Map<string, string>();
  if (fault === "out-of-range") {
    const wrong = fields.filter((field) => !isInRange(field.kind, shown(field)));
    return new Map(
      wrong.map(({ name, kind }) => [name, kind === "port" ? texts.placeRanges.port : texts.placeRanges.unit]),
    );
  }
  const unit = fields.find(({ kind }) => kind === "unit");
  if (unit !== undefined && (fault === "not-answering" || fault === "wrong-unit")) {
    return new Map([[unit.name, texts.unitTried(shown(unit), unit.initial ?? "")]]);
  }
  const kind = (ABOUT[fault as PlaceFault] ?? []).find((each) => fields.some((field) => field.kind === each));
  const field = fields.find((each) => each.kind === kind);
  return new Map(field === undefined ? [] : [[field.name, texts.placeFaults[fault as PlaceFault]]]);
}

function isInRange(kind: LinkFieldKind, text: string): boolean {
  if (kind !== "port" && kind !== "unit") return true;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return kind === "port" ? number >= 1 && number <= 65_535 : number >= 0 && number <= 255;
}

/** The fields of a form. The cursor is in the first that is wrong, else in the first that is empty, else in the first. */
export function fieldList(form: Fields, scene: Scene): Html {
  const { fields, written, faults, isRefused } = form;
  const names = Object.keys(faults);
  const textIn = ({ name, initial = "" }: LinkField): string => written[name] ?? initial;
  const empty = fields.find((field) => field.isOptional !== true && textIn(field) === "");
  const refusals = refusalsOf(form, textIn, scene.texts);
  const focused = fields.find(({ name }) => names.includes(name) || refusals.has(name)) ?? empty ?? fields[0];
  return fields.map((field) => {
    const fault = faults[field.name] ?? null;
    const shown = {
      value: textIn(field),
      fault,
      refusal: refusals.get(field.name),
      isBad: fault !== null || refusals.has(field.name) || (isRefused && names.length === 0 && refusals.size === 0),
      isFocused: field === focused,
    };
    if (field.kind !== "confirm") return input(field, shown, scene);
    return field.isPerControl === true ? choices(field, shown, scene) : confirmation(field, shown, scene);
  });
}

interface Shown {
  readonly value: string;
  readonly fault: FieldFault | null;
  /** Why the form was refused, where that is about this field. */
  readonly refusal: string | undefined;
  readonly isBad: boolean;
  readonly isFocused: boolean;
}

/** What stands at a field, and what describes it to a screen reader. */
function wordsOf(field: LinkField, { fault, refusal }: Pick<Shown, "fault" | "refusal">, { texts, view }: Scene) {
  const known = texts.signIn.fields[field.kind];
  const label = field.label?.[view.language] ?? field.label?.["en-US"] ?? known.label;
  // A hint of the kind would say something else than a label of the vendor's own.
  const ofKind = field.label === undefined ? known.hint : undefined;
  const hint = field.hint?.[view.language] ?? field.hint?.["en-US"] ?? ofKind;
  const range = field.kind === "number" ? texts.setup.range(field.min, field.max, field.unit) : undefined;
  const id = `field-${field.name}`;
  const error = fault === null ? refusal : faultText(fault, field, texts);
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

function input(field: TypedField, shown: Shown, scene: Scene): Html {
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
      <span>${setup.confidence[confidence]} &middot; ${setup.source(source)}</span>
      ${note === undefined ? null : html`<span lang="en">${note}</span>`}
    </li>
  `;
}
