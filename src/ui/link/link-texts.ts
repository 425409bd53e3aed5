import type { AssetKind } from "../../domain/assets/asset.ts";
import type { Translations } from "../../domain/language.ts";
import type { LinkDetail, LinkFieldKind } from "../../domain/linking/link-form.ts";
import type { LinkFault } from "../../domain/linking/link-view.ts";
import { GERMAN } from "./texts/de-de.ts";
import { ENGLISH } from "./texts/en-us.ts";
import { FRENCH } from "./texts/fr-fr.ts";
import { DUTCH } from "./texts/nl-nl.ts";
import { SWEDISH } from "./texts/sv-se.ts";

/** A heading and what stands below it. */
export interface Passage {
  readonly title: string;
  readonly text: string;
}

/** What a permission is, and what it lets the app do. */
export interface ScopeText {
  readonly label: string;
  readonly about: string;
}

/** The texts that would name an app. */
interface OwnPageTexts {
  readonly title: string;
  readonly undo: string;
  readonly empty: string;
  readonly leave: string;
  readonly lead: string;
  readonly leadAgain: string;
  readonly consent: string;
  readonly privacy: string;
  readonly done: string;
  readonly used: string;
  readonly expired: string;
  readonly attempts: string;
}

/** Every text of the link page. A language has all of them. */
export interface LinkTexts {
  readonly gateway: string;
  readonly servedFrom: (host: string) => string;
  readonly cancel: string;
  readonly back: string;
  readonly next: string;
  readonly skipToContent: string;
  readonly progress: (step: number, of: number) => string;
  /** The kinds of device: one of it, and several. */
  readonly kinds: Readonly<Record<AssetKind, { readonly one: string; readonly many: string }>>;
  /** Words joined as a list: "a, b and c". */
  readonly and: string;
  /** An app without a name. */
  readonly anApp: string;
  /** What is said otherwise to a person who comes from the gateway's own page: there is no app. */
  readonly ownPage: OwnPageTexts;

