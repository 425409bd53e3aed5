/** What a check measured, as a text with values: rendered in the language of who reads it. */
import { findLanguage, type Translations } from "../language.ts";
import { MEASURED_GERMAN } from "./texts/de-de.ts";
import { MEASURED_ENGLISH, type MeasuredKey, type MeasuredTexts } from "./texts/en-us.ts";
import { MEASURED_FRENCH } from "./texts/fr-fr.ts";
import { MEASURED_DUTCH } from "./texts/nl-nl.ts";
import { MEASURED_SWEDISH } from "./texts/sv-se.ts";

/** A number with its unit, which may be empty; as written, or rounded to decimals or to significant digits. */
export interface Amount {
  readonly amount: number;
  readonly unit: string;
  readonly decimals?: number;
  readonly digits?: number;
}

/** A name, a list of names, a number, or a clause. */
export type MeasuredValue = string | readonly string[] | Amount | MeasuredText;

/** A text by its key, with what stands in its places. It is stored with a finding. */
export interface MeasuredText {
  readonly key: MeasuredKey;
  readonly values: Readonly<Record<string, MeasuredValue>>;
}

export const MEASURED_TEXTS: Translations<MeasuredTexts> = {
  "en-US": MEASURED_ENGLISH,
  "de-DE": MEASURED_GERMAN,
  "nl-NL": MEASURED_DUTCH,
  "fr-FR": MEASURED_FRENCH,
  "sv-SE": MEASURED_SWEDISH,
};
export const MEASURED_LANGUAGES = Object.keys(MEASURED_TEXTS);

/** Decimals of a number that is shown as it was read. */
const MOST_DECIMALS = 6;
const FROM_KW = 10_000;

/** Returns the sentence in a language, else in English; numbers are written as the language does. */
export function measuredIn(text: MeasuredText, language: string): string {
  const { code, texts } = findLanguage(MEASURED_TEXTS, language) ?? { code: "en-US", texts: MEASURED_ENGLISH };
  return texts[text.key].replaceAll(/\{(\w+)\}/g, (_, name: string) => shown(text.values[name], code));
}

/** Returns the part of a finding that says what was measured: as a text, and in English. */
export function measured(
  key: MeasuredKey,
  values: MeasuredText["values"],
): { readonly measured: string; readonly text: MeasuredText } {
  const text = { key, values };
  return { measured: measuredIn(text, "en-US"), text };
}

/** A power in W, or in kW from 10 kW on. */
export function watts(value: number): Amount {
  return Math.abs(value) >= FROM_KW
    ? { amount: value / 1_000, unit: "kW", decimals: 1 }
    : { amount: Math.round(value), unit: "W", decimals: 0 };
}

function shown(value: MeasuredValue | undefined, code: string): string {
  if (value === undefined || typeof value === "string") return value ?? "";
  if ("key" in value) return measuredIn(value, code);
  if (!("amount" in value)) return new Intl.ListFormat(code, { type: "conjunction" }).format(value);
  const { amount, unit, decimals, digits } = value;
  const rounding =
    digits === undefined
      ? { minimumFractionDigits: decimals ?? 0, maximumFractionDigits: decimals ?? MOST_DECIMALS }
      : { minimumSignificantDigits: digits, maximumSignificantDigits: digits };
  const number = new Intl.NumberFormat(code, { useGrouping: false, signDisplay: "negative", ...rounding });
  return unit === "" ? number.format(amount) : `${number.format(amount)}\u00a0${unit}`;
}
