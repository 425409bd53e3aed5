/** The power limit of each inverter: the feed-in is controlled, not the generation, so that own use stays free. */
import { MINUTE_MS } from "../../duration.ts";
import { EMPTY_INVERTER_MEMORY, type InverterMemory } from "./cycle-memory.ts";
import { FEED_IN_SILENCE_MS, INVERTER_LATENCY_MS, RAMP_PCT_PER_MINUTE } from "./cycle-timing.ts";
import type { Decision, Reason } from "./energy-decision.ts";
import type { EnergySnapshot, InverterView } from "./energy-snapshot.ts";
import { type ExportLimit, exportLimit } from "./export-limit.ts";
import { finite, type GridReading } from "./grid-reading.ts";

const FULL_PCT = 100;
/** Aimed at below the limit, of the rated power. */
const MARGIN_PCT = 1;
/** A limit is raised by at least so much, and not more often. */
const LEAST_RAISE_PCT = 3;
const RAISE_EVERY_MS = 10_000;
/** A power that falls by less than this share did not follow a step down. */
const FOLLOWS = 0.02;
/** Feed-in at this share of the limit is near it. */
const NEAR = 0.9;
/** What an inverter produces at a limit tells its rated power after some time: until then a limit is not raised. */
const LEARNS_MS = MINUTE_MS;
const OVER_PCT = 5;
const OVER_MS = 30_000;
const RAMP_EVERY_MS = 6_000;
/** What a battery discharges is given to an inverter in steps of this share of its rated power: the battery needs a moment. */
const BATTERY_STEP_PCT = 5;
/** A power that falls by more than this share within this time still follows a limit. */
const FALLING = { share: 0.02, ms: 10_000 };

export interface InverterOutcome {
  readonly decisions: readonly Decision[];
  readonly memories: ReadonlyMap<string, InverterMemory>;
  /** Ids of inverters that produce more than their limit. */
  readonly ignoring: readonly string[];
}

export function inverterDecisions(
  snapshot: EnergySnapshot,
  grid: GridReading,
  before: ReadonlyMap<string, InverterMemory>,
): InverterOutcome {
  const limit = exportLimit(snapshot);
  const memories = new Map<string, InverterMemory>();
  const ignoring: string[] = [];
  const allowed = limit === null ? ALL : allowedShare(snapshot, grid, limit);
  const isOver = limit !== null && -(grid.newest?.powerW ?? 0) > limit.watts;
  const decisions = snapshot.inverters.map((inverter): Decision => {
    const known = rememberTrend(inverter, before.get(inverter.id) ?? EMPTY_INVERTER_MEMORY, snapshot.nowMs);
    const { nowMs } = snapshot;
    const seen = { ...known, learnsUntilMs: known.learnsUntilMs ?? nowMs + LEARNS_MS };
    const memory = rememberOver(inverter, seen, nowMs);
    if (memory.overSinceMs !== null && nowMs - memory.overSinceMs >= OVER_MS) ignoring.push(inverter.id);
    const { limitPct, reason, trim } = nextLimit(inverter, { memory, limit, allowed, isOver, nowMs });
    const command = limitPct === null ? memory.command : { atMs: nowMs, limitPct };
    const learned =
      trim === undefined
        ? { trim: limitPct === null ? memory.trim : null }
        : { trim, learnsUntilMs: nowMs + LEARNS_MS };
    memories.set(inverter.id, { ...memory, ...learned, command });
    return { kind: "inverter", id: inverter.id, limitPct, reason };
  });
  return { decisions, memories, ignoring };
}

/** What all controllable inverters may produce. */
interface Allowed {
  /** Of their rated power; `null`: all. */
  readonly pct: number | null;
  /** Of what they produce now; `null`: not known. */
  readonly ofPresent: number | null;
}

const ALL: Allowed = { pct: null, ofPresent: null };