  readonly intro: {
    readonly title: (what: string) => string;
    readonly titleBrand: (brand: string) => string;
    readonly titleAgain: string;
    readonly lead: (app: string) => string;
    readonly leadAgain: (app: string) => string;
    readonly promises: readonly Passage[];
    readonly begin: string;
  };
  readonly brand: {
    readonly title: string;
    readonly lead: string;
    readonly search: string;
    readonly doSearch: string;
    readonly none: (query: string) => string;
    readonly slow: string;
    readonly out: string;
    readonly empty: Passage;
  };
  readonly service: { readonly title: (brand: string) => string; readonly lead: string; readonly local: string };
  readonly outage: {
    readonly title: (brand: string) => string;
    readonly text: string;
    readonly other: string;
    readonly leave: string;
  };
  readonly consent: {
    readonly title: (app: string) => string;
    readonly lead: (brand: string) => string;
    readonly leadFixed: (site: string) => string;
    readonly scopes: Readonly<Record<string, ScopeText>>;
    readonly required: string;
    readonly note: string;
    readonly allow: string;
  };
  readonly searching: { readonly title: string; readonly text: (brand: string) => string; readonly manual: string };
  readonly signIn: {
    readonly title: (portal: string) => string;
    readonly lead: (portal: string) => string;
    readonly titleLocal: (brand: string) => string;
    readonly leadLocal: string;
    /** The same where no address is asked for, but a number. */
    readonly leadPlate: string;
    readonly submit: string;
    readonly submitLocal: string;
    readonly searchAgain: string;
    readonly show: string;
    readonly hide: string;
    readonly optional: string;
    readonly privacy: string;
    readonly fields: Readonly<Record<LinkFieldKind, { readonly label: string; readonly hint?: string }>>;
  };
  readonly challenge: { readonly title: string; readonly lead: (portal: string) => string; readonly submit: string };
  /** A second step without fields: somebody presses a button on the device. */
  readonly press: { readonly title: string; readonly lead: (device: string) => string; readonly submit: string };
  readonly away: {
    readonly title: (portal: string) => string;
    readonly text: (host: string) => string;
    readonly go: (portal: string) => string;
  };
  readonly wait: {
    readonly title: (portal: string) => string;
    readonly text: string;
    readonly code: string;
    readonly open: (host: string) => string;
    readonly waiting: string;
  };
  readonly busy: { readonly title: string; readonly text: (portal: string) => string };
  readonly devices: {
    readonly title: string;
    readonly lead: string;
    readonly unnamed: string;
    readonly linked: string;
    readonly confirm: string;
    readonly manual: string;
  };
  /** What the owner decides about a device. */
  readonly setup: {
    readonly title: (device: string) => string;
    readonly lead: string;
    readonly submit: string;
    readonly range: (min: number, max: number, unit: string) => string;
    readonly controls: Readonly<Record<LinkDetail["point"], string>>;
    /** By state; one that is not here is shown as it is. */
    readonly states: Readonly<Record<string, string>>;
    readonly timer: (control: string) => string;
    readonly confidence: Readonly<Record<LinkDetail["confidence"], string>>;
    readonly source: (source: string) => string;
    readonly faults: {
      readonly missing: string;
      readonly unticked: string;
      readonly notANumber: string;
      readonly tooLow: (min: number, unit: string) => string;
      readonly tooHigh: (max: number, unit: string) => string;
    };
  };
  readonly done: {
    readonly title: string;
    readonly titleAgain: string;
    readonly text: (app: string) => string;
    /** At a device that is linked and cannot be asked about yet, and why that is. */
    readonly later: string;
    readonly whyLater: (portal: string) => string;
    readonly complete: string;
  };
  readonly failed: Passage & { readonly again: string; readonly leave: string };
  readonly closed: Readonly<Record<"unknown" | "left" | "used" | "expired", Passage>> & { readonly leave: string };
  /** At the field that a refused form is about, in a few words; `faults` says above the form what to do. */
  readonly placeFaults: Readonly<
    Record<
      | "connection-refused"
      | "no-such-host"
      | "name-not-found"
      | "outside-house"
      | "no-serial-port"
      | "wrong-unit"
      | "wrong-device"
      | "not-answering",
      string
    >
  >;
  /** The unit number that was asked for in vain, and the one that the model has from the factory; empty if not known. */
  readonly unitTried: (unit: string, usual: string) => string;
  readonly placeRanges: { readonly port: string; readonly unit: string };
  readonly faults: Readonly<Record<LinkFault, string>> & { readonly noDevicesLocal: string };
}

/** The languages of the page. Another is a file more; what has none is shown in English. */
export const LINK_TEXTS: Translations<LinkTexts> = {
  "en-US": ENGLISH,
  "de-DE": GERMAN,
  "nl-NL": DUTCH,
  "fr-FR": FRENCH,
  "sv-SE": SWEDISH,
};

/** The texts for a person who comes from the gateway's own page. */
export function withoutApp(texts: LinkTexts): LinkTexts {
  const { ownPage: own, intro, brand, outage, consent, signIn, done, failed, closed, faults } = texts;
  const [decide, stay] = intro.promises;
  const undo = { title: intro.promises[2]?.title ?? "", text: own.undo };
  const promises = decide === undefined || stay === undefined ? [undo] : [decide, stay, undo];
  return {
    ...texts,
    intro: { ...intro, title: () => own.title, lead: () => own.lead, leadAgain: () => own.leadAgain, promises },
    brand: { ...brand, empty: { ...brand.empty, text: own.empty } },
    outage: { ...outage, leave: own.leave },
    consent: { ...consent, title: () => own.consent },
    signIn: { ...signIn, privacy: own.privacy },
    done: { ...done, text: () => own.done },
    failed: { ...failed, leave: own.leave },
    closed: {
      ...closed,
      used: { ...closed.used, text: own.used },
      expired: { ...closed.expired, text: own.expired },
      leave: own.leave,
    },
    faults: { ...faults, "too-many-attempts": own.attempts },
  };
}

/** Words as a list: "a, b and c". */
export function listOf(words: readonly string[], { and }: Pick<LinkTexts, "and">): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${and} ${last}`;
}

/** A text as the beginning of a line. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
