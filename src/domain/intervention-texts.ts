import { DANISH } from "./intervention-texts/da-dk.ts";
import { GERMAN } from "./intervention-texts/de-de.ts";
import { BRITISH } from "./intervention-texts/en-gb.ts";
import { ENGLISH } from "./intervention-texts/en-us.ts";
import { SPANISH } from "./intervention-texts/es-es.ts";
import { FINNISH } from "./intervention-texts/fi-fi.ts";
import { FRENCH } from "./intervention-texts/fr-fr.ts";
import { JAPANESE } from "./intervention-texts/ja-jp.ts";
import { LITHUANIAN } from "./intervention-texts/lt-lt.ts";
import { LATVIAN } from "./intervention-texts/lv-lv.ts";
import { NORWEGIAN } from "./intervention-texts/nb-no.ts";
import { DUTCH } from "./intervention-texts/nl-nl.ts";
import { POLISH } from "./intervention-texts/pl-pl.ts";
import { PORTUGUESE } from "./intervention-texts/pt-pt.ts";
import { ROMANIAN } from "./intervention-texts/ro-ro.ts";
import { SWEDISH } from "./intervention-texts/sv-se.ts";
import type { InterventionTexts } from "./intervention-texts/text.ts";
import type { INTERVENTION_LANGUAGES } from "./language.ts";

/** The remedies in every language of the interface; any other language is answered in English. */
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
