/** The vocabulary in which a device with registers is described as data. Addresses are facts; no bytes are read here. */
import assert from "node:assert/strict";
import type { Control } from "./driver.ts";
import type { ControlPoint, PointName, PointValue } from "./points.ts";

/** How often a point is read: power and states, what drifts, what hardly changes. */
export type PollClass = "fast" | "normal" | "slow";

export type RegisterTable = "holding" | "input";

/** Types as on the wire; bytes inside a register are big endian always. */
export type RegisterType =
  | "uint16"
  | "int16"
  | "uint32"
  | "int32"
  | "uint64"
  | "int64"
  | "float32"
  | "float64"
  | "string";

/** How sure the sources are of an address; only `cross-checked` may control unless the installer confirms it. */
export type Confidence = "cross-checked" | "vendor-list" | "single-source" | "conflict" | "unverified" | "derived";

/** Where a value stands and what its bits mean. */
export interface RegisterField {
  readonly table: RegisterTable;
  /** Zero-based protocol address. */
  readonly address: number;
  readonly type: RegisterType;
  /** Registers of a string. Numbers take what their type needs. */
  readonly words?: number;
  /** Order of the registers of a number; `big` (most significant first) when absent. */
  readonly wordOrder?: "big" | "little";
  /** value = raw × scale × 10^(value of `scaleFrom`). A negative scale flips the sign. */
  readonly scale?: number;
  /** The key of a signed power of ten that the device keeps in a register of its own (SunSpec `sunssf`). */
  readonly scaleFrom?: string;
  /** Raw values that mean "no value"; NaN of a float always does. */
  readonly sentinels?: readonly (number | bigint)[];
}

/** One value in a device's registers. Its key is a point, or a name of its own that a derived point is made from. */
export interface RegisterPoint<Key extends string = PointName | `raw.${string}`> extends RegisterField {
  readonly key: Key;
  readonly poll: PollClass;
}

/** A decoded register: null when the device holds its "no value" there, or refused the address. */
export type RegisterValue = number | string | null;
export type RegisterValues = ReadonlyMap<string, RegisterValue>;

/** A point made from several registers, or from one with a meaning of its own. */
export interface DerivedPoint {
  readonly point: PointName;
  /** Keys of the register points it is made from; it is reported in each round in which one of them was read. */
  readonly from: readonly string[];
  value(registers: RegisterValues): PointValue | null;
}

/** What a unit can take. */
export interface UnitLimits {
  /** Most registers in one read, at most 125. */
  readonly maxRegisters: number;
  /** Pause between two requests, ms. */
  readonly minGapMs: number;
  /** The device answers one value a request only: reads are never merged (KEBA). */
  readonly isOneValuePerRequest: boolean;
}

/** A fact about a register and how far it is trusted. */
export interface Provenance {
  readonly confidence: Confidence;
  /** Who says so: a vendor document, or the open drivers that agree. */
  readonly source: string;
}

/** A register point of a profile. */
export interface ProfilePoint extends RegisterPoint, Provenance {
  /** For a state: what each raw value means. A raw value that is not listed reads as `otherwise`. */
  readonly states?: {
    readonly values: Readonly<Record<number, PointValue | null>>;
    readonly otherwise: PointValue | null;
  };
}

/** One register write. `value` is a fixed number, or the wished value in the point's unit. */
export interface WriteStep {
  readonly address: number;
  readonly type: Exclude<RegisterType, "string">;
  readonly wordOrder?: "big" | "little";
  /** raw = value ÷ scale. */
  readonly scale?: number;
  /** Function: 6 writes one register, 16 one or more. */
  readonly code: 6 | 16;
  readonly value: number | "wish";
}

/** The writes, in order, that set a control: the same for every value, or by case. */
export type WriteRecipe =
  | { readonly steps: readonly WriteStep[] }
  | { readonly cases: readonly { readonly value: PointValue; readonly steps: readonly WriteStep[] }[] };

/** A control of a profile. */
export interface ProfileControl extends Provenance {
  readonly point: ControlPoint;
  readonly range?: NonNullable<Control["range"]>;
  readonly safeDefault: Control["safeDefault"];
  readonly write: WriteRecipe;
  /** The device's own reversion timer, written before the value. Without it the control has no hold. */
  readonly hold?: Provenance & { readonly holdMs: number; readonly write: WriteRecipe };
}

/** A device as data. */
export interface DeviceProfile {
  /** Kebab-case, vendor first; what the configuration calls it. */
  readonly id: string;
  readonly brand: string;
  readonly model: string;
  /** As `Driver.vendors`. */
  readonly vendors: readonly string[];
  readonly transport: UnitLimits & {
    /** The unit id that the device has when nobody changed it. */ readonly unit: number;
  };
  /** Registers that say who this device is, read once at connecting. */
  readonly identity?: Partial<Record<"manufacturer" | "model" | "serial" | "version", RegisterField & Provenance>>;
  readonly points: readonly ProfilePoint[];
  readonly derived: readonly DerivedPoint[];
  readonly controls: readonly ProfileControl[];
}

const WORDS: Readonly<Record<Exclude<RegisterType, "string">, number>> = {
  uint16: 1,
  int16: 1,
  uint32: 2,
  int32: 2,
  uint64: 4,
  int64: 4,
  float32: 2,
  float64: 4,
};

/** How many registers a field takes. */
export function registerWords(field: Pick<RegisterField, "type" | "words">): number {
  return field.type === "string" ? (field.words ?? 0) : WORDS[field.type];
}

/** Declares a device. A profile that contradicts itself is a bug and throws here, at load. */
export function defineProfile(profile: DeviceProfile): DeviceProfile {
  const { transport, points, derived, controls } = profile;
  assert.match(profile.id, /^[a-z0-9]+(-[a-z0-9]+)*$/, `profile id ${profile.id}`);
  assert(transport.maxRegisters >= 1 && transport.maxRegisters <= 125, `${profile.id}: maxRegisters`);
  assert(transport.unit >= 0 && transport.unit <= 255, `${profile.id}: unit`);
  const keys = new Set<string>(points.map((point) => point.key));
  assert.equal(keys.size, points.length, `${profile.id}: two points have the same key`);
  for (const field of [...points, ...Object.values(profile.identity ?? {})]) checkField(profile.id, field, transport);
  for (const point of points) {
    assert(
      point.scaleFrom === undefined || keys.has(point.scaleFrom),
      `${profile.id}: ${point.key} scales from nothing`,
    );
  }
  for (const { point, from } of derived) {
    assert(from.length > 0 && from.every((key) => keys.has(key)), `${profile.id}: ${point} is made from nothing`);
    assert(!points.some((each) => each.key === point), `${profile.id}: ${point} is both read and derived`);
  }
  for (const { point, write } of controls) {
    for (const steps of "steps" in write ? [write.steps] : write.cases.map((each) => each.steps)) {
      assert(steps.length > 0, `${profile.id}: ${point} writes nothing`);
    }
  }
  return profile;
}

function checkField(id: string, field: RegisterField, limits: UnitLimits): void {
  const words = registerWords(field);
  assert(words >= 1 && words <= limits.maxRegisters, `${id}: register ${field.address} has ${words} words`);
  assert(
    Number.isInteger(field.address) && field.address >= 0 && field.address + words <= 65_536,
    `${id}: register ${field.address} is outside the table`,
  );
}
