/** Rules for a value that the energy manager regulates on a device: when it is written, and what its readings mean. */
import type { PointValue } from "../../points/points.ts";
import { isSameControlValue } from "./desired-setting.ts";
import { TAKEN_OVER_AFTER_READINGS } from "./lease.ts";

/**
 * How hard a regulated value is held. `limit`: a fuse, a contract or the grid operator needs it, so a value of somebody
 * else is overwritten a few times. `wish`: it only saves money, so somebody else's value stays.
 */
export type Firmness = "limit" | "wish";

/** A limit is written again this often when somebody else changes it, or when the device does not show it. */
const MAX_REWRITES = 3;
/** A device has this long to show what was written, ms: some clouds take half a minute. */
const SHOWN_WITHIN_MS = 15_000;
/** Time between two writes of a value that costs no fuse, ms. */
const UNHURRIED_MS = 5_000;
/** Time between two writes of a lower limit, ms. */
const URGENT_MS = 1_000;
/** Longest pause between two writes to a device that is polled seldom, ms. */
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_URGENT_PAUSE_MS = 15_000;

/** What is known of a regulated value when a reading of its point arrives. */
export interface RegulationView {
  readonly firmness: Firmness;
  /** The value that was written last. */
  readonly sent: PointValue;
  /** True if a reading showed that value. */
  readonly hasMatched: boolean;
  /** Consecutive readings that differed, before this one. */
  readonly mismatches: number;
  /** ms since the last write, as long as no reading has shown it; `null` once one has. */
  readonly awaitedMs: number | null;
  /**
   * How often the value was written again: while it is awaited since a reading last showed a value that was written, else
   * because somebody else changed it, in the last minutes.
   */
  readonly rewrites: number;
  /** True if the device's reversion timer must have run out since the last write, or if the connection is new. */
  readonly isTimerOver: boolean;
}

/**
 * The result of comparing a reading with a regulated value.
 * - `follows`: the device has the value.
 * - `differs`: the device has another value; it is too early to decide why.
 * - `rewrite`: the value is written again.
 * - `lost`: somebody else changed it, and their value stays.
 * - `uncontrolled`: the device does not keep a limit.
 */
export type RegulationVerdict = "follows" | "differs" | "rewrite" | "lost" | "uncontrolled";

/** Compares a reading with a regulated value. */
export function judgeRegulation(view: RegulationView, reading: PointValue): RegulationVerdict {
  if (isSameControlValue(reading, view.sent)) return "follows";
  if (view.isTimerOver) return "rewrite";
  if (view.mismatches + 1 < TAKEN_OVER_AFTER_READINGS) return "differs";
  if (view.hasMatched && view.firmness === "wish") return "lost";
  if (view.awaitedMs !== null && view.awaitedMs < SHOWN_WITHIN_MS) return "differs";
  return view.rewrites < MAX_REWRITES ? "rewrite" : "uncontrolled";
}

/** Returns how long after a write the next one of the same point may follow, ms. */
export function pauseAfterWriteMs(
  change: { readonly from: PointValue | null; readonly to: PointValue; readonly firmness: Firmness },
  pollMs: number,
): number {
  const isLower = change.to === false || (typeof change.to === "number" && change.to < Number(change.from ?? 0));
  return change.firmness === "limit" && isLower
    ? Math.min(Math.max(URGENT_MS, pollMs / 4), LONGEST_URGENT_PAUSE_MS)
    : Math.min(Math.max(UNHURRIED_MS, pollMs), LONGEST_PAUSE_MS);
}
