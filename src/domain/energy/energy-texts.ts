/** The texts of the reasons by language. */
import { findLanguage } from "../language.ts";
import { timeOfDayAt } from "../smart/smart-deadline.ts";
import type { ReasonCode } from "./cycle/energy-decision.ts";
import { GERMAN } from "./texts/de-de.ts";
import { ENGLISH } from "./texts/en-us.ts";
import { FRENCH } from "./texts/fr-fr.ts";
import { DUTCH } from "./texts/nl-nl.ts";
import type { ReasonTexts } from "./texts/reason-text.ts";
import { SWEDISH } from "./texts/sv-se.ts";

/** Other languages get the English texts. */
const REASON_TEXTS: { readonly "en-US": ReasonTexts } & Readonly<Record<string, ReasonTexts>> = {
  "en-US": ENGLISH,
  "de-DE": GERMAN,
  "nl-NL": DUTCH,
  "fr-FR": FRENCH,
  "sv-SE": SWEDISH,
};

export const REASON_LANGUAGES = ["en-US", "de-DE", "nl-NL", "fr-FR", "sv-SE"] as const;

/** Returns a reason as a sentence; `untilMs` is wall-clock ms. */
export function reasonText(
  reason: { readonly code: ReasonCode; readonly subject: string | null; readonly untilMs: number | null },
  zone: string,
  language: string | undefined,
): string {
  const texts = findLanguage(REASON_TEXTS, language ?? "en-US")?.texts ?? ENGLISH;
  const until = reason.untilMs === null ? null : timeOfDayAt(reason.untilMs, zone);
  return texts[reason.code]({ subject: reason.subject, until });
}
