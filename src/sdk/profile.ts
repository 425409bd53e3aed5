/** The vocabulary in which a device with registers is described as data. Addresses are facts; no bytes are read here. */
import assert from "node:assert/strict";
import type { ControlPoint, PointName, PointValue } from "../points/points.ts";
import type { Control } from "./driver.ts";
import { type Condition, type Formula, formulaKeys } from "./formula.ts";
import { type PartRules, partKeys } from "./parts.ts";

/** How often a point is read: power and states, what drifts, what hardly changes. */
export type PollClass = "fast" | "normal" | "slow";

/** Coils and discrete inputs are bits: type `uint16`, 0 or 1. */
export type RegisterTable = "holding" | "input" | "coil" | "discrete";

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
  /** Order of the two characters in each register of a text; `big` (first in the high byte) when absent. */
  readonly byteOrder?: "big" | "little";
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

/** How a device behaves on its line; what is absent is as Modbus says. */
export interface ProfileLimits extends UnitLimits {
  /** How long an answer may take, ms. */
  readonly timeoutMs?: number;
  /** Pause between the connection and the first request, ms (Huawei's dongle). */
  readonly connectDelayMs?: number;
  /** The device closes a connection that is silent for so long, ms; not a failure. */
  readonly idleCloseMs?: number;
  /** Clients that it serves at a time. */
  readonly maxClients?: number;
  /** The first request after a pause only wakes it: each is sent again when it was not answered (ABL eMH1). */
  readonly isWokenByRequest?: boolean;
}

/** A way to reach a device, as it is when nobody changed it. */
export type ProfileTransport =
  /** Modbus TCP, RTU frames inside TCP, or RTU frames inside UDP (GoodWe). */
  | { readonly kind: "tcp" | "rtu-over-tcp" | "udp"; readonly port: number; readonly unit: number }
  | {
      readonly kind: "rtu" | "ascii";
      readonly unit: number;
      readonly baudRate: number;
      readonly parity: "none" | "even" | "odd";
      readonly dataBits: 7 | 8;
      readonly stopBits: 1 | 2;
    };

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
    readonly values: Readonly<Record<string, PointValue | null>>;
    readonly otherwise: PointValue | null;
  };
}

/** A point made from several registers, as data. */
export interface ProfileFormula {
  readonly point: PointName;
  readonly value: Formula;
}

/** A number that the owner may set for the device, such as the power of a forced charge. */
export interface ProfileSetting {
  readonly unit: string;
  readonly meaning: string;
  readonly min: number;
  readonly max: number;
  /** Absent: controls that need it are off until it is set. */
  readonly default?: number;
}

/** A value as it goes into registers. */
export interface WriteField {
  readonly type: Exclude<RegisterType, "string">;
  readonly wordOrder?: "big" | "little";
  /** raw = value ÷ scale. */
  readonly scale?: number;
  /** In writes, null means that this cannot be written now: nothing of the recipe is sent. */
  readonly value: Formula;
}

/** One write request. */
export interface WriteStep {
  readonly address: number;
  /** Function: 5 writes a coil (0 or 1), 6 one register, 16 one or more. */
  readonly code: 5 | 6 | 16;
  /** The values that follow each other from the address on. */
  readonly fields: readonly WriteField[];
  /** The registers are in memory that wears: written only when they hold something else. */
  readonly isStored?: boolean;
  /** The step is left out unless this holds. */
  readonly when?: Condition;
  /** Pause after it, ms. */
  readonly pauseMs?: number;
}

/** The writes of one state of a control; a confidence of its own where it is known less well than the rest. */
export interface WriteCase extends Partial<Provenance> {
  readonly value: PointValue;
  readonly steps: readonly WriteStep[];
}

/** The writes, in order, that set a control: the same for every value, or by case. */
export type WriteRecipe = { readonly steps: readonly WriteStep[] } | { readonly cases: readonly WriteCase[] };

/** The device's own reversion timer. */
export interface ProfileHold extends Provenance {
  /** How long the device keeps a value that nobody writes again, ms. */
  readonly holdMs: number;
  /** Sets the timer and what the device falls back to; before the value. Absent: every write starts the timer anew. */
  readonly write?: WriteRecipe;
  /** The timer is read back after it was written, and the value is not sent when it did not take. */
  readonly isReadBack?: boolean;
  /** What the point shows when the time is over, where that is not the control's safe default. */
  readonly shows?: Formula;
  /** What the device does when the time is over, for people. */
  readonly fallback: string;
}

/** A control of a profile. */
export interface ProfileControl extends Provenance {
  readonly point: ControlPoint;
  readonly range?: NonNullable<Control["range"]>;
  readonly safeDefault: Control["safeDefault"];
  readonly write: WriteRecipe;
  readonly hold?: ProfileHold;
  /** As `Control.renewMs`: what is written follows from values of the moment, and is worked out anew this often, ms. */
  readonly renewMs?: number;
  /** Where the device does less or more than the point says, for people. */
  readonly approximate?: string;
}

