/** The types by which a device with registers is described as data. */
import assert from "node:assert/strict";
import type { Confidence, ControlPoint, PointName, PointValue } from "../points/points.ts";
import type { Control } from "./driver.ts";
import { type Condition, type Formula, formulaKeys } from "./formula.ts";
import { type PartRules, partKeys } from "./parts.ts";

/** How often a point is read: `fast` for power and states, `normal` for slower values, `slow` for what hardly changes. */
export type PollClass = "fast" | "normal" | "slow";

/** The Modbus tables. Coils and discrete inputs are bits: type `uint16`, 0 or 1. */
export type RegisterTable = "holding" | "input" | "coil" | "discrete";

/** The types of values in registers. The bytes within a register are always big-endian. */
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

/** The registers of a value and how they are decoded. */
export interface RegisterField {
  readonly table: RegisterTable;
  /** Zero-based protocol address. */
  readonly address: number;
  readonly type: RegisterType;
  /** The number of registers of a string. For numbers it follows from the type. */
  readonly words?: number;
  /** Order of the registers of a number; by default `big` (most significant first). */
  readonly wordOrder?: "big" | "little";
  /** Order of the two characters in each register of a text; by default `big` (first in the high byte). */
  readonly byteOrder?: "big" | "little";
  /** value = raw × scale × 10^(value of `scaleFrom`). A negative scale inverts the sign. */
  readonly scale?: number;
  /** The key of a register with the exponent of a power of ten (SunSpec `sunssf`). */
  readonly scaleFrom?: string;
  /** Raw values that mean "no value". NaN of a float always does. */
  readonly sentinels?: readonly (number | bigint)[];
}

/** A value in a device's registers. Its key is a point, or `raw.` and a name from which derived points are calculated. */
export interface RegisterPoint<Key extends string = PointName | `raw.${string}`> extends RegisterField {
  readonly key: Key;
  readonly poll: PollClass;
}

/** A decoded value; `null` if it is a sentinel, or if the device refused the address. */
export type RegisterValue = number | string | null;
export type RegisterValues = ReadonlyMap<string, RegisterValue>;

/** A point that is calculated from register points. */
export interface DerivedPoint {
  readonly point: PointName;
  /** Keys of these register points. The point is reported in each poll that read one of them. */
  readonly from: readonly string[];
  value(registers: RegisterValues): PointValue | null;
}

/** The limits of a Modbus unit. */
export interface UnitLimits {
  /** Highest number of registers in one read, at most 125. */
  readonly maxRegisters: number;
  /** Pause between two requests, ms. */
  readonly minGapMs: number;
  /** True if the device answers only one value per request, so that reads are never merged (KEBA). */
  readonly isOneValuePerRequest: boolean;
}

/** The limits and the timing of a device. What is absent is as the Modbus specification says. */
export interface ProfileLimits extends UnitLimits {
  /** How long a response may take, ms. */
  readonly timeoutMs?: number;
  /** Pause between the connection and the first request, ms (Huawei's dongle). */
  readonly connectDelayMs?: number;
  /** The device closes a connection that is idle for this long, ms; that is no failure. */
  readonly idleCloseMs?: number;
  /** Number of clients that it serves at the same time. */
  readonly maxClients?: number;
  /** True if the first request after a pause only wakes the device: a request without a response is sent again (ABL eMH1). */
  readonly isWokenByRequest?: boolean;
}

/** A way to reach a device, with its factory settings. */
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

/** The source of a fact about a device, and how reliable it is. */
export interface Provenance {
  readonly confidence: Confidence;
  /** The vendor document, or the open-source drivers that agree. */
  readonly source: string;
}

/** A register point of a profile. */
export interface ProfilePoint extends RegisterPoint, Provenance {
  /** The states by raw value. A raw value that is not listed becomes `otherwise`. */
  readonly states?: {
    readonly values: Readonly<Record<string, PointValue | null>>;
    readonly otherwise: PointValue | null;
  };
}

/** A point that is calculated by a formula. */
export interface ProfileFormula {
  readonly point: PointName;
  readonly value: Formula;
}

/** A number that the owner can set for the device, such as the power of a forced charge. */
export interface ProfileSetting {
  readonly unit: string;
  readonly meaning: string;
  readonly min: number;
  readonly max: number;
  /** Absent: controls that need it are off until it is set. */
  readonly default?: number;
}

/** A value to write to registers, and how it is encoded. */
export interface WriteField {
  readonly type: Exclude<RegisterType, "string">;
  readonly wordOrder?: "big" | "little";
  /** raw = value ÷ scale. */
  readonly scale?: number;
  /** `null` as the result means that the value cannot be written now: nothing of the recipe is sent. */
  readonly value: Formula;
}

