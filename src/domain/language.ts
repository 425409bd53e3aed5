/** The languages that texts for people may be asked for in (rules S6.5 and S10.2). */
export const INTERVENTION_LANGUAGES = [
  "en-US",
  "en-GB",
  "de-DE",
  "fr-FR",
  "es-ES",
  "ja-JP",
  "pt-PT",
  "lv-LV",
  "lt-LT",
  "nl-NL",
  "nl-BE",
  "nb-NO",
  "pl-PL",
  "sv-SE",
  "da-DK",
  "fi-FI",
  "ro-RO",
] as const;

/** The languages of the link page; `browser` means the first that the browser wants and that there is. */
export const LINK_LANGUAGES = ["browser", "it-IT", ...INTERVENTION_LANGUAGES] as const;

/** Texts by language. English is always there: whatever is missing falls back to it. */
export type Translations<Texts> = { readonly "en-US": Texts } & Readonly<Record<string, Texts>>;

/** The texts of just this language, or else the English ones: no other region stands in (rule S6.5). */
export function chosenLanguage<Texts>(translations: Translations<Texts>, language: string | undefined): Texts {
  const wanted = language?.toLowerCase();
  return Object.entries(translations).find(([code]) => code.toLowerCase() === wanted)?.[1] ?? translations["en-US"];
}

/** The texts of a language, else of another region of it, with the code that fits; null when there are none. */
export function findLanguage<Texts>(
  translations: Translations<Texts>,
  language: string,
): { readonly code: string; readonly texts: Texts } | null {
  const wanted = language.toLowerCase();
  const entries = Object.entries(translations);
  const base = primary(wanted);
  const found =
    entries.find(([code]) => code.toLowerCase() === wanted) ?? entries.find(([code]) => primary(code) === base);
  return found === undefined ? null : { code: found[0], texts: found[1] };
}

function primary(code: string): string {
  return code.split("-", 1)[0]?.toLowerCase() ?? "";
}
