/** Keeps the sections of the configuration that are set over the API, and lays them over the file. */
import { HOUSE_SECTIONS, type HouseSection } from "../../domain/configuration/configuration-view.ts";
import { HIDDEN } from "../../domain/diagnostics/without-secrets.ts";
import { problem } from "../../domain/problem.ts";
import { isSecretName } from "../../domain/secret-names.ts";
import { errorText } from "../../platform/error-text.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { HouseConfigurationRecord } from "../../store/records/house-configuration.ts";
import type { Store } from "../../store/store.ts";
import type { HouseSettings, SectionState } from "../contracts/configuration.ts";

const TABLE = "house-configuration";
const KEY = "current";

type Sections = Readonly<Record<string, unknown>>;

/** What is wrong with a section. */
export interface SectionMistake {
  /** `pricing.market.zone`. */
  readonly path: string;
  readonly problem: string;
  readonly expected: string | null;
}

/** The configuration file, with sections laid over it. `Layer` is what takes the place of the file alone. */
export interface HouseLayer<Layer> {
  /** Returns true if the file decides about a section, so that it cannot be set here. */
  isInFile(section: string): boolean;
  /** Returns the file with these sections, or all mistakes in them. */
  inHouse(
    sections: Sections,
  ):
    | { readonly ok: true; readonly layer: Layer }
    | { readonly ok: false; readonly mistakes: readonly SectionMistake[] };
  /** Environment variables that set values, each with the section that the value is in. */
  readonly variables: readonly { readonly name: string; readonly section: string }[];
}

export interface HouseConfigurationParts<Layer> {
  readonly store: Pick<Store, "get" | "commit" | "commitAlong">;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Pick<Log, "info" | "warn">;
  /** `null` if the configuration comes from a program, and cannot be changed here. */
  readonly layer: HouseLayer<Layer> | null;
  readonly sources: HouseSettings["sources"];
  /** Returns the sections that the cloud service sets now. */
  fleetSections(): readonly string[];
  /** Returns true while settings of the cloud service are on trial. */
  isOnTrial(): boolean;
  /** Restarts the gateway. */
  restart(): void;
}

export class HouseConfiguration<Layer> implements HouseSettings {
  readonly #parts: HouseConfigurationParts<Layer>;
  readonly #mutex = new KeyedMutex({ maxWaiting: null });

  constructor(parts: HouseConfigurationParts<Layer>) {
    this.#parts = parts;
  }

  get sources(): HouseSettings["sources"] {
    return this.#parts.sources;
  }

  /** Returns the file with the stored sections; `null` without any, or if they no longer hold. */
  layer(): Layer | null {
    const { layer, log } = this.#parts;
    if (layer === null) return null;
    const stored = this.#record?.sections ?? {};
    const sections = this.#withoutFile(stored);
    const overruled = Object.keys(stored).filter((name) => sections[name] === undefined);
    if (overruled.length > 0) {
      log.warn(
        { sections: overruled },
        "the configuration file sets what was set over the API before; the file counts",
      );
    }
    if (Object.keys(sections).length === 0) return null;
    const result = layer.inHouse(sections);
    if (result.ok) return result.layer;
    const [mistake] = result.mistakes;
    log.warn(
      { path: mistake?.path, problem: mistake?.problem },
      "settings that were made over the API no longer hold; the configuration file alone is in use",
    );
    return null;
  }

  /** The gateway has started with the sections. */
  started(): void {
    const record = this.#record;
    if (record !== null && record.before !== null) this.#parts.store.commitAlong([put({ ...record, before: null })]);
  }

  /** The gateway does not start with the sections: those before count again. Returns false if none were changed. */
  async failed(error: unknown): Promise<boolean> {
    const record = this.#record;
    if (record === null || record.before === null) return false;
    const { store, log } = this.#parts;
    log.warn(
      { reason: errorText(error) },
      "the gateway does not start with the new settings; the earlier ones are in use",
    );
    await store.commit([put({ ...record, sections: record.before, before: null })], []);
    return true;
  }

