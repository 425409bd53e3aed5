/** Turns the request that adds a found device into the options of the device. */
import type { FoundSetup } from "../../domain/discovery/discovery.ts";
import { issuesOf } from "../../domain/issue-text.ts";
import { findLanguage, type Translations } from "../../domain/language.ts";
import type { FoundDevice, LinkField, LinkRefusal } from "../../domain/linking/link-form.ts";
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import type { FirstRead, Proof } from "../../sdk/discovery.ts";
import type { Adapter } from "../../sdk/driver.ts";
import { optionProblem } from "../../sdk/option-problem.ts";
import { chosenOptions } from "../../sdk/profile-choices.ts";
import type { Finder, Linker } from "../adapters/adapter-host.ts";
import { SetupCalls } from "../linking/setup-calls.ts";
import type { Offer } from "../vendors/vendor-directory.ts";
import { type AdoptTerms, answersTo, bodyIssue, refuse } from "./adopt-answers.ts";
import type { SightingEntry } from "./sighting-index.ts";

type Options = Readonly<Record<string, unknown>>;

const NO_SETTINGS = { kind: "fields", fields: [] } as const;
/** The same limit as for a step of a sign-in. */
const READ_LIMIT_MS = 30_000;

export interface AdoptionParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly adapters: readonly Adapter[];
  readonly linkers: readonly Linker[];
  readonly finders: readonly Finder[];
}

/** What a device is added with. */
export interface Decided {
  readonly options: Options;
  /** What it answered; `null` if it was not read. */
  readonly proof: Proof | null;
}

