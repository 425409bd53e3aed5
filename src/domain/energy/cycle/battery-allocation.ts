/** Which mode each battery should be in: its plan, narrowed by limits, by a silent meter and by cars. */
import type { OperationMode } from "../../../points/points.ts";
import { type CarUse, carToHoldFor, nextHold } from "../battery-use.ts";
import { isLimit } from "../energy-state.ts";
import {
  chargePower,
  dischargePower,
  fallingPower,
  forcedCharge,
  isPlans,
  isPowered,
  peakPower,
  perWattOf,
  rememberedOwn,
  SETTLED_MS,
  timedPower,
} from "./battery-power.ts";
import { type BatteryMemory, EMPTY_BATTERY_MEMORY } from "./cycle-memory.ts";
import { MINIMUM_OFF_MS } from "./cycle-timing.ts";
import type { Decision, Reason } from "./energy-decision.ts";
import type { BatteryView, EnergySnapshot } from "./energy-snapshot.ts";
import { exportLimit } from "./export-limit.ts";
import { finite, type GridReading, silentReason } from "./grid-reading.ts";
import type { LimitRow } from "./limit-row.ts";

/** What a battery is assumed to charge with if it does not report it, W. */
export const DEFAULT_CHARGE_W = 5_000;
const CHARGING_W = 100;
/** Between two changes that no limit asks for, ms. */
const LEAST_BETWEEN_MS = 60_000;

/** True if a battery takes power from the grid, as far as its mode and the meter show. */
function isGridCharging({ mode, powerW }: BatteryView, grid: GridReading): boolean {
  const watts = finite(powerW) ?? 0;
  const isImporting = (grid.newest?.powerW ?? 0) > CHARGING_W;
  if (mode === "IMPORT_FOCUS") return true;
  return mode === "TIME_OF_USE" && watts > CHARGING_W && isImporting;
}

/** The row for which grid charging has to stop; `null`: none. */
export function chargeStopRow(rows: readonly LimitRow[]): LimitRow | null {
  const over = rows.filter(isOver);
  return over.find((row) => row.code === "grid-operator") ?? over.find(isShared) ?? null;
}

/** Circuits are left out: they stop the batteries that hang on them. */
function isShared({ code }: LimitRow): boolean {
  return code === "fuse" || code === "contract" || code === "grid-operator";
}

/** The row for which a battery has to stop charging from the grid: of the house, or of a circuit that it hangs on; `null`: none. */
function stopRowOf(
  battery: BatteryView,
  { rows, stopRow, snapshot: { site } }: Pick<BatteryInputs, "snapshot" | "rows" | "stopRow">,
): LimitRow | null {
  const isIn = (row: LimitRow) => row.code === "circuit" && perWattOf(battery, row, site) > 0;
  return stopRow ?? rows.find((row) => isIn(row) && isOver(row)) ?? null;
}

function isOver(row: LimitRow): boolean {
  return row.measured !== null && row.measured > row.limit;
}

/** By the id of each battery, what it still draws until its command to stop shows, W. */
export function stoppingPower(
  memories: ReadonlyMap<string, BatteryMemory>,
  grid: GridReading,
  limits: Pick<BatteryInputs, "snapshot" | "rows" | "stopRow">,
): ReadonlyMap<string, number> {
  const { nowMs, batteries } = limits.snapshot;
  const stoppingW = (battery: BatteryView): number => {
    const memory = memories.get(battery.id) ?? EMPTY_BATTERY_MEMORY;
    const { command, stoppedAtMs } = memory;
    if (isByPower(battery, memory)) return fallingPower(battery, memory, limits);
    const wasStopped = stoppedAtMs !== null && command !== null && command.mode !== "IMPORT_FOCUS";
    const isStopping = wasStopped && nowMs - stoppedAtMs < SETTLED_MS;
    const isStopped =
      stopRowOf(battery, limits) !== null && isGridCharging(battery, grid) && canBe(battery, "SELF_RELIANCE");
    const isOver = wasStopped && !isStopping;
    return isStopping || (isStopped && !isOver) ? Math.max(0, finite(battery.powerW) ?? 0) : 0;
  };
  return new Map(batteries.map((battery) => [battery.id, stoppingW(battery)]));
}

