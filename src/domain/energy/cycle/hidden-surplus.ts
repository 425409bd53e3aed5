/**
 * Sun that a limit of the feed-in hides: an inverter that is throttled shows no surplus, and would give more if something
 * took it. One load at a time tries with its least power, and grows step by step while the inverter follows.
 */
import { MINUTE_MS, SECOND_MS } from "../../duration.ts";
import type { CycleMemory } from "./cycle-memory.ts";
import type { EnergySnapshot, InverterView } from "./energy-snapshot.ts";
import { exportLimit } from "./export-limit.ts";
import { finite, type GridReading } from "./grid-reading.ts";
import { leastSurplusA, ownPartW, type SurplusBudget, type SurplusUser, share } from "./surplus.ts";

/** Feed-in is at its limit down to so much below it: a share of the rated power, and a constant, W. */
const NEAR_SHARE = 0.02;
const NEAR_W = 200;
/** A battery within this is at rest, W. */
const AT_REST_W = 150;
/** Less production is night, W. */
const DAYLIGHT_W = 50;
/** An inverter at this share of its limit is throttled by it. */
const AT_LIMIT_SHARE = 0.9;
const FULL_PCT = 100;
/** Feed-in has to be at its limit for this time before a load tries, ms. */
const AT_LIMIT_MS = 30 * SECOND_MS;
/** An inverter has this time to follow a load that has grown, ms. */
const FOLLOWS_WITHIN_MS = 30 * SECOND_MS;
/** A load that tried in vain waits for this time, ms. */
const PROBE_PAUSE_MS = 30 * MINUTE_MS;

export interface HiddenSurplus {
  /** What the control of the feed-in leaves unused below its limit, W: a load that follows the sun need not make up for it. */
  readonly slackW: number;
  /** What running loads may keep beyond what the meter shows, until the inverter has followed the last step, W. */
  readonly followW: number;
  /** What is added to the surplus for the load that tries, W. */
  readonly probeW: number;
  /** The load that tries; `null`: none. */
  readonly triesId: string | null;
}

export const NO_HIDDEN: HiddenSurplus = { slackW: 0, followW: 0, probeW: 0, triesId: null };

function isThrottled({ canLimit, limitPct, powerW, ratedW, isRatedKnown }: InverterView): boolean {
  const pct = finite(limitPct);
  const watts = finite(powerW) ?? 0;
  if (!canLimit || pct === null || pct >= FULL_PCT || watts < DAYLIGHT_W) return false;
  const rated = isRatedKnown === false ? null : finite(ratedW);
  return rated === null || watts >= (AT_LIMIT_SHARE * pct * rated) / FULL_PCT;
}

/** What is remembered of a feed-in at its limit: now, or a moment ago. `null`: it is not there. */
export function feedInAtLimit(
  snapshot: EnergySnapshot,
  grid: GridReading,
  before: CycleMemory["grid"]["atLimit"],
): CycleMemory["grid"]["atLimit"] {
  const { nowMs } = snapshot;
  if (isAtLimit(snapshot, grid)) return { sinceMs: before?.sinceMs ?? nowMs, lastMs: nowMs };
  return before !== null && nowMs - before.lastMs < FOLLOWS_WITHIN_MS ? { ...before, sinceMs: null } : null;
}

/** By how much the feed-in may lie below its limit and still count as at it, W. */
function nearW({ inverters }: EnergySnapshot): number {
  return NEAR_W + NEAR_SHARE * inverters.reduce((sum, { ratedW }) => sum + (finite(ratedW) ?? 0), 0);
}

function isAtLimit(snapshot: EnergySnapshot, grid: GridReading): boolean {
  const limit = exportLimit(snapshot);
  const { inverters, batteries } = snapshot;
  if (limit === null || grid.newest === null || grid.isSilent) return false;
  if (-grid.newest.powerW < limit.watts - nearW(snapshot)) return false;
  const batteryW = batteries.map(({ powerW }) => finite(powerW) ?? 0);
  if (batteryW.some((watts) => watts < -AT_REST_W)) return false;
  if (inverters.some(isThrottled)) return true;
  // An inverter that keeps to the limit by itself: only where nothing else holds the connection there.
  const isByItself = inverters.some(({ canLimit, powerW }) => !canLimit && (finite(powerW) ?? 0) >= DAYLIGHT_W);
  return isByItself && batteryW.every((watts) => watts <= AT_REST_W);
}

/** What the loads may count on beyond what the meter shows. */
export function hiddenSurplus(
  snapshot: EnergySnapshot,
  users: readonly SurplusUser[],
  budget: SurplusBudget,
  atLimit: CycleMemory["grid"]["atLimit"],
): HiddenSurplus {
  if (atLimit === null) return NO_HIDDEN;
  const { nowMs } = snapshot;
  const steps = users.map(({ charger }) => (charger.isOn ? ownPartW(charger, charger.followA) : 0));
  const slackW = nearW(snapshot);
  const following = { ...NO_HIDDEN, slackW, followW: Math.max(0, ...steps) };
  if (atLimit.sinceMs === null || nowMs - atLimit.sinceMs < AT_LIMIT_MS || budget.averageW === null) return following;
  const baseW = Math.min(budget.averageW, budget.nowW) + slackW;
  const shares = share(users, baseW);
  for (const [i, { charger, request, startsLater }] of users.entries()) {
    const amps = shares[i]?.amps ?? 0;
    if (
      startsLater === true ||
      !request.takesSurplus ||
      !charger.isPlugged ||
      amps >= Math.min(charger.maxA, request.maxA)
    )
      continue;
    if (charger.isOn ? charger.isIdle : amps > 0 || isPausing(charger, nowMs)) continue;
    const othersW = shares.reduce((sum, { takenW }, j) => sum + (j === i ? 0 : takenW), 0);
    const nextA = charger.isOn ? Math.max(amps, charger.minA) + charger.followA : leastSurplusA(charger);
    const probeW = ownPartW(charger, nextA) - Math.max(0, baseW - othersW);
    return { ...following, probeW: Math.max(0, probeW), triesId: charger.view.id };
  }
  return following;
}

function isPausing({ memory: { probe } }: SurplusUser["charger"], nowMs: number): boolean {
  return probe.failedAtMs !== null && nowMs - probe.failedAtMs < PROBE_PAUSE_MS;
}
