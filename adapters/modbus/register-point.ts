import type { PointName } from "hemgate/sdk";

/** How often a point is read: power and states, what drifts, what hardly changes. */
export type PollClass = "fast" | "normal" | "slow";

/** The period of each class, ms. */
export const POLL_MS: Readonly<Record<PollClass, number>> = { fast: 1_000, normal: 5_000, slow: 60_000 };

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

/** How sure the sources are of an address (`docs/adding-a-device.md`); only `cross-checked` may control by default. */
export type Confidence = "cross-checked" | "vendor-list" | "single-source" | "conflict" | "unverified" | "derived";

/** One value in a device's registers. Its key is a point, or a name of its own that a derived point is made from. */
export interface RegisterPoint<Key extends string = PointName | `raw.${string}`> {
  readonly key: Key;
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
  readonly poll: PollClass;
}

/** A unit behind a Modbus connection, as decoders and profiles see it. */
export interface ModbusUnit {
  /** Reads 1 to 125 registers. Rejects with a `DeviceError`; an exception answer is `rejected`. */
  read(table: RegisterTable, address: number, count: number, signal: AbortSignal): Promise<Uint16Array>;
  /** Writes registers: one with function 6 or 16 as asked, more always with 16. Goes before queued reads. */
  write(address: number, values: readonly number[], code: 6 | 16, signal: AbortSignal): Promise<void>;
}
