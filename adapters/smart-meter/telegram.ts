/** What a telegram of any protocol carries: registers, which OBIS codes name (IEC 62056-61). */
import type { DeviceIdentity } from "hemgate/sdk";

export type RegisterUnit = "W" | "Wh" | "V" | "A" | "Hz";

export interface RegisterValue {
  readonly value: number;
  readonly unit: RegisterUnit;
}

/** Registers of electricity by the groups C.D.E of their code, such as `1.8.0`. */
export type Registers = ReadonlyMap<string, RegisterValue>;

export interface Telegram {
  readonly identity: DeviceIdentity;
  readonly registers: Registers;
  /** What else is in it and is not read: `gas`, `water`, `heat`. */
  readonly otherMedia: readonly string[];
}

/** What became of bytes: a telegram, or (dropped) one that was not whole or not right, and why. */
export type ReadOutcome =
  | { readonly kind: "telegram"; readonly telegram: Telegram }
  | { readonly kind: "dropped"; readonly why: string };

/** Makes telegrams of the bytes of a line. It keeps no more of them than one telegram may have. */
export interface TelegramReader {
  push(bytes: Uint8Array): readonly ReadOutcome[];
  /** Gives up the telegram that has begun; true when one had. */
  reset(): boolean;
}

/**
 * The code as it is looked up here; null when it is not a value of now of an electricity meter's own. `historic` is
 * group F: 255, or none, is the value of now, others are those of past periods.
 */
export function registerCode(
  groups: { readonly medium: number; readonly channel: number; readonly historic: number },
  [c, d, e]: readonly [string, string, string],
): string | null {
  const { medium, channel, historic } = groups;
  if (medium !== 1 || channel > 1 || historic !== 255) return null;
  // EasyMeter writes 255, any tariff, where others write 0, all tariffs.
  return `${c}.${d}.${e === "255" ? "0" : e}`;
}
