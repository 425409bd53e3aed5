/** A power that was read this long after its limit is what the limit allows, ms, if it is steady. */
const SETTLED_MS = 15_000;
/** A power is steady when it has changed by less than this share for this time, ms. */
const STEADY = { share: 0.02, ms: 10_000 };

interface Rated {
  /** The highest power so far. */
  readonly peakW: number;
  /** What the latest steady power at a limit stands for. */
  readonly scaledW: number;
  readonly limitPct: number;
  /** Monotonic ms since when the limit is unchanged. */
  readonly limitSinceMs: number;
  readonly steadyW: number;
  /** Monotonic ms since when the power is near `steadyW`. */
  readonly steadySinceMs: number;
}

/**
 * Estimates the rated power of inverters, which few report: at least what one has produced, and at least what its latest
 * power at a limit that it has followed stands for. It starts too low, so a first limit is reached in two or three steps.
 * A power that still comes down to a limit, or up to it, stands for nothing, and only the latest counts: an inverter that
 * seems larger than it is would be held below what it may produce, and one that seems smaller would feed in too much.
 */
export class RatedPowers {
  readonly #rated = new Map<string, Rated>();

  /** Takes the present power, W, and limit, %, and returns the rated power, W; `null` before there was any power. */
  update(id: string, powerW: number | null, limitPct: number | null, nowMs: number): number | null {
    const before = this.#rated.get(id);
    const pct = limitPct ?? 100;
    const limitSinceMs = before?.limitPct === pct ? before.limitSinceMs : nowMs;
    const steady = steadiness(before, powerW, nowMs);
    const isSettled = nowMs - limitSinceMs >= SETTLED_MS && nowMs - steady.steadySinceMs >= STEADY.ms;
    const peakW = Math.max(before?.peakW ?? 0, powerW ?? 0);
    const scaledW = powerW !== null && pct > 0 && isSettled ? powerW / (pct / 100) : (before?.scaledW ?? 0);
    this.#rated.set(id, { peakW, scaledW, limitPct: pct, limitSinceMs, ...steady });
    const watts = Math.max(peakW, scaledW);
    return watts > 0 ? watts : null;
  }

  /** True if a limit that was followed has shown the rated power; false while it is only the highest power so far. */
  isKnown(id: string): boolean {
    const rated = this.#rated.get(id);
    return rated !== undefined && rated.scaledW > rated.peakW;
  }
}

function steadiness(before: Rated | undefined, powerW: number | null, nowMs: number) {
  if (before !== undefined && powerW !== null && Math.abs(powerW - before.steadyW) <= STEADY.share * before.steadyW) {
    return { steadyW: before.steadyW, steadySinceMs: before.steadySinceMs };
  }
  return { steadyW: powerW ?? 0, steadySinceMs: nowMs };
}
