/** The texts of the page in the language that is shown. Those of a language are loaded when it is chosen. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Texts } from "./texts/en-us.ts";

export type { Texts };

/** What is there before the texts of the language are. */
interface LanguageEntry {
  /** In the language itself. */
  readonly name: string;
  readonly load: () => Promise<Texts>;
  /** A part of the page could not be loaded. */
  readonly broken: string;
  readonly again: string;
}

export const LANGUAGES: Readonly<Record<string, LanguageEntry>> = {
  "en-GB": {
    name: "English",
    load: () => import("./texts/en-us.ts").then(({ ENGLISH }) => ENGLISH),
    broken: "A part of this page could not be loaded.",
    again: "Load it again",
  },
  "de-DE": {
    name: "Deutsch",
    load: () => import("./texts/de-de.ts").then(({ GERMAN }) => GERMAN),
    broken: "Ein Teil dieser Seite konnte nicht geladen werden.",
    again: "Neu laden",
  },
  "nl-NL": {
    name: "Nederlands",
    load: () => import("./texts/nl-nl.ts").then(({ DUTCH }) => DUTCH),
    broken: "Een deel van deze pagina kon niet worden geladen.",
    again: "Opnieuw laden",
  },
  "fr-FR": {
    name: "Français",
    load: () => import("./texts/fr-fr.ts").then(({ FRENCH }) => FRENCH),
    broken: "Une partie de cette page n'a pas pu être chargée.",
    again: "Recharger",
  },
  "sv-SE": {
    name: "Svenska",
    load: () => import("./texts/sv-se.ts").then(({ SWEDISH }) => SWEDISH),
    broken: "En del av sidan kunde inte läsas in.",
    again: "Läs in igen",
  },
};
const FALLBACK = "en-GB";

/** A language before its texts are there. */
export interface ChosenLanguage extends LanguageEntry {
  /** BCP 47, with the region of the browser. */
  readonly code: string;
}

export interface Language extends ChosenLanguage {
  readonly texts: Texts;
}

/** Returns what was chosen, else the first language of the browser that there is, else English. */
export function languageOf(chosen: string | null, preferred: readonly string[]): ChosenLanguage {
  for (const choice of [chosen ?? "", ...preferred]) {
    const base = choice.toLowerCase().split("-", 1)[0];
    const found = Object.entries(LANGUAGES).find(([code]) => code.toLowerCase().split("-", 1)[0] === base);
    if (found === undefined) continue;
    // The region of the browser decides how numbers and times look: 1'000 in Switzerland.
    const regional = preferred.find((code) => code.toLowerCase().startsWith(`${base}-`));
    return { code: regional ?? found[0], ...found[1] };
  }
  return { code: FALLBACK, ...(LANGUAGES[FALLBACK] as LanguageEntry) };
}

export const LanguageContext = createContext<Language | null>(null);

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error("Texts are shown inside of the language only.");
  return language;
}
