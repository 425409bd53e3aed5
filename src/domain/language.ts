/** The languages in which texts for users can be requested (rules S6.5 and S10.2). */
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

/** The languages of the link page; `browser` means the first language of the browser that the page is translated to. */
export const LINK_LANGUAGES = ["browser", "it-IT", ...INTERVENTION_LANGUAGES] as const;

/** Texts by language code. English is always there and is used where a language is missing. */
export type Translations<Texts> = { readonly "en-US": Texts } & Readonly<Record<string, Texts>>;

/** Returns the texts of exactly this language, else the English ones; never another region's (rule S6.5). */
export function chosenLanguage<Texts>(translations: Translations<Texts>, language: string | undefined): Texts {
  const requested = language?.toLowerCase();
  return Object.entries(translations).find(([code]) => code.toLowerCase() === requested)?.[1] ?? translations["en-US"];
}

/** Returns the texts of a language, else of another region of it, with their code; `null` if there are none. */
export function findLanguage<Texts>(
  translations: Translations<Texts>,
  language: string,
): { readonly code: string; readonly texts: Texts } | null {
  const requested = language.toLowerCase();
  const entries = Object.entries(translations);
  const base = primary(requested);
  const found =
    entries.find(([code]) => code.toLowerCase() === requested) ?? entries.find(([code]) => primary(code) === base);
  return found === undefined ? null : { code: found[0], texts: found[1] };
}

function primary(code: string): string {
  return code.split("-", 1)[0]?.toLowerCase() ?? "";
}
