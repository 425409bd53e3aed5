/** The texts of the reasons by language. */
import { findLanguage } from "../language.ts";
import { timeOfDayAt } from "../smart/smart-deadline.ts";
import type { ReasonCode } from "./cycle/energy-decision.ts";
import type { NoPlanCode, PlanReason, PlanReasonCode, TimeSpan } from "./plan/energy-plan.ts";
import { GERMAN, GERMAN_PLAN } from "./texts/de-de.ts";
import { ENGLISH, ENGLISH_PLAN } from "./texts/en-us.ts";
import { FRENCH, FRENCH_PLAN } from "./texts/fr-fr.ts";
import { DUTCH, DUTCH_PLAN } from "./texts/nl-nl.ts";
import type { PlanTexts, ReasonTexts } from "./texts/reason-text.ts";
import { SWEDISH, SWEDISH_PLAN } from "./texts/sv-se.ts";

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

const PLAN_TEXTS: { readonly "en-US": PlanTexts } & Readonly<Record<string, PlanTexts>> = {
  "en-US": ENGLISH_PLAN,
  "de-DE": GERMAN_PLAN,
  "nl-NL": DUTCH_PLAN,
  "fr-FR": FRENCH_PLAN,
  "sv-SE": SWEDISH_PLAN,
};

/** More stretches of time than a sentence can name. */
const MOST_SPANS = 3;

/** How the texts of a plan are said. */
export interface PlanTextStyle {
  /** IANA zone of the times of day. */
  readonly zone: string;
  readonly language: string | undefined;
  /** ISO 4217. */
  readonly currency: string;
}

/** Returns the reason of a planned device as a sentence. */
export function planReasonText(
  { code, when, priceDifference, alternative, shortKwh }: PlanReason,
  { zone, language, currency }: PlanTextStyle,
): string {
  const { code: found, texts } = findLanguage(PLAN_TEXTS, language ?? "en-US") ?? ENGLISH_TEXTS;
  const money = new Intl.NumberFormat(found, { style: "currency", currency, maximumFractionDigits: 3 });
  const energy = new Intl.NumberFormat(found, { maximumFractionDigits: 1 });
  const weekday = new Intl.DateTimeFormat(found, { weekday: "short", timeZone: zone });
  const firstDay = weekday.format(when[0]?.fromMs ?? 0);
  // A plan is for 48 hours, so that a time alone would be on two days.
  const spoken = ({ fromMs, toMs }: TimeSpan): string => {
    const day = weekday.format(fromMs);
    const from = timeOfDayAt(fromMs, zone);
    return texts.between(day === firstDay ? from : `${day} ${from}`, timeOfDayAt(toMs, zone));
  };
  const spans = when.slice(0, MOST_SPANS).map(spoken);
  const text = texts[code]({
    when: spans.join(when.length > MOST_SPANS ? "," : texts.and) + (when.length > MOST_SPANS ? ", …" : ""),
    difference: priceDifference === null || alternative === null ? null : money.format(priceDifference),
    alternative: alternative === null ? "" : spoken(alternative),
    short: energy.format(shortKwh ?? 0),
  });
  return text.replace(/…\.$/u, "…");
}

const ENGLISH_TEXTS = { code: "en-US", texts: ENGLISH_PLAN };

/** Returns why there is no plan, or why a device is not in it, as a sentence. */
export function noPlanText(code: NoPlanCode | PlanReasonCode, language: string | undefined): string {
  const { texts } = findLanguage(PLAN_TEXTS, language ?? "en-US") ?? ENGLISH_TEXTS;
  return texts[code]({ when: "", difference: null, alternative: "", short: "" });
}
