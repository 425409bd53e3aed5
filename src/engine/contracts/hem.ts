import type { HousePower } from "../../domain/hem/hem-power.ts";
import type { HemStatistics, HemSystem } from "../../domain/hem/hem-system.ts";

export interface HemEntry {
  readonly system: HemSystem;
  readonly createdAtMs: number;
}

/** Houses as systems of batteries, inverters and meters (rules I2.9 and S6). Reads of records are from memory. */
export interface HemSystems {
  get(id: string): HemSystem | null;
  /** Of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly HemEntry[];
  /**
   * A day (`YYYY-MM-DD`) or a month (`YYYY-MM`) of the system's calendar; null when there is no such system. Throws
   * `bad-request` for a time before the installation or ahead, `hem-system-statistics-not-available` when no device of
   * the system measures anything, `vendor-temporarily-unavailable` while the history cannot be read.
   */
  statistics(id: string, interval: string): Promise<HemStatistics | null>;
}

/** What a house uses at this moment. */
export interface HemPower extends HousePower {
  readonly hemSystemId: string;
  readonly userId: string;
  /** When the oldest of what it is reckoned from was measured, wall-clock ms. */
  readonly atMs: number;
}

/** What the houses use now, reckoned every few seconds. */
export interface HousePowers {
  /** Of all users, or of one. */
  list(userId?: string): readonly HemPower[];
  /** Calls back when a power of a house changed, or is not known any more. */
  observe(listener: (power: HemPower) => void): Disposable;
}
