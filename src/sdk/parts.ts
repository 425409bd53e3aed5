/**
 * The optional parts of a device, such as the battery of an inverter, or the grid meter. A part that is missing has no
 * points, no controls and no asset.
 */
import type { Clock } from "../platform/ports/ports.ts";
import { within } from "../platform/within.ts";
import { DeviceError } from "../points/device-error.ts";
import type { PointName, Reading } from "../points/points.ts";
import type { Driver } from "./driver.ts";
import { type Condition, type FormulaScope, formulaKeys, isTrue } from "./formula.ts";
import type { DeviceNotes } from "./notes.ts";
import type { Provenance } from "./profile.ts";

/** The possible parts of a device: the first word of its points. */
export const DEVICE_PARTS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;
export type DevicePart = (typeof DEVICE_PARTS)[number];

/** How a part of a device is recognized. */
export interface PartRule extends Provenance {
  /** True if the device has the part. Unknown (a key without a value) neither adds nor removes the part. */
  readonly when: Condition;
  /** The rule as a text: "when register 35184 names a battery". */
  readonly shown: string;
}

/** How each part is recognized. Parts that are not listed always exist. */
export type PartRules = { readonly [Part in DevicePart]?: "always" | PartRule };

/** Used if no source says how a device without the part answers. */
const NO_SOURCE: Provenance = { confidence: "unverified", source: "no source says how a device without it answers" };
/** Smaller numbers count as 0. */
const NOT_ZERO = 0.001;

/** Returns a rule: the part exists if one of these is not 0, such as a counter, state of charge or voltage, but no power. */
export function onceNotZero(keys: readonly string[], provenance: Provenance = NO_SOURCE): PartRule {
  return { ...anyOf(keys, NOT_ZERO), shown: `once ${named(keys)} is not 0`, ...provenance };
}

/** Returns a rule: the part exists if one of these has a value; for devices that answer "no value" without the part. */
export function onceKnown(keys: readonly string[], provenance: Provenance = NO_SOURCE): PartRule {
  return { ...anyOf(keys, 0), shown: `once ${named(keys)} has a value`, ...provenance };
}

/** Returns a rule: the part exists if one of the rules is true. It has the source of the first one, the documented one. */
export function eitherOf(first: PartRule, second: PartRule): PartRule {
  return { ...first, when: { any: [first.when, second.when] }, shown: `${first.shown}, or ${second.shown}` };
}

function anyOf(keys: readonly string[], atLeast: number): Pick<PartRule, "when"> {
  return { when: { any: keys.map((key) => ({ of: { absolute: { of: key } }, atLeast })) } };
}

