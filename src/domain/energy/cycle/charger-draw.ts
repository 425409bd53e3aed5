/** What a charger drew at the moment of a meter's reading, which may be older than the charger's last one. */
import type { PerPhase } from "../site/site-connection.ts";
import type { ChargerMemory, TimedDraw } from "./cycle-memory.ts";
import { SAME_MOMENT_MS } from "./cycle-timing.ts";
import { type PhaseIndex, perPhase } from "./grid-reading.ts";

/** Readings are kept for this time: an older reading of a meter counts for nothing, ms. */
const KEPT_MS = 60_000;
/** More readings than this are not needed to find what was drawn at a moment. */
const MAX_DRAWS = 64;
const NO_AMPS: PerPhase<number> = [0, 0, 0];

export interface DrawState {
  /** The phases that its car uses. */
  readonly phases: readonly PhaseIndex[];
  /** What it offers now, A per phase. */
  readonly offerA: number;
  readonly isInFlight: boolean;
  readonly isPlugged: boolean;
  /** It draws more than it was limited to: it counts as a load of the house. */
  readonly ignoresLimit: boolean;
  readonly memory: Pick<ChargerMemory, "draws">;
  /** The moment of its reading; `null`: no recent one. */
  readonly readAtMs: number | null;
  /** The car may still follow a current that somebody else has set. */
  readonly isFollowingOthers: boolean;
}

export interface DrawBounds {
  readonly lowA: PerPhase<number>;
  readonly highA: PerPhase<number>;
}

/** The readings with the newest one, if it is new. */
export function nextDraws(
  before: readonly TimedDraw[],
  amps: PerPhase<number> | null,
  readAtMs: number | null,
): readonly TimedDraw[] {
  if (amps === null || readAtMs === null) return before;
  const earlier = before.filter(({ atMs }) => atMs < readAtMs && readAtMs - atMs <= KEPT_MS);
  return [...earlier, { atMs: readAtMs, amps }].slice(-MAX_DRAWS);
}

/** Bounds of what it drew at a moment, A per phase of the site. */
export function drawnAt(charger: DrawState, atMs: number): DrawBounds {
  const { phases, offerA, isInFlight, isPlugged, ignoresLimit, memory, readAtMs } = charger;
  const isOld = readAtMs === null || atMs - readAtMs > SAME_MOMENT_MS || charger.isFollowingOthers;
  if (!isPlugged || ignoresLimit) return { lowA: NO_AMPS, highA: NO_AMPS };
  const { draws } = memory;
  const before = draws.findLast((draw) => draw.atMs <= atMs);
  const after = draws.find((draw) => draw.atMs > atMs);
  const read = readAtMs === null ? [] : [before, after].flatMap((draw) => (draw === undefined ? [] : [draw.amps]));
  const [one = NO_AMPS, other = one] = read;
  const low = perPhase((i) => Math.min(one[i], other[i]));
  const high = perPhase((i) => Math.max(one[i], other[i]));
  const target = perPhase((i) => (phases.includes(i) ? offerA : 0));
  return {
    lowA: isInFlight ? perPhase((i) => Math.min(low[i], target[i])) : low,
    highA: isInFlight || isOld ? perPhase((i) => Math.max(high[i], target[i])) : high,
  };
}