/** True if a forced mode has a power, ours or its own, that can be narrowed. */
function isByPower(battery: BatteryView, memory: BatteryMemory): boolean {
  return isPowered(battery) && (memory.power !== null || forcedCharge(battery, memory) !== null);
}

/** By the id of each battery, what it will draw when its command to charge from the grid shows, W. */
export function startingPower(
  batteries: readonly BatteryView[],
  memories: ReadonlyMap<string, BatteryMemory>,
  nowMs: number,
): ReadonlyMap<string, number> {
  const startingW = ({ id, maxChargeW, powerW }: BatteryView): number => {
    const { command = null, power = null } = memories.get(id) ?? {};
    const sinceMs = Math.max(command?.atMs ?? -Infinity, power?.atMs ?? -Infinity);
    // Others' own mode is no command, but a power of ours for it is.
    const isStarting = command === null ? (power?.watts ?? 0) > 0 : command.mode === "IMPORT_FOCUS";
    if (!isStarting || nowMs - sinceMs >= SETTLED_MS) return 0;
    const goalW = power?.watts ?? finite(maxChargeW) ?? DEFAULT_CHARGE_W;
    return Math.max(0, goalW - (finite(powerW) ?? 0));
  };
  return new Map(batteries.map((battery) => [battery.id, startingW(battery)]));
}

function canBe({ modes }: BatteryView, mode: OperationMode): boolean {
  return modes.includes(mode);
}

export interface BatteryInputs {
  readonly snapshot: EnergySnapshot;
  readonly grid: GridReading;
  readonly rows: readonly LimitRow[];
  readonly stopRow: LimitRow | null;
  readonly cars: readonly CarUse[];
}

interface Narrowed {
  readonly mode: OperationMode | null;
  readonly reason: Reason;
  readonly memory: BatteryMemory;
  /** The power of a forced mode, W, positive into the battery; absent: the mode's own. */
  readonly powerW?: number;
}

const NOTHING: Reason = { code: "nothing-to-do", subject: null, untilMs: null };

export function batteryDecision(
  battery: BatteryView,
  before: BatteryMemory,
  inputs: BatteryInputs,
): { decision: Decision; memory: BatteryMemory } {
  const { nowMs } = inputs.snapshot;
  const requested = requestedMode(battery, before);
  const narrowed = limitedMode(battery, { ...requested, memory: before }, inputs);
  const limited = besideAnother(battery, narrowed, { requested, inputs });
  const free = modeForCars(battery, limited, inputs);
  const waiting = startedLater(battery, free, { requested, nowMs });
  const { mode: goal, reason, memory, powerW } = withoutPeak(battery, waiting, inputs);
  const mode = goal === null ? null : supportedMode(battery, goal, memory.command !== null);
  const isNarrowed = reason !== requested.reason && goal !== requested.mode;
  const native = nextNative(battery, before, { requested, isNarrowed, nowMs });
  // What is given back is no command any more: left alone, it would look like one of a plan that has ended.
  const isReturned = before.native !== null && native === null && !isNarrowed;
  const command = isReturned ? null : memory.command;
  const isAsked = command !== null && command.mode === mode && nowMs - command.atMs < SETTLED_MS;
  const isUnreadable = command !== null && command.mode === mode && knownMode(battery) === null;
  // What only saves money waits for a minute, so that two reasons that alternate do not switch the battery each cycle. A
  // forced mode ends at once: its power is taken back in the same step, and it would go on with another.
  const isEarly = command !== null && command.mode !== mode && nowMs - command.atMs < LEAST_BETWEEN_MS;
  const isLater = isEarly && !isForced(command.mode) && !isLimit(reason.code) && !battery.isOthers;
  const isSame = mode === null || battery.mode === mode || isAsked || isUnreadable || isLater;
  // The battery may have it already, because somebody set it against what was commanded: that ends here.
  const isOverruled = isReturned && before.command?.mode !== mode;
  const forcedW = mode === goal && isPowered(battery) ? (powerW ?? null) : null;
  const decision: Decision = {
    kind: "battery",
    id: battery.id,
    mode: isSame && !isOverruled ? null : mode,
    reason,
    powerW: forcedW,
  };
  const power = timedPower(before.power, forcedW, nowMs);
  const ownW = rememberedOwn(battery, before, forcedW);
  return { decision, memory: { ...memory, native, power, ownW, command: isSame ? command : { atMs: nowMs, mode } } };
}

