/** Composes what people read: one message of one or several things, in the language of who gets it. */
import type { ConditionFacts } from "./condition.ts";
import { GERMAN } from "./texts/de-de.ts";
import { ENGLISH } from "./texts/en-us.ts";
import { FRENCH } from "./texts/fr-fr.ts";
import { DUTCH } from "./texts/nl-nl.ts";
import type { ItemText, Limited, NotificationTexts } from "./texts/notification-texts.ts";
import { SWEDISH } from "./texts/sv-se.ts";

export const NOTIFICATION_LANGUAGES = ["en", "de", "nl", "fr", "sv"] as const;
export type NotificationLanguage = (typeof NOTIFICATION_LANGUAGES)[number];

/** The texts, with the locale of times and numbers. */
const TEXTS: Readonly<Record<NotificationLanguage, { readonly texts: NotificationTexts; readonly locale: string }>> = {
  en: { texts: ENGLISH, locale: "en-GB" },
  de: { texts: GERMAN, locale: "de-DE" },
  nl: { texts: DUTCH, locale: "nl-NL" },
  fr: { texts: FRENCH, locale: "fr-FR" },
  sv: { texts: SWEDISH, locale: "sv-SE" },
};

/** Things in one message, so that it fits into the 4,096 bytes of ntfy; what is beyond that is counted in its last line. */
export const MOST_ITEMS = 10;
/** Characters of a device's or house's name that a message shows. */
const LONGEST_NAME = 80;
const NO_BREAK = "\u00a0";

/** Something that began or is over. */
export interface NotificationItem {
  readonly facts: ConditionFacts;
  readonly isOver: boolean;
}

/** Who a message is from and for. */
export interface MessageStyle {
  readonly language: NotificationLanguage;
  /** Name of the house. */
  readonly house: string;
  /** IANA zone of the times in it. */
  readonly zone: string;
  readonly nowMs: number;
}

/** A message as people read it: plain text, lines separated by `\n`. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/** Composes one message of all items, in their order. */
export function composeMessage(items: readonly NotificationItem[], style: MessageStyle): Message {
  const { texts } = TEXTS[style.language];
  const [first, ...rest] = items.map((item) => itemText(item, style));
  if (first === undefined) throw new RangeError("a message needs an item");
  if (rest.length === 0) return { title: titled(first.title, style), text: first.text };
  const shown = [first, ...rest].slice(0, MOST_ITEMS).map(({ title, text }) => `• ${title}\n${text}`);
  const left = items.length - shown.length;
  return {
    title: titled(texts.several(items.length), style),
    text: [...shown, ...(left > 0 ? [texts.more(left)] : [])].join("\n\n"),
  };
}

export function testMessage(style: MessageStyle): Message {
  const { title, text } = TEXTS[style.language].texts.test;
  return { title: titled(title, style), text };
}

function titled(title: string, { house }: MessageStyle): string {
  return `${plain(house)}: ${title}`;
}

/** A name comes from a device or a person: no part of it may become a header or another line. */
function plain(name: string): string {
  const text = name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text;
}

function itemText({ facts, isOver }: NotificationItem, style: MessageStyle): ItemText {
  const { texts, locale } = TEXTS[style.language];
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  switch (facts.kind) {
    case "device-silent": {
      const since = facts.lastSeenMs === null ? null : moment(facts.lastSeenMs, style);
      return isOver ? texts.answers(plain(facts.device)) : texts.silent(plain(facts.device), since);
    }
    case "grid-limit": {
      const what = limitedBy(facts);
      return isOver ? texts.free(what) : texts.limited(what, `${number.format(facts.watts / 1_000)}${NO_BREAK}kW`);
    }
    case "target-missed": {
      const at = moment(facts.atMs, style);
      const short = `${number.format(facts.shortKwh)}${NO_BREAK}kWh`;
      return isOver ? texts.reached(plain(facts.device), at) : texts.missed(plain(facts.device), at, short);
    }
    case "finding": {
      const check = texts.checks[facts.check];
      return isOver ? texts.resolved(plain(facts.device), check) : texts.found(plain(facts.device), check);
    }
    case "backup-failed":
      return isOver ? texts.backupMade : texts.backupFailed;
    case "update-available":
      return texts.updateAvailable(plain(facts.version), facts.isAutomatic);
    case "update-rolled-back":
      return texts.updateRolledBack(plain(facts.version));
    default:
      return facts satisfies never;
  }
}

function limitedBy({ direction, scope }: Extract<ConditionFacts, { kind: "grid-limit" }>): Limited {
  return scope === "controllable" && direction === "import" ? "controllable" : direction;
}

/** `at 14:05`, and on another day `on Tuesday 3 March at 14:05`, as the language has it. */
function moment(atMs: number, { language, zone, nowMs }: MessageStyle): string {
  const { texts, locale } = TEXTS[language];
  const time = new Intl.DateTimeFormat(locale, { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(atMs);
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: "long", day: "numeric", month: "long" });
  return texts.when(day.format(atMs) === day.format(nowMs) ? null : day.format(atMs), time);
}