  stateOf(section: string): SectionState {
    const { layer } = this.#parts;
    const variables = (layer?.variables ?? []).filter((each) => each.section === section).map(({ name }) => name);
    const origin = this.#originOf(section);
    const isElsewhere = origin === "file" || origin === "fleet";
    return { origin, isSettable: layer !== null && isHouseSection(section) && !isElsewhere, variables };
  }

  async set(section: HouseSection, value: Sections): Promise<void> {
    await this.#change(section, (sections) => ({
      ...sections,
      [section]: withKept(value, sections[section], section),
    }));
  }

  async remove(section: HouseSection): Promise<void> {
    await this.#change(section, ({ [section]: removed, ...others }) => {
      if (removed === undefined) throw problem("not-found", `The section ${section} is not set here.`);
      return others;
    });
  }

  #originOf(section: string): SectionState["origin"] {
    const { layer, fleetSections } = this.#parts;
    if (fleetSections().includes(section)) return "fleet";
    if (layer === null || layer.isInFile(section)) return "file";
    return this.#record?.sections[section] === undefined ? "default" : "api";
  }

  async #change(section: HouseSection, change: (sections: Sections) => Sections): Promise<void> {
    await this.#mutex.run(KEY, async () => {
      const { store, clock, log, layer, isOnTrial, restart } = this.#parts;
      if (layer === null || !this.stateOf(section).isSettable) throw setElsewhere(section, this.#originOf(section));
      if (isOnTrial()) {
        throw problem("conflict", "Settings of the cloud service are being tried; try again in some minutes.");
      }
      const before = this.#record?.sections ?? {};
      const sections = change(before);
      const result = layer.inHouse(this.#withoutFile(sections));
      if (!result.ok) throw invalid(result.mistakes);
      await store.commit([put({ sections, before, changedAtMs: clock.nowMs() })], []);
      log.info({ section }, "restarting with settings that were made over the API");
      restart();
    });
  }

  /** The file counts more. */
  #withoutFile(sections: Sections): Sections {
    const { layer } = this.#parts;
    return Object.fromEntries(Object.entries(sections).filter(([name]) => layer !== null && !layer.isInFile(name)));
  }

  get #record(): HouseConfigurationRecord | null {
    return this.#parts.store.get(TABLE, KEY);
  }
}

function isHouseSection(name: string): name is HouseSection {
  return HOUSE_SECTIONS.some((section) => section === name);
}

function put(record: HouseConfigurationRecord) {
  return { table: TABLE, key: KEY, put: record } as const;
}

function setElsewhere(section: string, origin: SectionState["origin"]) {
  const where = origin === "fleet" ? "the cloud service sets it" : "the configuration file sets it; change it there";
  return problem("conflict", `The section ${section} cannot be changed here: ${where}.`);
}

function invalid(mistakes: readonly SectionMistake[]) {
  const issues = mistakes.map(({ path, problem: text, expected }) => ({
    code: "invalid",
    in: "body" as const,
    path: path.split(/[.[\]]+/).filter((part) => part !== ""),
    message: expected === null ? text : `${text}; expected ${expected}`,
  }));
  return problem("bad-request", "These settings are not valid.", { issues });
}

/** Puts stored secrets where the new value says that they stay. */
function withKept(value: unknown, stored: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return value.map((entry, at) => withKept(entry, before.find(isSameUser(entry)), `${path}.${at}`));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const kept: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
      if (!isSecretName(name) || entry !== HIDDEN) return [name, withKept(entry, kept, `${path}.${name}`)];
      if (typeof kept === "string") return [name, kept];
      const place = { code: "invalid", in: "body" as const, path: `${path}.${name}`.split(".") };
      const issues = [{ ...place, message: "There is no stored value that could stay." }];
      throw problem("bad-request", "These settings are not valid.", { issues });
    }),
  );
}

/** Entries of a list are recognized by their user name; those without one keep no secret. */
function isSameUser(entry: unknown): (other: unknown) => boolean {
  const nameOf = (each: unknown): unknown =>
    typeof each === "object" && each !== null ? Reflect.get(each, "username") : undefined;
  const name = nameOf(entry);
  return (other) => name !== undefined && nameOf(other) === name;
}
