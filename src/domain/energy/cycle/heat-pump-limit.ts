/**
 * Blocks heat pumps and coolers that the grid operator may dim (§ 14a EnWG), while their power does not fit into the limit
 * beside the least current of the chargers. A limit goes before a pump's own times; nothing else blocks one.
 */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../duration.ts";
import type { ChargerState } from "./charger-state.ts";
import type { ChargingTarget } from "./charging-target.ts";
import { EMPTY_HEAT_PUMP_MEMORY, type HeatPumpMemory, LEAST_BLOCK_MS } from "./cycle-memory.ts";
import type { Decision, Reason } from "./energy-decision.ts";
import type { HeatPumpView } from "./energy-snapshot.ts";
import type { LimitRow } from "./limit-row.ts";

/** A pump that draws less is in standby: a block would change nothing. */
const STANDBY_W = 200;
/** SG Ready blocks for at most this time. Then the pump comes before chargers, where the limit has room for it at all. */
const LONGEST_BLOCK_MS = 2 * HOUR_MS;
const FIRST_MS = 30 * MINUTE_MS;
/** From the command to the stop of the compressor: chargers are not lowered for it meanwhile. */
const STOPPING_MS = 15 * SECOND_MS;
/** Power of a released pump is kept free for this time, because its compressor rests before it starts. */
const STARTING_MS = 5 * MINUTE_MS;

type HeatPumpDecision = Extract<Decision, { readonly kind: "heat-pump" }>;

export interface HeatPumpInputs {
  readonly rows: readonly LimitRow[];
  /** By priority, as `perAmp` of the rows. */
  readonly users: readonly { readonly charger: ChargerState; readonly target: ChargingTarget }[];
  readonly nowMs: number;
}

export interface HeatPumpOutcome {
  readonly decisions: readonly HeatPumpDecision[];
  readonly memories: ReadonlyMap<string, HeatPumpMemory>;
  /** The rows of the operator without what was just blocked, and with what was just released. */
  readonly rows: readonly LimitRow[];
  /** By the id of each pump that is blocked. */
  readonly blocked: ReadonlyMap<string, Reason>;
}

/** Decides which pumps are blocked. A pump that is neither blocked nor released now has no decision. */
export function heatPumpLimits(
  pumps: readonly HeatPumpView[],
  memories: ReadonlyMap<string, HeatPumpMemory>,
  { rows, users, nowMs }: HeatPumpInputs,
): HeatPumpOutcome {
  const limits = rows.filter(({ code }) => code === "grid-operator");
  const rooms = limits.map((row) => roomOf(row, pumps, users));
  const next = new Map<string, HeatPumpMemory>();
  const decisions: HeatPumpDecision[] = [];
  let [grantedW, stoppingW, startingW] = [0, 0, 0];
  for (const pump of pumps) {
    const before = memories.get(pump.id) ?? firstMemory(pump, limits, nowMs);
    const step = nextStep(pump, before, { rooms, grantedW, nowMs });
    const { blockedAtMs, releasedAtMs, expectedW } = step.memory;
    next.set(pump.id, step.memory);
    if (step.decision !== null) decisions.push(step.decision);
    if (blockedAtMs === null) grantedW += pump.drawnW;
    else if (!pump.isRaised && nowMs - blockedAtMs < STOPPING_MS) stoppingW += pump.drawnW;
    const isStarting = blockedAtMs === null && releasedAtMs !== null && nowMs - releasedAtMs < STARTING_MS;
    if (isStarting) startingW += Math.max(0, expectedW - pump.drawnW);
  }
  const blocked = new Map(decisions.filter(({ isBlocked }) => isBlocked).map(({ id, reason }) => [id, reason]));
  return { decisions, memories: next, rows: rows.map((row) => shifted(row, stoppingW, startingW)), blocked };
}

/**
 * A pump that is blocked already when it is first seen under a limit stays so: after a restart it would start in vain. What
 * somebody else blocked is given back as it was.
 */
function firstMemory({ isBlocked, ratedW }: HeatPumpView, limits: readonly LimitRow[], nowMs: number): HeatPumpMemory {
  if (!isBlocked || limits.length === 0) return EMPTY_HEAT_PUMP_MEMORY;
  return { ...EMPTY_HEAT_PUMP_MEMORY, blockedAtMs: nowMs, expectedW: ratedW };
}

