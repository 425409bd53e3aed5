/** The texts of the page in the language that is shown. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { GERMAN } from "./texts/de-de.ts";
import { ENGLISH, type Texts } from "./texts/en-us.ts";
import { FRENCH } from "./texts/fr-fr.ts";
import { DUTCH } from "./texts/nl-nl.ts";
import { SWEDISH } from "./texts/sv-se.ts";

export type { Texts };

export const LANGUAGES: Readonly<Record<string, Texts>> = {
  "en-GB": ENGLISH,
  "de-DE": GERMAN,
  "nl-NL": DUTCH,
  "fr-FR": FRENCH,
  "sv-SE": SWEDISH,
};

export interface Language {
  /** BCP 47. */
  readonly code: string;
  readonly texts: Texts;
}

/** Returns what was chosen, else the first language of the browser that there is, else English. */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  for (const choice of [chosen ?? "", ...preferred]) {
    const base = choice.toLowerCase().split("-", 1)[0];
    const found = Object.entries(LANGUAGES).find(([code]) => code.toLowerCase().split("-", 1)[0] === base);
    if (found === undefined) continue;
    // The region of the browser decides how numbers and times look: 1'000 in Switzerland.
    const regional = preferred.find((code) => code.toLowerCase().startsWith(`${base}-`));
    return { code: regional ?? found[0], texts: found[1] };
  }
  return { code: "en-GB", texts: ENGLISH };
}

export const LanguageContext = createContext<Language>({ code: "en-GB", texts: ENGLISH });

export function useLanguage(): Language {
  return useContext(LanguageContext);
}
