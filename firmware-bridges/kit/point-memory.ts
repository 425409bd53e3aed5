import type { PointName, PointValue, Reading } from "hemgate/sdk";
import type { BridgeTiming } from "./bridge.ts";
import { FrozenWatch } from "./frozen-watch.ts";

/** A value that did not come for this many of its periods is not known any more, */
const LATE_FACTOR = 3;
/** but no sooner than after this: brokers and Wi-Fi stutter. */
const LEAST_LIMIT_MS = 10_000;

interface Kept {
  value: PointValue | null;
  /** Monotonic ms. */
  loggedAtMs: number;
  isRetained: boolean;
  /** The link was lost since: the broker may have heard something newer. */
  isFromBefore: boolean;
  /** Not in an answer yet. */
  isNews: boolean;
  /** What was answered last was "cannot tell", because of its age. */
  isExpired: boolean;
}

/** What can be said of a message's value. */
export type TellResult = "kept" | "frozen";

/** The last value of each point with its age. */
export class PointMemory {
  readonly #kept = new Map<PointName, Kept>();
  readonly #frozen = new FrozenWatch();
  readonly #timing: BridgeTiming;

  constructor(timing: BridgeTiming) {
    this.#timing = timing;
  }

  get points(): readonly PointName[] {
    return [...this.#kept.keys()];
  }

  tell(point: PointName, value: PointValue | null, message: { isRetained: boolean; nowMs: number }): TellResult {
    const { isRetained, nowMs } = message;
    const known = this.#kept.get(point);
    // The broker hands out again what it keeps after each reconnect; that is older than what came live.
    if (isRetained && known !== undefined && !known.isRetained && !known.isFromBefore) return "kept";
    const isFrozen = !isRetained && value !== null && this.#frozen.isFrozen(point, value, nowMs);
    this.#kept.set(point, {
      value: isFrozen ? null : value,
      loggedAtMs: nowMs,
      isRetained,
      isFromBefore: false,
      isNews: true,
      isExpired: false,
    });
    return isFrozen ? "frozen" : "kept";
  }

  /** The link is back: what the broker remembers now is no older than what came live before the gap. */
  reconnected(): void {
    for (const kept of this.#kept.values()) kept.isFromBefore = true;
  }

  /** The age at which a point is not known any more, ms; null when it does not age. */
  limitMs(point: PointName): number | null {
    const { everyMs, pointEveryMs = {}, pointExpiresMs = {} } = this.#timing;
    const expiresMs = pointExpiresMs[point];
    if (expiresMs !== undefined) return expiresMs;
    const periodMs = pointEveryMs[point] ?? everyMs;
    return periodMs === null ? null : Math.max(LEAST_LIMIT_MS, periodMs * LATE_FACTOR);
  }

  /** What came or expired since the last answer; `all`: also what was answered before. Not what is older than `sinceMs`. */
  readings(scope: "due" | "all", nowMs: number, sinceMs: (point: PointName) => number): readonly Reading[] {
    const readings: Reading[] = [];
    for (const [point, kept] of this.#kept) {
      const limitMs = this.limitMs(point);
      const isExpired = limitMs !== null && nowMs - kept.loggedAtMs > limitMs;
      // After a write only what came since then may speak for the point.
      if (kept.loggedAtMs <= sinceMs(point) && !isExpired) continue;
      if (scope === "due" && !kept.isNews && isExpired === kept.isExpired) continue;
      kept.isNews = false;
      kept.isExpired = isExpired;
      readings.push({ point, value: isExpired || this.#isGuess(point, kept) ? null : kept.value } as Reading);
    }
    return readings;
  }

  /** What was measured some time ago says nothing about now where nothing would make it expire. */
  #isGuess(point: PointName, { isRetained }: Kept): boolean {
    return isRetained && this.limitMs(point) === null && MEASURED.test(point);
  }
}

const MEASURED = /\.(power|current|voltage|frequency|load)(\.l[123])?$/;