function isForced(mode: OperationMode | null): boolean {
  return mode === "IMPORT_FOCUS" || mode === "EXPORT_FOCUS";
}

function knownMode({ mode }: BatteryView): OperationMode | null {
  return mode === "UNKNOWN" ? null : mode;
}

interface Requested {
  readonly mode: OperationMode | null;
  readonly reason: Reason;
  /** What the battery gets back when it is not narrowed any more. */
  readonly native: OperationMode | null;
}

/** The plan's mode, or the mode that others set. */
function requestedMode(battery: BatteryView, { native, command }: BatteryMemory): Requested {
  const { plannedMode, isOthers, askedMode = null } = battery;
  if (plannedMode !== null && !isOthers) {
    return { mode: plannedMode, reason: { code: "plan", subject: null, untilMs: null }, native: "SELF_RELIANCE" };
  }
  // What somebody sets while it is narrowed is what it gets back.
  const asked = isOthers || native !== null ? (askedMode ?? native) : null;
  if (asked !== null) return { mode: asked, reason: NOTHING, native: asked };
  // After a plan has ended, what it set last must not go on: the battery gets what it had before.
  const wasPlanned = command !== null && !isOthers;
  const mode = wasPlanned ? (askedMode ?? "SELF_RELIANCE") : knownMode(battery);
  return { mode, reason: NOTHING, native: mode };
}

/**
 * A battery stops feeding the grid, or charging from it, at once, and starts again only some minutes later: if that is what
 * exceeds the limit again, its mode changes a few times an hour and not each cycle. A planned charge waits a minute, so
 * that it does not miss the cheap hours.
 */
function startedLater(
  { isOthers }: BatteryView,
  now: Narrowed,
  { requested, nowMs }: { readonly requested: Requested; readonly nowMs: number },
): Narrowed {
  const { native, command } = now.memory;
  if (!isForced(now.mode) || native === null || command === null || command.mode === now.mode) return now;
  // A new request of a person does not wait.
  if (isOthers && requested.mode !== native) return now;
  const untilMs = command.atMs + (isOthers || now.mode === "EXPORT_FOCUS" ? MINIMUM_OFF_MS : LEAST_BETWEEN_MS);
  if (nowMs >= untilMs) return now;
  const { powerW: _later, ...waiting } = now;
  return { ...waiting, mode: command.mode, reason: { code: "waits-minimum-time", subject: null, untilMs } };
}

/**
 * A battery that the plan keeps still gives what is needed to stay below an import that is paid for, and no more. One that
 * is kept still for a car does not.
 */
function withoutPeak(battery: BatteryView, now: Narrowed, { rows, grid }: BatteryInputs): Narrowed {
  const isKept = now.mode === "IDLE" && now.reason.code === "plan" && !now.memory.isOnHold && !grid.isSilent;
  const canShave = isKept && isPowered(battery) && isPlans(battery) && canBe(battery, "EXPORT_FOCUS");
  const paid = canShave ? rows.filter(({ code }) => code === "contract") : [];
  const needs = paid.map((row) => ({ row, watts: peakPower(battery, now.memory, row) }));
  const most = needs.toSorted((a, b) => b.watts - a.watts)[0];
  if (most === undefined || most.watts <= 0) return { ...now, memory: { ...now.memory, isShaving: false } };
  const { code, subject, untilMs } = most.row;
  const memory = { ...now.memory, isShaving: true };
  return { mode: "EXPORT_FOCUS", reason: { code, subject, untilMs }, memory, powerW: -most.watts };
}

/** What has to be given back: while it is narrowed, and then until the battery has it again. */
function nextNative(
  battery: BatteryView,
  { native, command }: BatteryMemory,
  { requested, isNarrowed, nowMs }: { requested: Requested; isNarrowed: boolean; nowMs: number },
): OperationMode | null {
  if (isNarrowed) return requested.native;
  if (requested.mode !== native || knownMode(battery) === null || battery.mode === native) return null;
  const isComing = command === null || command.mode !== native || nowMs - command.atMs < SETTLED_MS;
  return isComing ? native : null;
}

