import type { Control, DeviceIdentity, PointName, PointValue } from "hemgate/sdk";
import type { ModbusUnit, RegisterPoint } from "./register-point.ts";

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

/** A control with the writes that set it: the reversion timer first where the device has one. */
export interface MapControl extends Control {
  write(unit: ModbusUnit, value: PointValue, registers: RegisterValues, signal: AbortSignal): Promise<void>;
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

/**
 * What connecting found out about a unit: which registers to poll, how they make points, how to write. A data profile
 * and a SunSpec model chain both end as one of these, and one driver runs them.
 */
export interface DeviceMap {
  readonly identity: DeviceIdentity;
  readonly vendors: readonly string[];
  readonly registers: readonly RegisterPoint<string>[];
  readonly derived: readonly DerivedPoint[];
  readonly controls: readonly MapControl[];
  readonly limits: UnitLimits;
}