/** What a limit leaves for all pumps together, W. */
interface Room {
  readonly row: LimitRow;
  /** At most: less draw than this is certain to fit. */
  readonly surelyW: number;
  /** At least, with the margin below the limit. */
  readonly maybeW: number;
  /** The least power of the chargers that charge or want to. */
  readonly chargersW: number;
}

function roomOf(row: LimitRow, pumps: readonly HeatPumpView[], users: HeatPumpInputs["users"]): Room {
  const ownW = pumps.reduce((sum, { isRaised, drawnW }) => (isRaised ? sum : sum + drawnW), 0);
  const chargersW = users.reduce((sum, { charger, target }, i) => {
    const wants = charger.isPlugged && !charger.ignoresLimit && Math.max(target.keepA, target.riseA) > 0;
    // What is only switched on for surplus yields to what a pump needs.
    return wants && charger.view.switched === undefined ? sum + charger.minA * (row.perAmp[i] ?? 0) : sum;
  }, 0);
  return {
    row,
    surelyW: row.limit - row.surelyTaken + ownW,
    maybeW: row.target - row.maybeTaken + ownW,
    chargersW,
  };
}

interface Moment {
  readonly rooms: readonly Room[];
  readonly grantedW: number;
  readonly nowMs: number;
}

interface Step {
  readonly memory: HeatPumpMemory;
  readonly decision: HeatPumpDecision | null;
}

function nextStep(pump: HeatPumpView, before: HeatPumpMemory, moment: Moment): Step {
  if (!pump.canBlock) return { memory: EMPTY_HEAT_PUMP_MEMORY, decision: null };
  return before.blockedAtMs === null
    ? running(pump, before, moment)
    : blockedFor(pump, before, { ...moment, sinceMs: before.blockedAtMs });
}

function running(pump: HeatPumpView, before: HeatPumpMemory, { rooms, grantedW, nowMs }: Moment): Step {
  const isFirst = before.firstUntilMs !== null && nowMs < before.firstUntilMs;
  const over = rooms.find(({ row, surelyW, chargersW }) => {
    const leftW = surelyW - grantedW - (isFirst ? 0 : chargersW);
    return row.measured !== null && pump.drawnW > STANDBY_W && pump.drawnW > leftW;
  });
  if (over === undefined) return { memory: before, decision: null };
  // What it drew may have been less than it wants. Where it is blocked right after its start, the next try is later.
  const isStarting = before.releasedAtMs !== null && nowMs - before.releasedAtMs < STARTING_MS;
  const leastMs = isStarting ? Math.min(2 * before.leastMs, LONGEST_BLOCK_MS) : LEAST_BLOCK_MS;
  const memory = { blockedAtMs: nowMs, releasedAtMs: null, firstUntilMs: null, expectedW: pump.drawnW, leastMs };
  return { memory, decision: block(pump, reasonOf(over.row)) };
}

function blockedFor(
  pump: HeatPumpView,
  before: HeatPumpMemory,
  { rooms, grantedW, nowMs, sinceMs }: Moment & { readonly sinceMs: number },
): Step {
  const isLong = nowMs - sinceMs >= LONGEST_BLOCK_MS;
  const without = rooms.find(({ row, maybeW, chargersW }) => {
    const leftW = maybeW - grantedW - (isLong ? 0 : chargersW);
    return row.measured === null || before.expectedW > leftW;
  });
  const untilMs = sinceMs + before.leastMs;
  if (without !== undefined) return { memory: before, decision: block(pump, reasonOf(without.row)) };
  if (nowMs < untilMs) {
    return { memory: before, decision: block(pump, { code: "waits-minimum-time", subject: null, untilMs }) };
  }
  const reason: Reason = { code: "nothing-to-do", subject: null, untilMs: null };
  const firstUntilMs = isLong ? nowMs + FIRST_MS : null;
  return {
    memory: { ...before, blockedAtMs: null, releasedAtMs: nowMs, firstUntilMs },
    decision: { kind: "heat-pump", id: pump.id, isBlocked: false, reason },
  };
}

function block({ id }: HeatPumpView, reason: Reason): HeatPumpDecision {
  return { kind: "heat-pump", id, isBlocked: true, reason };
}

function reasonOf({ code, subject, untilMs }: LimitRow): Reason {
  return { code, subject, untilMs };
}

function shifted(row: LimitRow, stoppingW: number, startingW: number): LimitRow {
  if (row.code !== "grid-operator" || (stoppingW <= 0 && startingW <= 0)) return row;
  return { ...row, surelyTaken: row.surelyTaken - stoppingW, maybeTaken: row.maybeTaken + startingW };
}