function limitedMode(battery: BatteryView, now: Narrowed, inputs: BatteryInputs): Narrowed {
  const { snapshot, grid } = inputs;
  if (grid.isReversed) {
    // Its own management may follow the same meter, and would empty it into the grid.
    const mode = canBe(battery, "IDLE") ? "IDLE" : "SELF_RELIANCE";
    return now.mode === mode ? now : { ...now, mode, reason: silentReason(grid) };
  }
  if (grid.isSilent) {
    const isPersons = battery.isOthers && now.mode === "IDLE";
    if (now.mode === "SELF_RELIANCE" || isPersons) return now;
    return { ...now, mode: "SELF_RELIANCE", reason: silentReason(grid) };
  }
  if (now.mode === "EXPORT_FOCUS" && isPowered(battery)) return gridDischarge(battery, now, inputs);
  if (now.mode === "EXPORT_FOCUS") {
    const limit = exportLimit(snapshot);
    const exportW = -(grid.newest?.powerW ?? 0);
    const binds = limit !== null && (exportW > limit.watts || !isExporting(battery, limit.watts, exportW));
    return binds ? { ...now, mode: "SELF_RELIANCE", reason: limit.reason } : now;
  }
  const wantsGrid = now.mode === "IMPORT_FOCUS" || (now.mode === "TIME_OF_USE" && isGridCharging(battery, grid));
  const wasStopped = now.mode === "TIME_OF_USE" && now.memory.native === "TIME_OF_USE";
  if (!wantsGrid && !wasStopped) return now;
  return gridCharge(battery, now, inputs);
}

/** One that has to wait is kept still while another is forced: it would give its energy to that one, or take what it gives. */
function besideAnother(
  battery: BatteryView,
  now: Narrowed,
  { requested, inputs: { snapshot, grid } }: { readonly requested: Requested; readonly inputs: BatteryInputs },
): Narrowed {
  const hasToWait = isForced(requested.mode) && now.mode === "SELF_RELIANCE" && !grid.isSilent;
  if (!hasToWait || !canBe(battery, "IDLE")) return now;
  const isBeside = snapshot.batteries.some(({ id, mode }) => id !== battery.id && mode === requested.mode);
  return isBeside ? { ...now, mode: "IDLE" } : now;
}

/** A battery that feeds the grid goes on below the limit; one that does not needs room for its power. */
function isExporting(battery: BatteryView, limitW: number, exportW: number): boolean {
  // What it charges with now is fed in as well.
  const addedW = (finite(battery.maxDischargeW) ?? DEFAULT_CHARGE_W) + (finite(battery.powerW) ?? 0);
  const mayStart = exportW + addedW <= limitW;
  return battery.mode === "EXPORT_FOCUS" || mayStart;
}

/** A battery whose power can be set feeds the grid with what the limit leaves. */
function gridDischarge(battery: BatteryView, now: Narrowed, { snapshot, grid }: BatteryInputs): Narrowed {
  const limit = exportLimit(snapshot);
  const exportW = -(grid.newest?.powerW ?? 0);
  const limitW = limit?.watts ?? Number.POSITIVE_INFINITY;
  const { watts, isNarrowed } = dischargePower(battery, now.memory, { exportW, limitW, snapshot });
  if (watts > 0 && !isNarrowed) return isPlans(battery) ? { ...now, powerW: -watts } : now;
  if (watts > 0) return { ...now, powerW: -watts, ...(limit !== null && { reason: limit.reason }) };
  return limit === null ? now : { ...now, mode: "SELF_RELIANCE", reason: limit.reason };
}

/** A battery whose power can be set charges with what the limits leave of what the plan or its owner wants. */
function poweredCharge(battery: BatteryView, now: Narrowed, inputs: BatteryInputs): Narrowed {
  const { watts, row } = chargePower(battery, now.memory, inputs);
  if (row === null) return isPlans(battery) ? { ...now, powerW: watts } : now;
  const reason = { code: row.code, subject: row.subject, untilMs: row.untilMs };
  if (watts > 0) return { ...now, reason, powerW: watts };
  if (isByPower(battery, now.memory)) return stopped(now, row, inputs.snapshot.nowMs);
  return { ...now, mode: "SELF_RELIANCE", reason };
}

