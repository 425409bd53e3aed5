/** A power that was read this long after its limit is what the limit allows, ms. */
const SETTLED_MS = 15_000;

interface Rated {
  readonly watts: number;
  readonly limitPct: number;
  /** Monotonic ms since when the limit is unchanged. */
  readonly limitSinceMs: number;
}

/**
 * Estimates the rated power of inverters, which few report: at least what one has produced, and at least what its power at a
 * limit that it has followed stands for. It starts too low, so a first limit is reached in two or three steps.
 */
export class RatedPowers {
  readonly #rated = new Map<string, Rated>();

  /** Takes the present power, W, and limit, %, and returns the rated power, W; `null` before there was any power. */
  update(id: string, powerW: number | null, limitPct: number | null, nowMs: number): number | null {
    const before = this.#rated.get(id);
    const pct = limitPct ?? 100;
    const limitSinceMs = before?.limitPct === pct ? before.limitSinceMs : nowMs;
    const isSettled = pct > 0 && nowMs - limitSinceMs >= SETTLED_MS;
    const seenW = powerW === null ? 0 : isSettled ? powerW / (pct / 100) : powerW;
    const watts = Math.max(before?.watts ?? 0, seenW);
    this.#rated.set(id, { watts, limitPct: pct, limitSinceMs });
    return watts > 0 ? watts : null;
  }
}
