import type {
  Control,
  ControlPoint,
  DerivedPoint,
  DeviceIdentity,
  PointValue,
  PresentParts,
  RegisterPoint,
  RegisterValues,
  UnitLimits,
} from "hemgate/sdk";
import type { ModbusUnit } from "./register-point.ts";

/** A control with the writes that set it: the reversion timer first where the device has one. */
export interface MapControl extends Control {
  /** As `Control.fallsBackTo`, from what was read last. */
  fallback?(registers: RegisterValues): PointValue | null;
  write(unit: ModbusUnit, value: PointValue, registers: RegisterValues, signal: AbortSignal): Promise<void>;
}

/** How the serial number of the identity is read again. */
export interface SerialRead {
  /** As `Driver.serialSource`. */
  readonly source: string;
  /** Null: it is not reported now. Rejects with a `DeviceError` when the device does not answer. */
  read(unit: ModbusUnit, signal: AbortSignal): Promise<string | null>;
}

/**
 * What connecting found out about a unit: which registers to poll, how they make points, how to write. A data profile
 * and a SunSpec model chain both end as one of these, and one driver runs them.
 */
export interface DeviceMap {
  readonly identity: DeviceIdentity;
  /** Absent: the device has no serial number that could be compared. */
  readonly serial?: SerialRead;
  readonly vendors: readonly string[];
  readonly isEnergyManager?: boolean;
  readonly registers: readonly RegisterPoint<string>[];
  readonly derived: readonly DerivedPoint[];
  readonly controls: readonly MapControl[];
  /** Controls that are left out until the installer confirms their registers. */
  readonly unconfirmed?: readonly ControlPoint[];
  readonly limits: UnitLimits;
  /** Which parts the device has; the driver looks after each read. Absent: all that the points name. */
  readonly parts?: PresentParts;
}
