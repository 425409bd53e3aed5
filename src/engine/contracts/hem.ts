import type { HousePower } from "../../domain/hem/hem-power.ts";
import type { HemStatistics, HemSystem, HemYear } from "../../domain/hem/hem-system.ts";

/** An energy system with its time of creation. */
export interface HemEntry {
  readonly system: HemSystem;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/** Energy systems of batteries, inverters and meters (rules I2.9 and S6). `get` and `list` read from memory. */
export interface HemSystems {
  get(id: string): HemSystem | null;
  /** Returns the systems of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly HemEntry[];
  /**
   * Returns the statistics of a day (`YYYY-MM-DD`) or a month (`YYYY-MM`) in the system's time zone; `null` if the system is
   * unknown. Throws `bad-request` for a time before the installation or in the future,
   * `hem-system-statistics-not-available` if no device of the system measures energy, and
   * `vendor-temporarily-unavailable` while the history cannot be read.
   */
  statistics(id: string, interval: string): Promise<HemStatistics | null>;
  /** Returns the energy of a year by month; `null` if the system is unknown. Throws as `statistics`. */
  year(id: string, year: number): Promise<HemYear | null>;
}

/** The power flows of a house at a moment. */
export interface HemPower extends HousePower {
  readonly hemSystemId: string;
  readonly userId: string;
  /** When the oldest measurement in it was taken, wall-clock ms. */
  readonly atMs: number;
}

/** The present power flows of each house, calculated every 5 s. */
export interface HousePowers {
  /** Returns the powers for all users, or for one. */
  list(userId?: string): readonly HemPower[];
  /**
   * Calls the listener when a power of a house changes or becomes unknown, and with the same powers when they were measured
   * again 20 s later. Disposing the result unsubscribes.
   */
  observe(listener: (power: HemPower) => void): Disposable;
}