/** A register that tells devices apart, and what it has to hold; where it says nothing of that, any value will do. */
export interface FingerprintCheck extends RegisterField {
  /** One of these. */
  readonly is?: readonly (number | string)[];
  /** Regular expression that the text, or the number as text, matches. */
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  /** What of the plate the register holds. */
  readonly tells?: "manufacturer" | "model" | "serial" | "version";
}

/** How a search knows the device by a few reads. */
export interface Fingerprint {
  /** All have to hold; the one that tells most about others is first. */
  readonly checks: readonly [FingerprintCheck, ...FingerprintCheck[]];
  /** 0 to 1: how sure it is that a device with these values is this one and no other. */
  readonly certainty: number;
}

/** What a device's registers say of the device itself. */
export interface PlateField extends RegisterField, Provenance {
  /** The unit behind the same connection that has the register; the device's own when absent. */
  readonly unit?: number;
  /** The device answers only a read of all of this block. */
  readonly block?: { readonly address: number; readonly words: number };
  /** How a number is printed on the device; decimal when absent. */
  readonly base?: 10 | 16;
  /** Least digits of a number, with zeros in front. */
  readonly digits?: number;
}

/** A device as data: it survives JSON, so that users can write their own. */
export interface DeviceProfile {
  /** Kebab-case, vendor first; what the configuration calls it. */
  readonly id: string;
  readonly brand: string;
  readonly model: string;
  /** As `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** As `Driver.isEnergyManager`. */
  readonly isEnergyManager?: boolean;
  /** The usual one first. */
  readonly transports: readonly [ProfileTransport, ...ProfileTransport[]];
  readonly limits: ProfileLimits;
  /** What an installer has to know: what to switch on, what the device does not like. */
  readonly notes?: readonly string[];
  /** Registers that say who this device is, read once at connecting. */
  readonly identity?: Partial<Record<"manufacturer" | "model" | "serial" | "version", PlateField>>;
  /** Why no register tells a serial number, and by which source; only where `identity` has none. */
  readonly noSerial?: string;
  /** How a search knows it. Absent: it is found only by those who look for it. */
  readonly fingerprint?: Fingerprint;
  /** Which parts a device of the family may lack, and how it is recognized that they are there. */
  readonly parts?: PartRules;
  readonly points: readonly ProfilePoint[];
  readonly derived: readonly ProfileFormula[];
  readonly settings?: Readonly<Record<string, ProfileSetting>>;
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
  const { id, transports, limits, points, controls } = profile;
  assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/, `profile id ${id}`);
  assert(limits.maxRegisters >= 1 && limits.maxRegisters <= 125, `${id}: maxRegisters`);
  for (const { unit } of transports) assert(unit >= 0 && unit <= 255, `${id}: unit`);
  for (const field of points) checkField(id, field, limits);
  for (const { block, ...field } of Object.values(profile.identity ?? {})) {
    checkField(id, field, block === undefined ? limits : { ...limits, maxRegisters: block.words });
    if (block === undefined) continue;
    const isInside =
      field.address >= block.address && field.address + registerWords(field) <= block.address + block.words;
    assert(isInside && block.words <= limits.maxRegisters, `${id}: register ${field.address} is outside of its block`);
  }
  assert(profile.identity?.serial === undefined || profile.noSerial === undefined, `${id}: it has a serial number`);
  checkKeys(profile);
  for (const { point, write, hold } of controls) {
    for (const recipe of [write, hold?.write ?? write]) {
      for (const steps of "steps" in recipe ? [recipe.steps] : recipe.cases.map((each) => each.steps)) {
        assert(steps.length > 0, `${id}: ${point} writes nothing`);
        for (const step of steps) assert(step.fields.length > 0, `${id}: ${point} writes nothing to ${step.address}`);
      }
    }
  }
  return profile;
}

function checkKeys({ id, points, derived, parts = {} }: DeviceProfile): void {
  const keys = new Set<string>(points.map((point) => point.key));
  assert.equal(keys.size, points.length, `${id}: two points have the same key`);
  for (const { key, scaleFrom } of points) {
    assert(scaleFrom === undefined || keys.has(scaleFrom), `${id}: ${key} scales from nothing`);
  }
  for (const { point, value } of derived) {
    for (const key of formulaKeys(value))
      assert(keys.has(key), `${id}: ${point} is made from ${key}, which is not read`);
    assert(!keys.has(point), `${id}: ${point} is both read and derived`);
  }
  const read = new Set(points.map(({ key, states }) => (states === undefined ? key : `raw.${key}`)));
  for (const key of partKeys(parts)) assert(read.has(key), `${id}: a part is recognized by ${key}, which is not read`);
}

function checkField(id: string, field: RegisterField, limits: UnitLimits): void {
  const words = registerWords(field);
  assert(words >= 1 && words <= limits.maxRegisters, `${id}: register ${field.address} has ${words} words`);
  assert(
    Number.isInteger(field.address) && field.address >= 0 && field.address + words <= 65_536,
    `${id}: register ${field.address} is outside the table`,
  );
}
