/** A device of the house as the checks see it, whatever it speaks. */
import type { ControlPoint, PointName, PointValue } from "hemgate/sdk";
import type { SeededRandom } from "hemgate/testing";

/** Something that may happen to devices, until it is over. */
export interface Trouble {
  /** The class of faults that it belongs to. */
  readonly name: string;
  /** Ids of all that it strikes. */
  readonly devices: readonly string[];
  /** True while it lasts nothing of the device can be heard: it has to be shown as not reachable. */
  readonly isDeath: boolean;
  /** How long it lasts, ms; by chance when absent. */
  readonly lastsMs?: number;
  begin(): Disposable;
}

/** A write that a device received. */
export interface Received {
  readonly atMs: number;
  readonly what: string;
  /** True: the device had the same there before, and keeps it in memory that wears. */
  readonly isWear: boolean;
}

/** Monotonic ms of an instant, and the window before it. */
export interface Window {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface WeekDevice {
  readonly id: string;
  /** Its entry in the configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** How old a value may be that is shown while nothing is wrong, ms. */
  readonly calmMs: number;
  /** And while something is: after that the device has to be shown as not reachable, or the value as unknown. */
  readonly troubledMs: number;
  /** How often it is asked, or speaks, at least while nothing is wrong, ms; null where that cannot be seen. */
  readonly paceMs: number | null;
  /** Monotonic ms at which it last was asked something. */
  readonly askedAtMs: number;
  /** Moves what it measures. */
  live(random: SeededRandom, hour: number): void;
  /** Whether a value was so in the window; null when the oracle does not know this point. */
  wasSo(point: PointName, value: PointValue | null, window: Window): boolean | null;
  /** For a message. */
  told(point: PointName, window: Window): string;
  /** Whether a control's value was in force at the device in the window; null when the oracle cannot tell. */
  wasDone(point: ControlPoint, value: PointValue, window: Window): boolean | null;
  /** For a message: what it did. */
  did(window: Window): string;
  /** The writes since the last time. */
  takeWrites(): readonly Received[];
  /** The device's own timer that ends what it was told, ms, and whether it is where nobody commands it; null: none. */
  readonly reversion: { readonly timerMs: number; readonly isAtDefault: boolean } | null;
}