/** Asks for the same settings as the link page, and checks the options before a device is added. */
export class Adoption {
  readonly #parts: AdoptionParts;
  readonly #setup: SetupCalls;

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
    this.#setup = new SetupCalls({ ...parts, linkedOptions: () => null });
  }

  /** Returns the settings of a found device, in a language. Throws a problem with its cause if the device cannot be asked. */
  async setup(entry: SightingEntry, language: string, signal: AbortSignal): Promise<FoundSetup> {
    const offer = this.#offerOf(entry);
    const form = offer === null ? NO_SETTINGS : await this.#setup.fields(offer, deviceOf(entry, {}), signal);
    if (form.kind === "refused") {
      throw refusalOf(form.why, { code: form.why, path: ["foundId"], in: "path", message: refusalHint([]) });
    }
    const shown = form.kind === "later" ? [] : form.fields.map((field) => fieldView(field, language));
    return { needs: [...(entry.sighting.needs ?? [])], fields: shown };
  }

  /**
   * Returns the options of the device, and what it answered to them. Throws `bad-request` with an issue for each value that
   * is missing or wrong, or if the device refuses the credentials; `conflict` if something must be switched on at the
   * device first; and `timeout` if the device does not answer. `saveAnyway`: it need not answer.
   */
  async decide(entry: SightingEntry, terms: AdoptTerms, saveAnyway: boolean, signal: AbortSignal): Promise<Decided> {
    this.#refuseNeeds(entry, terms);
    const offer = this.#offerOf(entry);
    const form = offer === null ? NO_SETTINGS : await this.#setup.fields(offer, deviceOf(entry, terms.options), signal);
    if (form.kind === "refused" && !saveAnyway) throw refusalAt(form.why, ["saveAnyway"]);
    if (offer === null || form.kind === "refused") {
      const { options: more, ...decided } = terms;
      const options = this.#checked(entry, more, { ...defined(decided), ...deviceOf(entry, more).options });
      return { options, proof: saveAnyway ? null : await this.#proof(entry, options, signal) };
    }
    const known = form.kind === "later" ? [] : form.fields;
    const { values, issues } = answersTo(known, terms);
    refuse(issues);
    const fieldNames = known.map(({ name }) => name);
    const more = Object.fromEntries(Object.entries(terms.options).filter(([name]) => !fieldNames.includes(name)));
    this.#refuseUnknown(entry, more);
    const device = deviceOf(entry, more);
    const proof = saveAnyway ? null : await this.#proof(entry, device.options, signal);
    const result = await this.#setup.apply(offer, device, values, signal);
    if (result.kind === "refused" && !saveAnyway) throw refusalAt(result.why, ["saveAnyway"]);
    const options = result.kind === "ready" ? result.device.options : withChoices(device.options, values);
    return { options: this.#checked(entry, more, options), proof };
  }

  /**
   * Reads a device once, if no search has read it: one that was only announced, or that needs a secret. Returns what it
   * answered, or what the search says. Throws a problem with an issue whose code says why it cannot be read.
   */
  async #proof({ adapter, sighting }: SightingEntry, options: Options, signal: AbortSignal): Promise<Proof | null> {
    const { clock, log, finders } = this.#parts;
    const { source, needs = [], proof } = sighting;
    const discovery = finders.find((finder) => finder.adapter === adapter)?.discovery;
    const isRead = source !== "mdns" && needs.length === 0;
    // What is wrong with the options is reported when they are checked.
    if (discovery?.readOnce === undefined || isRead || !this.#isValid(adapter, options)) return proof;
    const read = discovery.readOnce.bind(discovery);
    let first: FirstRead | null;
    try {
      first = await within(clock, READ_LIMIT_MS, signal, (own) => read(options, own));
    } catch (err) {
      signal.throwIfAborted();
      log.warn({ adapter, err }, "a found device cannot be read; it is not added");
      first = { kind: "refused", why: "unavailable" };
    }
    if (first === null) return proof;
    if (first.kind === "read") return first.proof;
    throw refusalAt(first.why, first.secret === undefined ? ["saveAnyway"] : ["options", first.secret]);
  }

  #isValid(adapter: string, options: Options): boolean {
    return this.#adapter(adapter).options.safeParse(options).success;
  }

  /** Returns the offer of the link page for a found device; `null` if the page does not offer it. */
  #offerOf({ adapter, sighting: { link } }: SightingEntry): Offer | null {
    const linker = this.#parts.linkers.find((each) => each.adapter === adapter);
    const entry = linker?.vendors.find(({ id }) => id === link?.vendorId);
    if (linker === undefined || entry === undefined) return null;
    return { id: `${adapter}/${entry.id}`, adapter, entry, linking: linker.linking };
  }

  #refuseNeeds({ adapter, sighting: { needs = [] } }: SightingEntry, { options }: AdoptTerms): void {
    const { shape } = this.#adapter(adapter).options;
    const others = needs.filter((need) => !Object.hasOwn(shape, need));
    if (others.length > 0) {
      throw problem("conflict", `The device needs ${others.join(", ")} switched on; do that and search again.`);
    }
    const missing = needs.filter((need) => options[need] === undefined);
    refuse(missing.map((need) => bodyIssue("invalid_type", ["options", need], "Required by the device")));
  }

  /** Throws `bad-request` if options are invalid, or if `more`, the options of the body, has unknown names. */
  #checked(entry: SightingEntry, more: Options, options: Options): Options {
    const { options: schema, check } = this.#adapter(entry.adapter);
    this.#refuseUnknown(entry, more);
    const parsed = schema.safeParse(options);
    const issues = issuesOf(parsed.error ?? { issues: [] });
    refuse(issues.map((issue) => bodyIssue("custom", placeIn(more, issue.path), issue.message)));
    const wrong = parsed.success ? optionProblem(check?.(parsed.data)) : null;
    refuse(wrong === null ? [] : [bodyIssue("custom", placeIn(more, wrong.path ?? []), wrong.message)]);
    return options;
  }

  #refuseUnknown({ adapter }: SightingEntry, more: Options): void {
    const names = Object.keys(this.#adapter(adapter).options.shape);
    const unknownNames = Object.keys(more).filter((name) => !names.includes(name));
    const message = `The adapter ${adapter} has no such option; it has ${names.join(", ")}`;
    refuse(unknownNames.map((name) => bodyIssue("unrecognized_keys", ["options", name], message)));
  }

  #adapter(name: string): Adapter {
    const adapter = this.#parts.adapters.find((each) => each.name === name);
    if (adapter === undefined) throw new Error(`there is no adapter ${name}`);
    return adapter;
  }
}