function allowedShare(snapshot: EnergySnapshot, grid: GridReading, limit: ExportLimit): Allowed {
  const controllable = snapshot.inverters.filter(isControllable);
  const ratedW = controllable.reduce((sum, { ratedW: rated }) => sum + (finite(rated) ?? 0), 0);
  if (ratedW <= 0) return ALL;
  const othersW = snapshot.inverters.reduce(
    (sum, inverter) => (isControllable(inverter) ? sum : sum + Math.max(0, finite(inverter.powerW) ?? 0)),
    0,
  );
  // Without the meter nothing is known of own use, so generation itself is kept below the limit.
  const isSlow = (snapshot.meterIntervalMs ?? 0) > FEED_IN_SILENCE_MS;
  if (grid.newest === null || isSlow || grid.ageMs >= FEED_IN_SILENCE_MS) {
    return { pct: clamp(Math.floor(((limit.watts - othersW) / ratedW) * FULL_PCT)), ofPresent: null };
  }
  const exportW = -grid.newest.powerW;
  const producedW = controllable.reduce((sum, { powerW }) => sum + (finite(powerW) ?? 0), 0);
  const fromBatteriesW = Math.min(dischargeW(snapshot), (BATTERY_STEP_PCT / FULL_PCT) * ratedW);
  const allowedW = producedW + fromBatteriesW + limit.watts - exportW - (MARGIN_PCT / FULL_PCT) * ratedW;
  const isLimited = controllable.some(({ limitPct }) => (limitPct ?? FULL_PCT) < FULL_PCT);
  if (!isLimited && exportW < NEAR * limit.watts) return ALL;
  const ofPresent = producedW > 0 ? Math.max(0, allowedW) / producedW : null;
  return { pct: clamp(Math.floor((allowedW / ratedW) * FULL_PCT)), ofPresent };
}

/** A battery that follows the meter gives less as soon as the panels give more, so that it must not hold them down. */
function dischargeW({ batteries }: EnergySnapshot): number {
  const following = batteries.filter(({ mode }) => mode === "SELF_RELIANCE");
  return following.reduce((sum, { powerW }) => sum + Math.max(0, -(finite(powerW) ?? 0)), 0);
}

function clamp(pct: number): number {
  return Math.min(FULL_PCT, Math.max(0, pct));
}

function isControllable({ canLimit, ratedW }: InverterView): boolean {
  return canLimit && (finite(ratedW) ?? 0) > 0;
}

interface LimitInputs {
  readonly memory: InverterMemory;
  readonly limit: ExportLimit | null;
  readonly allowed: Allowed;
  /** More is fed in than the limit allows. */
  readonly isOver: boolean;
  readonly nowMs: number;
}

const NOTHING: Reason = { code: "nothing-to-do", subject: null, untilMs: null };

interface NextLimit {
  readonly limitPct: number | null;
  readonly reason: Reason;
  /** Of a step down by its power, since its rated power is estimated too low. */
  readonly trim?: InverterMemory["trim"];
}

function nextLimit(inverter: InverterView, inputs: LimitInputs): NextLimit {
  const { memory, limit, allowed, isOver, nowMs } = inputs;
  const { command } = memory;
  if (!isControllable(inverter)) return { limitPct: null, reason: NOTHING };
  const isSettling = command !== null && nowMs - command.atMs < INVERTER_LATENCY_MS;
  const presentPct = isSettling ? command.limitPct : (finite(inverter.limitPct) ?? command?.limitPct ?? FULL_PCT);
  if (limit === null) return released(inverter, { presentPct, command, nowMs });
  const { leastPct = 0 } = inverter;
  const goalPct = Math.max(leastPct, allowed.pct ?? FULL_PCT);
  const reason = goalPct < FULL_PCT ? limit.reason : NOTHING;
  // Until the last command shows, the readings still contain what it takes away.
  if (goalPct < presentPct) return { limitPct: isSettling ? null : goalPct, reason };
  const isDue = command === null || nowMs - command.atMs >= RAISE_EVERY_MS;
  // Its rated power is estimated too low, so that its share seems higher than it is: it goes down by what it produces.
  if (isOver && isDue && memory.trend?.isFalling === false && presentPct > leastPct && (allowed.ofPresent ?? 1) < 1)
    return { ...trimmed(inverter, presentPct, allowed.ofPresent ?? 1, memory.trim), reason: limit.reason };
  const mayRaise = !isOver && isDue && nowMs >= (memory.learnsUntilMs ?? nowMs);
  const isWorth = goalPct >= presentPct + LEAST_RAISE_PCT || (goalPct === FULL_PCT && presentPct < FULL_PCT);
  if (mayRaise && isWorth) return { limitPct: goalPct, reason };
  // What has to wait for being raised is still held by the limit.
  const isLowered = presentPct < FULL_PCT && command !== null && command.limitPct < FULL_PCT;
  return { limitPct: null, reason: isLowered ? limit.reason : reason };
}

