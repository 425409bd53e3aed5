import type { INTERVENTION_LANGUAGES } from "../language.ts";
import { DANISH } from "./texts/da-dk.ts";
import { GERMAN } from "./texts/de-de.ts";
import { BRITISH } from "./texts/en-gb.ts";
import { ENGLISH } from "./texts/en-us.ts";
import { SPANISH } from "./texts/es-es.ts";
import { FINNISH } from "./texts/fi-fi.ts";
import { FRENCH } from "./texts/fr-fr.ts";
import { JAPANESE } from "./texts/ja-jp.ts";
import { LITHUANIAN } from "./texts/lt-lt.ts";
import { LATVIAN } from "./texts/lv-lv.ts";
import { NORWEGIAN } from "./texts/nb-no.ts";
import { DUTCH } from "./texts/nl-nl.ts";
import { POLISH } from "./texts/pl-pl.ts";
import { PORTUGUESE } from "./texts/pt-pt.ts";
import { ROMANIAN } from "./texts/ro-ro.ts";
import { SWEDISH } from "./texts/sv-se.ts";
import type { InterventionTexts } from "./texts/text.ts";

/** The texts of all remedies by language. Other languages get the English texts. */
export const INTERVENTION_TEXTS: Readonly<Record<(typeof INTERVENTION_LANGUAGES)[number], InterventionTexts>> = {
  "en-US": ENGLISH,
  "en-GB": BRITISH,
  "de-DE": GERMAN,
  "fr-FR": FRENCH,
  "es-ES": SPANISH,
  "ja-JP": JAPANESE,
  "pt-PT": PORTUGUESE,
  "lv-LV": LATVIAN,
  "lt-LT": LITHUANIAN,
  "nl-NL": DUTCH,
  "nl-BE": DUTCH,
  "nb-NO": NORWEGIAN,
  "pl-PL": POLISH,
  "sv-SE": SWEDISH,
  "da-DK": DANISH,
  "fi-FI": FINNISH,
  "ro-RO": ROMANIAN,
};