function defined(terms: Options): Options {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

/** Adds the owner's choices to the options of a device that could not be tried with them. */
function withChoices(options: Options, values: Readonly<Record<string, string>>): Options {
  const chosen = chosenOptions(values);
  const settings = { ...(options["settings"] as Options | undefined), ...chosen.settings };
  return { ...options, ...chosen, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}

/** Returns the path of an option in the request body. */
function placeIn(more: Options, path: readonly PropertyKey[]): Issue["path"] {
  const place = path.map((part) => (typeof part === "symbol" ? String(part) : part));
  return Object.hasOwn(more, String(place[0])) ? ["options", ...place] : place;
}

/** The options of the search win over those of the body: they say how the device was reached. */
function deviceOf({ sighting, id }: SightingEntry, more: Options): FoundDevice {
  const { link, vendorTypes, name, model, serial, options } = sighting;
  return { key: link?.key ?? id, vendorTypes, name, model, detail: serial, options: { ...more, ...options } };
}

/** `place`: the part of the body that the issue is about. */
function refusalAt(why: LinkRefusal, place: Issue["path"]): ProblemError {
  return refusalOf(why, bodyIssue(why, place, refusalHint(place)));
}

/** `issue`: its code is the reason. */
function refusalOf(why: LinkRefusal, issue: Issue): ProblemError {
  const refused = (type: "bad-request" | "timeout", detail: string): ProblemError =>
    problem(type, detail, { issues: [issue] });
  switch (why) {
    case "wrong-device":
      return refused(
        "bad-request",
        "With these settings the device has no values that its profile can read; check the profile and the unit.",
      );
    case "invalid-credentials":
    case "failed-auth-challenge":
    case "denied":
    case "code-expired":
      return refused("bad-request", "The device refuses the credentials; check them at the device.");
    case "wrong-unit":
      return refused(
        "bad-request",
        "The device answers, but not with this unit number; check the unit in its settings.",
      );
    case "outside-house":
    case "out-of-range":
    case "name-not-found":
    case "no-serial-port":
      return refused("bad-request", "These settings are not a valid address of a device; check host, port and unit.");
    case "connection-refused":
    case "not-answering":
      return refused(
        "timeout",
        "The device does not answer with these settings; check its address and whether it is on. If another program holds its only connection, end that, and let the program read through the gateway's Modbus proxy.",
      );
    case "no-such-host":
    case "rate-limited":
    case "unavailable":
      return refused(
        "timeout",
        "The device does not answer with these settings; check its address and whether it is on.",
      );
    default:
      return why satisfies never;
  }
}

function textIn(translations: Translations<string>, language: string): string {
  return findLanguage(translations, language)?.texts ?? translations["en-US"];
}

function refusalHint(place: Issue["path"]): string {
  const secret = place[0] === "options" ? `Refused by the device with this ${place[1]}; ` : "";
  return `${secret}saveAnyway adds the device without reading it`;
}

function fieldView(field: LinkField, language: string): FoundSetup["fields"][number] {
  const { name, kind, label, hint, initial, isOptional = false } = field;
  const base = {
    name,
    label: label === undefined ? null : textIn(label, language),
    hint: hint === undefined ? null : textIn(hint, language),
    initial: initial ?? null,
    isRequired: !isOptional && (initial === undefined || kind === "confirm"),
  };
  if (kind === "number") return { ...base, kind, min: field.min, max: field.max, unit: field.unit };
  if (kind !== "confirm") return { ...base, kind: "text" };
  const details = field.details.map((each) => ({ ...each, values: each.values?.map(String) ?? null }));
  return { ...base, kind, isPerControl: field.isPerControl === true, details };
}
