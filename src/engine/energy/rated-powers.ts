/** A power that was read this long after its limit is what the limit allows, ms, if it is steady. */
const SETTLED_MS = 15_000;
/** A power is steady when it has changed by less than this share for this time, ms. */
const STEADY = { share: 0.02, ms: 10_000 };
/** A power that changed by so much of what its limit did followed it; by more, it was a cloud. */
const FOLLOWED = { least: 0.5, most: 1.1 };

/** A steady power at a limit. */
interface AtLimit {
  readonly limitPct: number;
  readonly watts: number;
}

interface Rated {
  /** The highest power so far. */
  readonly peakW: number;
  /** What a steady power at a limit stood for. */
  readonly scaledW: number;
  readonly limitPct: number;
  /** Monotonic ms since when the limit is unchanged. */
  readonly limitSinceMs: number;
  readonly steadyW: number;
  /** Monotonic ms since when the power is near `steadyW`. */
  readonly steadySinceMs: number;
  /** The latest steady power at the present limit, and at the one before. */
  readonly here: AtLimit | null;
  readonly earlier: AtLimit | null;
}

/**
 * Estimates the rated power of inverters, which few report: at least what one has produced, and at least what a steady
 * power at a limit stands for. It starts too low, so a first limit is reached in some steps. A power that still comes down
 * to a limit, or up to it, stands for nothing. Under a cloud an inverter gives less than its limit allows, so a lower
 * estimate is believed only from a power that followed a change of the limit: one that seems larger than it is would be
 * held below what it may produce, and one that seems smaller would feed in too much.
 */
export class RatedPowers {
  readonly #rated = new Map<string, Rated>();

  /** Takes the present power, W, and limit, %, and returns the rated power, W; `null` before there was any power. */
  update(id: string, powerW: number | null, limitPct: number | null, nowMs: number): number | null {
    const before = this.#rated.get(id);
    const pct = limitPct ?? 100;
    const isSame = before?.limitPct === pct;
    const limitSinceMs = isSame ? before.limitSinceMs : nowMs;
    const steady = steadiness(before, powerW, nowMs);
    const isSettled = nowMs - limitSinceMs >= SETTLED_MS && nowMs - steady.steadySinceMs >= STEADY.ms;
    const peakW = Math.max(before?.peakW ?? 0, powerW ?? 0);
    const earlier = (isSame ? before.earlier : (before?.here ?? before?.earlier)) ?? null;
    const seen = powerW !== null && pct > 0 && isSettled ? { limitPct: pct, watts: powerW } : null;
    const here = seen ?? (isSame ? before.here : null);
    const scaledW = seen === null ? (before?.scaledW ?? 0) : scaled(before?.scaledW ?? 0, seen, earlier);
    this.#rated.set(id, { peakW, scaledW, limitPct: pct, limitSinceMs, ...steady, here, earlier });
    const watts = Math.max(peakW, scaledW);
    return watts > 0 ? watts : null;
  }

  /** True if a limit that was followed has shown the rated power; false while it is only the highest power so far. */
  isKnown(id: string): boolean {
    const rated = this.#rated.get(id);
    return rated !== undefined && rated.scaledW > rated.peakW;
  }
}

function scaled(beforeW: number, { limitPct, watts }: AtLimit, earlier: AtLimit | null): number {
  const atLeastW = watts / (limitPct / 100);
  if (atLeastW > beforeW || earlier === null || earlier.watts <= 0) return Math.max(beforeW, atLeastW);
  const share = (watts / earlier.watts - 1) / (limitPct / earlier.limitPct - 1);
  return share >= FOLLOWED.least && share <= FOLLOWED.most ? atLeastW : beforeW;
}

function steadiness(before: Rated | undefined, powerW: number | null, nowMs: number) {
  if (before !== undefined && powerW !== null && Math.abs(powerW - before.steadyW) <= STEADY.share * before.steadyW) {
    return { steadyW: before.steadyW, steadySinceMs: before.steadySinceMs };
  }
  return { steadyW: powerW ?? 0, steadySinceMs: nowMs };
}