function named(keys: readonly string[]): string {
  const names = keys.map((key) => `\`${key}\``);
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Returns the keys that the rules read. */
export function partKeys(rules: PartRules): readonly string[] {
  return [...new Set(rulesOf(rules).flatMap(([, { when }]) => formulaKeys(when)))];
}

/** Returns the parts that the points belong to, in the order of `DEVICE_PARTS`. */
export function partsOf(points: readonly string[]): readonly DevicePart[] {
  return DEVICE_PARTS.filter((part) => points.some((point) => point.startsWith(`${part}.`)));
}

/** The parts that were found on earlier connections. A part that does not answer now still exists. */
export interface KnownParts {
  has(part: DevicePart): boolean;
  add(part: DevicePart): void;
  delete(part: DevicePart): unknown;
  /** Returns true if the part was ever found, even if it was removed since. Absent: as `has`. */
  wasFound?(part: DevicePart): boolean;
}

/** Marks a part in the note that was found once and does not exist now. */
const GONE = "-";

/** Stores the known parts of a device as a note. */
export class NotedParts implements KnownParts {
  readonly #notes: DeviceNotes;
  readonly #deviceId: string;
  readonly #parts: Set<string>;

  constructor(notes: DeviceNotes, deviceId: string) {
    this.#notes = notes;
    this.#deviceId = deviceId;
    this.#parts = new Set((notes.get(deviceId, NOTE) ?? "").split(",").filter((part) => part !== ""));
  }

  has(part: DevicePart): boolean {
    return this.#parts.has(part);
  }

  add(part: DevicePart): void {
    if (this.#parts.has(part)) return;
    this.#parts.add(part);
    this.#store();
  }

  delete(part: DevicePart): void {
    if (!this.#parts.delete(part)) return;
    this.#parts.add(GONE + part);
    this.#store();
  }

  wasFound(part: DevicePart): boolean {
    return this.#parts.has(part) || this.#parts.has(GONE + part);
  }

  /** If the disk refuses the note, a part that does not answer at the next start appears later; nothing else is lost. */
  #store(): void {
    this.#notes.put(this.#deviceId, NOTE, [...this.#parts].sort().join(",")).catch(() => undefined);
  }
}

/** The name of the note. */
const NOTE = "parts";

/** The parts of a connected device that were recognized so far. */
export class PresentParts {
  /** Parts that were not recognized, with their rules. */
  readonly #absent: Map<DevicePart, PartRule>;
  readonly #known: KnownParts;
  readonly #lacking = new Set<DevicePart>();
  #hasLooked = false;
  /** The number of parts that were recognized. */
  version = 0;

  constructor(rules: PartRules, known: KnownParts) {
    this.#absent = new Map(rulesOf(rules));
    this.#known = known;
  }

  /**
   * Evaluates the rules with the last readings. The first call of a connection decides; later calls only add parts, because
   * a part that does not answer for a while was not removed.
   */
  look(scope: FormulaScope): void {
    for (const [part, { when, confidence }] of this.#absent) {
      const isThere = isTrue(when, scope);
      if (isThere === false && !this.#hasLooked) {
        if (confidence !== "unverified" && !this.#wasFound(part)) this.#lacking.add(part);
        this.#known.delete(part);
      }
      if (isThere === true || (isThere === null && this.#known.has(part))) this.#show(part);
    }
    this.#hasLooked = true;
  }

  /** Returns true if the point belongs to a recognized part. */
  has(point: string): boolean {
    return this.#absent.size === 0 || ![...this.#absent.keys()].some((part) => point.startsWith(`${part}.`));
  }

  /** The parts that the first call found to be missing, by a rule with a source, and that were never found before. */
  get lacking(): readonly DevicePart[] {
    return [...this.#lacking];
  }

  #wasFound(part: DevicePart): boolean {
    return this.#known.wasFound?.(part) ?? this.#known.has(part);
  }

  #show(part: DevicePart): void {
    this.#absent.delete(part);
    this.#lacking.delete(part);
    this.#known.add(part);
    this.version += 1;
  }
}

/** How long the readings from connecting can answer the first `read`, ms. */
const FRESH_MS = 10_000;
/** How long connecting waits for the parts, ms. A part that has not answered by then appears when it does. */
const LOOK_MS = 12_000;

/** A driver with only the points and controls of recognized parts. */
class PartsDriver implements Driver {
  readonly vendors: readonly string[];
  readonly isEnergyManager: boolean;
  readonly #inner: Driver;
  readonly #parts: PresentParts;
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  #first: { readonly readings: readonly Reading[]; readonly atMs: number } | null = null;
  #shown: Pick<Driver, "points" | "controls" | "unconfirmed"> & { readonly version: number };

  constructor(inner: Driver, parts: PresentParts, clock: Pick<Clock, "monotonicMs" | "timer">) {
    this.vendors = inner.vendors;
    this.isEnergyManager = inner.isEnergyManager ?? false;
    this.#inner = inner;
    this.#parts = parts;
    this.#clock = clock;
    this.#shown = this.#select();
  }

  get identity(): Driver["identity"] {
    return this.#inner.identity;
  }

  get serialSource(): string | undefined {
    return this.#inner.serialSource;
  }

  get absentParts(): readonly DevicePart[] {
    return this.#parts.lacking;
  }

  get points(): Driver["points"] {
    return this.#current().points;
  }

  get controls(): Driver["controls"] {
    return this.#current().controls;
  }

  get unconfirmed(): NonNullable<Driver["unconfirmed"]> {
    return this.#current().unconfirmed ?? [];
  }

  get pollMs(): number {
    return this.#inner.pollMs;
  }

  get registers(): Driver["registers"] {
    return this.#inner.registers;
  }

  /** Reads the device once to recognize its parts. If it does not answer now, they are recognized later. */
  async lookOnce(signal: AbortSignal): Promise<void> {
    try {
      const readings = await within(this.#clock, LOOK_MS, signal, (limited) => this.#inner.read("all", limited));
      this.#first = { readings, atMs: this.#clock.monotonicMs() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DeviceError && error.kind === "unauthorized") throw error;
    }
  }

  async read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]> {
    const first = this.#first;
    this.#first = null;
    const isFresh = first !== null && this.#clock.monotonicMs() - first.atMs <= FRESH_MS;
    const { version } = this.#parts;
    const readings = isFresh ? first.readings : await this.#inner.read(scope, signal);
    const hasNewPart = this.#parts.version !== version;
    const rest = hasNewPart && scope === "due" ? await this.#readRest(signal) : [];
    return [...readings, ...rest].filter(({ point }) => this.#parts.has(point));
  }

  async write(...[point, value, signal]: Parameters<Driver["write"]>): Promise<void> {
    if (!this.#parts.has(point)) throw new DeviceError("rejected", `this device has no ${point.split(".")[0]}`);
    this.#first = null;
    await this.#inner.write(point, value, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inner[Symbol.asyncDispose]();
  }

  /** Reads the points of a new part that were not due; without them its asset would be incomplete for up to a minute. */
  async #readRest(signal: AbortSignal): Promise<readonly Reading[]> {
    try {
      return await this.#inner.read("all", signal);
    } catch (error) {
      if (error instanceof DeviceError) return [];
      throw error;
    }
  }

  #current() {
    if (this.#shown.version !== this.#parts.version) this.#shown = this.#select();
    return this.#shown;
  }

  #select() {
    const { points, controls, unconfirmed = [] } = this.#inner;
    const isShown = (point: PointName): boolean => this.#parts.has(point);
    return {
      version: this.#parts.version,
      points: points.filter(isShown),
      controls: controls.filter(({ point }) => isShown(point)),
      unconfirmed: unconfirmed.filter(isShown),
    };
  }
}

/**
 * Returns a driver with only the recognized parts of the device; `inner` has to call `parts.look` after each of its reads.
 * The device is read once for this, and the first `read` returns that result.
 */
export async function withParts(
  inner: Driver,
  parts: PresentParts,
  clock: Pick<Clock, "monotonicMs" | "timer">,
  signal: AbortSignal,
): Promise<Driver> {
  const driver = new PartsDriver(inner, parts, clock);
  try {
    await driver.lookOnce(signal);
  } catch (error) {
    await inner[Symbol.asyncDispose]();
    throw error;
  }
  return driver;
}

function rulesOf(rules: PartRules): readonly (readonly [DevicePart, PartRule])[] {
  return DEVICE_PARTS.flatMap((part) => {
    const rule = rules[part];
    return rule === undefined || rule === "always" ? [] : [[part, rule] as const];
  });
}