/** One write request. */
export interface WriteStep {
  readonly address: number;
  /** Modbus function code: 5 writes a coil (0 or 1), 6 one register, 16 one or more registers. */
  readonly code: 5 | 6 | 16;
  /** The values in consecutive registers from the address on. */
  readonly fields: readonly WriteField[];
  /** True if the registers are in flash memory, which wears out: they are written only if their value differs. */
  readonly isStored?: boolean;
  /** The step is skipped unless this is true. */
  readonly when?: Condition;
  /** Pause after the step, ms. */
  readonly pauseMs?: number;
}

/** The writes of one state of a control, with a separate confidence if it is less reliable than the rest. */
export interface WriteCase extends Partial<Provenance> {
  readonly value: PointValue;
  readonly steps: readonly WriteStep[];
}

/** The writes that set a control, in order: the same for every value, or by value. */
export type WriteRecipe = { readonly steps: readonly WriteStep[] } | { readonly cases: readonly WriteCase[] };

/** The device's reversion timer. */
export interface ProfileHold extends Provenance {
  /** How long the device keeps a value that nobody writes again, ms. */
  readonly holdMs: number;
  /** Writes the timer and the fallback, before the value. Absent: every write of the value restarts the timer. */
  readonly write?: WriteRecipe;
  /** True if the timer is read back after it was written; the value is sent only if the device accepted the timer. */
  readonly isReadBack?: boolean;
  /** What the point shows after that time, if that is not the control's safe default. */
  readonly shows?: Formula;
  /** What the device does after that time, as a text. */
  readonly fallback: string;
}

/** A control of a profile. */
export interface ProfileControl extends Provenance {
  readonly point: ControlPoint;
  /** The least and the highest number, both accepted; made of constants and settings only. */
  readonly range?: { readonly min: Formula; readonly max: Formula };
  /** As `Control.step`. */
  readonly step?: number;
  readonly safeDefault: Control["safeDefault"];
  readonly write: WriteRecipe;
  readonly hold?: ProfileHold;
  /** As `Control.renewMs`: the value depends on present readings and is calculated and written again this often, ms. */
  readonly renewMs?: number;
  /** After this long a reading shows what the device has, and `lastWrite` no longer counts, ms. Absent: it does until the next write. */
  readonly shownWithinMs?: number;
  /** How the device differs from what the point means, as a text. */
  readonly approximate?: string;
}

/** A register by which a device is recognized, with its valid values. Without a condition any value is valid. */
export interface FingerprintCheck extends RegisterField {
  /** The value is one of these. */
  readonly is?: readonly (number | string)[];
  /** The text, or the number as text, matches this regular expression. */
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  /** The part of the nameplate that the register contains. */
  readonly tells?: "manufacturer" | "model" | "serial" | "version";
}

/** How a search recognizes the device by a few reads. */
export interface Fingerprint {
  /** All checks have to succeed. The first one should exclude most other devices. */
  readonly checks: readonly [FingerprintCheck, ...FingerprintCheck[]];
  /** Probability that a device with these values is this one, 0 to 1. */
  readonly certainty: number;
}

/** A register with a part of the nameplate. */
export interface PlateField extends RegisterField, Provenance {
  /** The unit on the same connection that has the register; by default the unit of the device. */
  readonly unit?: number;
  /** The block that has to be read as a whole to read the register. */
  readonly block?: { readonly address: number; readonly words: number };
  /** The base in which a number is printed on the device; by default 10. */
  readonly base?: 10 | 16;
  /** The least number of digits, with leading zeros. */
  readonly digits?: number;
}

/** A device as data. It can be converted to JSON and back, so that users can write profiles. */
export interface DeviceProfile {
  /** Name in the configuration: kebab-case, vendor first. */
  readonly id: string;
  readonly brand: string;
  readonly model: string;
  /** As `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** As `Driver.isEnergyManager`. */
  readonly isEnergyManager?: boolean;
  /** The usual transport first. */
  readonly transports: readonly [ProfileTransport, ...ProfileTransport[]];
  readonly limits: ProfileLimits;
  /** What an installer has to know, such as settings of the device. */
  readonly notes?: readonly string[];
  /** The registers of the nameplate, which are read once when the device is connected. */
  readonly identity?: Partial<Record<"manufacturer" | "model" | "serial" | "version", PlateField>>;
  /** Why no register has a serial number, with the source; only if `identity` has none. */
  readonly noSerial?: string;
  /** How a search recognizes the device. Absent: a search does not find it. */
  readonly fingerprint?: Fingerprint;
  /** The optional parts of the device, and how they are recognized. */
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

/** Returns the number of registers of a field. */
export function registerWords(field: Pick<RegisterField, "type" | "words">): number {
  return field.type === "string" ? (field.words ?? 0) : WORDS[field.type];
}

/** Declares a device. Throws an AssertionError if the profile contradicts itself. */
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