function gridCharge(battery: BatteryView, now: Narrowed, inputs: BatteryInputs): Narrowed {
  const { nowMs } = inputs.snapshot;
  const isPoweredCharge = now.mode === "IMPORT_FOCUS" && isPowered(battery);
  // What was just started is among what the limits count as drawn: asked once more it would find no room beside itself.
  const isOn = isGridCharging(battery, inputs.grid) || isStarting(now.memory, nowMs);
  if (isOn && now.memory.native === null) {
    if (isPoweredCharge) return poweredCharge(battery, now, inputs);
    const row = stopRowOf(battery, inputs);
    return row === null ? now : stopped(now, row, nowMs);
  }
  const { stoppedAtMs } = now.memory;
  const untilMs = stoppedAtMs === null ? -Infinity : stoppedAtMs + MINIMUM_OFF_MS;
  if (nowMs < untilMs) {
    return { ...now, mode: "SELF_RELIANCE", reason: { code: "waits-minimum-time", subject: null, untilMs } };
  }
  if (isPoweredCharge) return poweredCharge(battery, now, inputs);
  const row = rowWithoutRoom(battery, inputs);
  if (row === null) return now;
  return { ...now, mode: "SELF_RELIANCE", reason: { code: row.code, subject: row.subject, untilMs: row.untilMs } };
}

function isStarting({ command }: BatteryMemory, nowMs: number): boolean {
  return command !== null && command.mode === "IMPORT_FOCUS" && nowMs - command.atMs < SETTLED_MS;
}

function stopped(now: Narrowed, { code, subject, untilMs }: LimitRow, nowMs: number): Narrowed {
  return {
    ...now,
    mode: "SELF_RELIANCE",
    reason: { code, subject, untilMs },
    memory: { ...now.memory, stoppedAtMs: nowMs },
  };
}

/** The limit that has no room for the battery's whole power. Its power cannot be set, only its mode. */
function rowWithoutRoom(battery: BatteryView, { rows, cars, snapshot }: BatteryInputs): LimitRow | null {
  const watts = finite(battery.maxChargeW) ?? DEFAULT_CHARGE_W;
  // One that discharges leaves its part of the load to the grid.
  const alreadyW = finite(battery.powerW) ?? 0;
  return (
    rows.find((row) => {
      const perWatt = perWattOf(battery, row, snapshot.site);
      if (perWatt <= 0) return false;
      const ofCars = cars.reduce(
        (sum, { charger, currentA }, i) => sum + (charger.ignoresLimit ? 0 : currentA * (row.perAmp[i] ?? 0)),
        0,
      );
      return row.maybeTaken + ofCars + (watts - alreadyW) * perWatt > row.target;
    }) ?? null
  );
}

/** Not emptied into a car. A battery that others control is not touched for that. */
function modeForCars(battery: BatteryView, now: Narrowed, { snapshot, grid, cars }: BatteryInputs): Narrowed {
  if (battery.isOthers || now.mode === null || !canBe(battery, "IDLE")) return now;
  const isSoon = now.memory.isOnHold;
  const car = carToHoldFor(snapshot, grid, cars, { memory: now.memory, isSoon });
  const hold = nextHold(now.memory, car !== null, snapshot.nowMs);
  const memory = { ...now.memory, ...hold };
  const discharges = now.mode !== "IMPORT_FOCUS" && now.mode !== "IDLE";
  if (!hold.isOnHold || !discharges || grid.isSilent) return { ...now, memory };
  const subject = car?.charger.view.id ?? null;
  return { mode: "IDLE", reason: { code: "not-into-car", subject, untilMs: null }, memory };
}

/**
 * The mode, or what comes next to it among the modes that can be commanded; `null`: nothing can. A battery that has been
 * commanded does not stay in that mode because the one before is only reported.
 */
function supportedMode(battery: BatteryView, mode: OperationMode, isCommanded: boolean): OperationMode | null {
  if (canBe(battery, mode)) return mode;
  if (mode === battery.mode) return mode;
  if (isCommanded && canBe(battery, "SELF_RELIANCE")) return "SELF_RELIANCE";
  return mode === "SELF_RELIANCE" && canBe(battery, "IDLE") ? "IDLE" : null;
}