/** Above what the sun gives a limit has no effect: then each step down is twice the one before it. */
function trimmed(inverter: InverterView, presentPct: number, share: number, before: InverterMemory["trim"]) {
  const { powerW, leastPct = 0 } = inverter;
  const watts = finite(powerW) ?? 0;
  const misses = before !== null && watts > (1 - FOLLOWS) * before.watts ? before.misses + 1 : 0;
  const limitPct = Math.max(leastPct, Math.floor(presentPct * share ** (2 ** misses)));
  return { limitPct, trim: { watts, misses } };
}

/** Back in steps to full power, or to a limit of others, after the limit has ended. What others set is left alone. */
function released(
  { ownPct }: InverterView,
  {
    presentPct,
    command,
    nowMs,
  }: { readonly presentPct: number; readonly command: InverterMemory["command"]; readonly nowMs: number },
): NextLimit {
  const fullPct = finite(ownPct) ?? FULL_PCT;
  if (command === null || presentPct >= fullPct || command.limitPct >= fullPct)
    return { limitPct: null, reason: NOTHING };
  const sinceMs = nowMs - command.atMs;
  const minutes = Math.min(sinceMs, 2 * RAMP_EVERY_MS) / MINUTE_MS;
  if (sinceMs < RAMP_EVERY_MS) return { limitPct: null, reason: ramping(presentPct, command.atMs) };
  const limitPct = Math.min(fullPct, Math.round(presentPct + RAMP_PCT_PER_MINUTE * minutes));
  // The last command may be as old as the limit was: the way back begins now.
  return { limitPct, reason: limitPct < fullPct ? ramping(limitPct, nowMs) : NOTHING };
}

/** The feed-in was limited, and the inverter is back at full power after this time. */
function ramping(pct: number, fromMs: number): Reason {
  const leftMs = ((FULL_PCT - pct) / RAMP_PCT_PER_MINUTE) * MINUTE_MS;
  return { code: "feed-in", subject: null, untilMs: fromMs + Math.max(RAMP_EVERY_MS, leftMs) };
}

function rememberTrend({ powerW }: InverterView, memory: InverterMemory, nowMs: number): InverterMemory {
  const watts = finite(powerW);
  const { trend } = memory;
  if (watts === null) return { ...memory, trend: null };
  if (trend === null) return { ...memory, trend: { atMs: nowMs, watts, isFalling: null } };
  if (nowMs - trend.atMs < FALLING.ms) return memory;
  return { ...memory, trend: { atMs: nowMs, watts, isFalling: watts < (1 - FALLING.share) * trend.watts } };
}

function rememberOver(inverter: InverterView, memory: InverterMemory, nowMs: number): InverterMemory {
  const { command } = memory;
  const ratedW = finite(inverter.ratedW);
  const watts = finite(inverter.powerW);
  if (command === null || ratedW === null || watts === null) return { ...memory, overSinceMs: null };
  const isOver = watts > ((command.limitPct + OVER_PCT) / FULL_PCT) * ratedW;
  return { ...memory, overSinceMs: isOver ? (memory.overSinceMs ?? nowMs) : null };
}
