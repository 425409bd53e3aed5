/** What whoever adds a found device says of it, made the options that the device is run with. */
import type { FoundSetup } from "../../domain/discovery/discovery.ts";
import { type Issue, type ProblemError, problem } from "../../domain/problem.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Adapter } from "../../sdk/driver.ts";
import type { FoundDevice, LinkField, LinkRefusal } from "../../sdk/linking.ts";
import type { Linker } from "../adapters/adapter-host.ts";
import { SetupCalls } from "../linking/setup-calls.ts";
import type { Offer } from "../vendors/vendor-directory.ts";
import { type AdoptTerms, answersTo, bodyIssue, refuse } from "./adopt-answers.ts";
import type { BookEntry } from "./sighting-book.ts";

type Options = Readonly<Record<string, unknown>>;

export interface AdoptionParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly adapters: readonly Adapter[];
  readonly linkers: readonly Linker[];
}

/** Asks of who adds a device what the link page would ask, and takes nothing that the device could not be run with. */
export class Adoption {
  readonly #parts: AdoptionParts;
  readonly #setup: SetupCalls;

  constructor(parts: AdoptionParts) {
    this.#parts = parts;
    this.#setup = new SetupCalls({ ...parts, known: () => null });
  }

  /** What there is to say when the device is added. Throws `timeout` when the device has to be asked and is silent. */
  async setup(entry: BookEntry, signal: AbortSignal): Promise<FoundSetup> {
    const offer = this.#offerOf(entry);
    const fields = offer === null ? [] : await this.#fields(offer, deviceOf(entry, {}), signal);
    return { needs: [...(entry.sighting.needs ?? [])], fields: fields.map(fieldView) };
  }

  /**
   * The options of the device. Throws `bad-request` with an issue for each thing that is wrong or missing, `conflict`
   * when something has to be done at the device first, and `timeout` when it is silent.
   */
  async options(entry: BookEntry, terms: AdoptTerms, signal: AbortSignal): Promise<Options> {
    this.#refuseNeeds(entry, terms);
    const offer = this.#offerOf(entry);
    if (offer === null) {
      const { options, ...decided } = terms;
      return this.#checked(entry, terms.options, { ...given(decided), ...deviceOf(entry, options).options });
    }
    const fields = await this.#fields(offer, deviceOf(entry, terms.options), signal);
    const { values, issues } = answersTo(fields, terms);
    refuse(issues);
    const asked = fields.map(({ name }) => name);
    const more = Object.fromEntries(Object.entries(terms.options).filter(([name]) => !asked.includes(name)));
    const turn = await this.#setup.apply(offer, deviceOf(entry, more), values, signal);
    if (turn.kind === "refused") throw refusalOf(turn.why);
    return this.#checked(entry, more, turn.device.options);
  }

  async #fields(offer: Offer, device: FoundDevice, signal: AbortSignal): Promise<readonly LinkField[]> {
    const fields = await this.#setup.fields(offer, device, signal);
    if (fields === null) throw problem("timeout", "The device does not answer what there is to decide about it.");
    return fields === "later" ? [] : fields;
  }

  /** Null for a device that the link page would not show. */
  #offerOf({ adapter, sighting: { link } }: BookEntry): Offer | null {
    const linker = this.#parts.linkers.find((each) => each.adapter === adapter);
    const entry = linker?.vendors.find(({ id }) => id === link?.vendorId);
    if (linker === undefined || entry === undefined) return null;
    return { id: `${adapter}/${entry.id}`, adapter, entry, linking: linker.linking };
  }

  #refuseNeeds({ adapter, sighting: { needs = [] } }: BookEntry, { options }: AdoptTerms): void {
    const { shape } = this.#adapter(adapter).options;
    const others = needs.filter((need) => !Object.hasOwn(shape, need));
    if (others.length > 0) {
      throw problem("conflict", `The device needs ${others.join(", ")} switched on; do that and search again.`);
    }
    const missing = needs.filter((need) => options[need] === undefined);
    refuse(missing.map((need) => bodyIssue("invalid_type", ["options", need], "Required by the device")));
  }

  /** `more` is what the body says, which is not to be dropped in silence. */
  #checked({ adapter }: BookEntry, more: Options, options: Options): Options {
    const { options: schema, check } = this.#adapter(adapter);
    const names = Object.keys(schema.shape);
    const strange = Object.keys(more).filter((name) => !names.includes(name));
    const unknown = `The adapter ${adapter} has no such option; it has ${names.join(", ")}`;
    refuse(strange.map((name) => bodyIssue("unrecognized_keys", ["options", name], unknown)));
    const parsed = schema.safeParse(options);
    refuse((parsed.error?.issues ?? []).map(({ path, message }) => bodyIssue("custom", placeIn(more, path), message)));
    const wrong = parsed.success ? (check?.(parsed.data) ?? null) : null;
    refuse(wrong === null ? [] : [bodyIssue("custom", [], wrong)]);
    return options;
  }

  #adapter(name: string): Adapter {
    const adapter = this.#parts.adapters.find((each) => each.name === name);
    if (adapter === undefined) throw new Error(`there is no adapter ${name}`);
    return adapter;
  }
}

function given(terms: Options): Options {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
}

/** Where a body said an option that is wrong. */
function placeIn(more: Options, path: readonly PropertyKey[]): Issue["path"] {
  const place = path.map((part) => (typeof part === "symbol" ? String(part) : part));
  return Object.hasOwn(more, String(place[0])) ? ["options", ...place] : place;
}

/** What was found comes last: it says how the device was reached. */
function deviceOf({ sighting, id }: BookEntry, more: Options): FoundDevice {
  const { link, vendorTypes, name, model, serial, options } = sighting;
  return { key: link?.key ?? id, vendorTypes, name, model, detail: serial, options: { ...more, ...options } };
}

function refusalOf(why: LinkRefusal): ProblemError {
  switch (why) {
    case "wrong-device":
      return problem("bad-request", "With these settings the device tells nothing that its profile knows.");
    case "invalid-credentials":
    case "failed-auth-challenge":
    case "denied":
    case "code-expired":
      return problem("bad-request", "The device does not accept what it was told to be let in with.");
    case "wrong-unit":
      return problem("bad-request", "No device with this unit number is there.");
    case "outside-house":
    case "out-of-range":
    case "name-not-found":
    case "no-serial-port":
      return problem("bad-request", "These settings name no place where a device can be.");
    case "connection-refused":
    case "no-such-host":
    case "not-answering":
    case "rate-limited":
    case "unavailable":
      return problem("timeout", "The device does not answer with these settings.");
    default:
      return why satisfies never;
  }
}

function fieldView(field: LinkField): FoundSetup["fields"][number] {
  const { name, kind, label, hint, initial, isOptional = false } = field;
  const base = {
    name,
    label: label?.["en-US"] ?? null,
    hint: hint?.["en-US"] ?? null,
    initial: initial ?? null,
    isRequired: !isOptional && (initial === undefined || kind === "confirm"),
  };
  if (kind === "number") return { ...base, kind, min: field.min, max: field.max, unit: field.unit };
  if (kind !== "confirm") return { ...base, kind: "text" };
  const details = field.details.map((each) => ({ ...each, values: each.values?.map(String) ?? null }));
  return { ...base, kind, isPerControl: field.isPerControl === true, details };
}
