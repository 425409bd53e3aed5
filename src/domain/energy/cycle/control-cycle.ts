/** The control cycle of the energy manager: one moment of the house in, what each device may and should do out. */

import { batteryRoles, type CarUse, isCarSupported } from "../battery-use.ts";
import { chargeStopRow, startingPower, stoppingPower } from "./battery-allocation.ts";
import { batteryDecisions } from "./battery-order.ts";
import { type ChargeRequest, chargeRequest } from "./charge-request.ts";
import { type Allocation, allocate, type StopRule } from "./charger-allocation.ts";
import { chargerDecision } from "./charger-command.ts";
import { type ChargerState, chargerState } from "./charger-state.ts";
import { type ChargingTarget, chargingTarget, silentTarget, startsLater } from "./charging-target.ts";
import { circuitRows } from "./circuit-limits.ts";
import { connectionRows, type LimitInputs } from "./connection-limits.ts";
import type { BatteryMemory, ChargerMemory, CycleMemory } from "./cycle-memory.ts";
import { energyAlarms } from "./energy-alarms.ts";
import type { Decision, EnergyAlarm, Reason } from "./energy-decision.ts";
import type { EnergySnapshot } from "./energy-snapshot.ts";
import { exportLimit } from "./export-limit.ts";
import { type GridReading, readGrid, withMeterInterval } from "./grid-reading.ts";
import { heatPumpLimits } from "./heat-pump-limit.ts";
import { feedInAtLimit, hiddenSurplus, NO_HIDDEN } from "./hidden-surplus.ts";
import { inverterDecisions } from "./inverter-limit.ts";
import { type LimitRow, lateReductions, mustStop, overSince } from "./limit-row.ts";
import { phaseStep } from "./phase-change.ts";
import { nextUsual, silentRows } from "./silent-meter.ts";
import { NO_SHARE, shareSurplus, surplusBudget } from "./surplus.ts";
import { wakeStep } from "./wake-up.ts";

export { EMPTY_MEMORY } from "./cycle-memory.ts";

export interface CycleResult {
  /** One for each charger, battery and inverter of the snapshot, in its order, and those of heat pumps that are blocked. */
  readonly decisions: readonly Decision[];
  /** The alarms that begin now; those that are on are in the memory. */
  readonly alarms: readonly EnergyAlarm[];
  readonly memory: CycleMemory;
}

/** Decides one cycle. Pure: the same snapshot and memory give the same result. */
export function controlCycle(house: EnergySnapshot, before: CycleMemory): CycleResult {
  const snapshot = withMeterInterval(house, before.grid);
  const { grid, memory: gridMemory } = readGrid(snapshot, before);
  const memory: CycleMemory = { ...before, grid: gridMemory };
  const cars = chargersByPriority(snapshot, memory, grid);
  const chargers = cars.map(({ charger }) => charger);
  const roles = batteryRoles(snapshot.batteries, snapshot.batteryUse, memory.batteries);
  const limits = limitRows(snapshot, memory, { grid, chargers });
  const since = overSince([...limits.rows, ...exportRows(snapshot, grid)], memory.overSince, snapshot.nowMs);
  const atLimit = feedInAtLimit(snapshot, grid, memory.grid.atLimit);
  const { targets, series } = chargingTargets({ snapshot, memory, grid, cars, roles, atLimit });
  const heat = heatPumpLimits(snapshot.heatPumps ?? [], memory.heatPumps, {
    rows: limits.rows,
    users: targets,
    nowMs: snapshot.nowMs,
  });
  const unblocked = targets.map((each) => withoutBlocked(each, heat.blocked));
  const outcomes = chargerOutcomes(unblocked, { rows: heat.rows, since, grid, nowMs: snapshot.nowMs });
  const uses = targets.map(({ charger, request, target }, i): CarUse => {
    const isInDeficit = target.memory.deficitSinceMs !== null;
    return { charger, request, currentA: outcomes[i]?.currentA ?? 0, isInDeficit };
  });
  const batteries = batteryDecisions(roles, { snapshot, grid, ...limits, cars: uses });
  const inverters = inverterDecisions(snapshot, grid, memory.inverters);
  const ignoringInverters = inverters.ignoring;
  const { alarms, active } = energyAlarms(snapshot, memory, { grid, chargers, ignoringInverters, overSince: since });
  const isNew = gridMemory.samples.at(-1) !== before.grid.samples.at(-1);
  return {
    decisions: [
      ...inOrder(snapshot, outcomes),
      ...heat.decisions,
      ...batteries.map(({ decision }) => decision),
      ...inverters.decisions,
    ],
    alarms,
    memory: {
      grid: { ...gridMemory, atLimit, surplus: series, usualA: nextUsual(gridMemory, chargers, isNew) },
      chargers: memoryById(outcomes),
      batteries: memoryById(batteries),
      inverters: inverters.memories,
      heatPumps: heat.memories,
      overSince: since,
      alarms: active,
    },
  };
}

interface Target extends Car {
  readonly target: ChargingTarget;
  readonly phases: 1 | 3 | null;
}

/** A heat pump that is blocked is not asked to take more. */
function withoutBlocked(each: Target, blocked: ReadonlyMap<string, Reason>): Target {
  const reason = blocked.get(each.charger.view.id);
  return reason === undefined ? each : { ...each, target: { ...each.target, keepA: 0, riseA: 0, reason } };
}

/** What each charger is to do, by priority. */
function chargerOutcomes(
  targets: readonly Target[],
  now: {
    readonly rows: readonly LimitRow[];
    readonly since: CycleMemory["overSince"];
    readonly grid: GridReading;
    readonly nowMs: number;
  },
) {
  const { rows, since, grid, nowMs } = now;
  const isDue = (row: LimitRow, charger: ChargerState) => mustStop(row, charger, since, nowMs);
  const allocations = safeAllocations(targets, rows, since, (row, charger) => grid.isSilent || isDue(row, charger));
  return targets.map((target, i) => {
    const allocation = allocations[i] ?? { cutA: 0, riseA: 0, bindingRow: null, shortRow: null };
    const isUrgent = rows.some((row) => (row.perAmp[i] ?? 0) > 0 && isDue(row, target.charger));
    return { id: target.charger.view.id, ...chargerDecision({ ...target, allocation, isUrgent, nowMs }) };
  });
}

/** What each may have. Where a reduction shows too late, the others get what is left beside all that is drawn now. */
function safeAllocations(
  targets: readonly Target[],
  rows: readonly LimitRow[],
  since: CycleMemory["overSince"],
  isStopDue: StopRule,
): readonly Allocation[] {
  const chargers = targets.map(({ charger }) => charger);
  const all = allocate(targets, rows, isStopDue);
  const late = lateReductions(rows, chargers, since);
  if (late.size === 0) return all;
  const asLoad = targets.map((target) =>
    late.has(target.charger) ? { ...target, charger: { ...target.charger, ignoresLimit: true } } : target,
  );
  const drawnRows = rows.map((row) => {
    const lateA = chargers.map((charger, i) =>
      late.has(charger) ? Math.max(...charger.highA) * (row.perAmp[i] ?? 0) : 0,
    );
    return { ...row, surelyTaken: lateA.reduce((sum, amps) => sum + amps, row.surelyTaken) };
  });
  const others = allocate(asLoad, drawnRows, isStopDue);
  return chargers.flatMap((charger, i) => (late.has(charger) ? all[i] : others[i]) ?? []);
}

interface Car {
  readonly charger: ChargerState;
  readonly request: ChargeRequest;
  readonly startsLater: boolean;
}

function chargersByPriority(snapshot: EnergySnapshot, memory: CycleMemory, grid: GridReading): readonly Car[] {
  const { nowMs } = snapshot;
  const gridAtMs = grid.newest?.atMs ?? nowMs;
  return snapshot.chargers
    .map((view) => chargerState(view, memory.chargers.get(view.id), { nowMs, gridAtMs }))
    .toSorted((a, b) => a.view.priority - b.view.priority || (a.view.id < b.view.id ? -1 : 1))
    .map((charger) => {
      const request = chargeRequest(charger);
      return { charger, request, startsLater: startsLater(charger, request, nowMs) };
    });
}

/** The rows of all limits. If one is exceeded, batteries stop taking power from the grid before chargers are lowered. */
function limitRows(
  snapshot: EnergySnapshot,
  memory: CycleMemory,
  { grid, chargers }: { readonly grid: GridReading; readonly chargers: readonly ChargerState[] },
): { rows: readonly LimitRow[]; stopRow: LimitRow | null } {
  const { nowMs, batteries } = snapshot;
  const startingW = startingPower(batteries, memory.batteries, nowMs);
  const { samples, quarter } = memory.grid;
  const inputs: LimitInputs = { snapshot, grid, samples, quarter, chargers, stoppingW: new Map(), startingW };
  if (grid.isSilent) return { rows: silentRows(inputs, memory.grid.usualA), stopRow: null };
  const rowsOf = (stoppingW: LimitInputs["stoppingW"]) => {
    const all = { ...inputs, stoppingW };
    return [...connectionRows(all), ...circuitRows(all)];
  };
  const rows = rowsOf(new Map());
  const stopRow = chargeStopRow(rows);
  const stoppingW = stoppingPower(memory.batteries, grid, { snapshot, rows, stopRow });
  const isStopping = [...stoppingW.values()].some((watts) => watts > 0);
  return { rows: isStopping ? rowsOf(stoppingW) : rows, stopRow };
}

/** The export limit as a row, only to time how long it is exceeded. */
function exportRows(snapshot: EnergySnapshot, { newest }: GridReading): readonly LimitRow[] {
  const limit = exportLimit(snapshot);
  if (limit === null || newest === null) return [];
  const { code, subject, untilMs } = limit.reason;
  return [
    {
      key: `limit ${limit.id}`,
      code,
      subject,
      untilMs,
      limit: limit.watts,
      target: limit.watts,
      perAmp: [],
      surelyTaken: 0,
      maybeTaken: 0,
      measured: -newest.powerW,
      deadlines: [],
      isHard: false,
    },
  ];
}

function chargingTargets(inputs: {
  readonly snapshot: EnergySnapshot;
  readonly memory: CycleMemory;
  readonly grid: GridReading;
  readonly cars: readonly Car[];
  readonly roles: ReadonlyMap<string, BatteryMemory>;
  readonly atLimit: CycleMemory["grid"]["atLimit"];
}): { targets: readonly Target[]; series: CycleMemory["grid"]["surplus"] } {
  const { snapshot, memory, grid, cars, roles } = inputs;
  const onSurplus = cars.filter(({ request }) => request.takesSurplus).map(({ charger }) => charger);
  const { budget, series } = surplusBudget(snapshot, grid, onSurplus, roles, memory);
  const { nowMs } = snapshot;
  if (grid.isSilent) {
    const silent = cars.map((car) => ({
      ...car,
      ...phaseStep(car, silentTarget(car.charger, car.request, grid), { share: null, nowMs }),
    }));
    return { targets: silent, series };
  }
  const hidden = onSurplus.length === 0 ? NO_HIDDEN : hiddenSurplus(snapshot, cars, budget, inputs.atLimit);
  const shares = shareSurplus(cars, budget, hidden);
  const isSupported = isCarSupported(snapshot, roles);
  const targets = cars.map((car, i) => {
    const share = shares[i] ?? NO_SHARE;
    const target = chargingTarget(car.charger, car.request, {
      share,
      budget,
      isSupported,
      nowMs,
      isTried: hidden.triesId === car.charger.view.id,
    });
    const step = phaseStep(car, target, { share, nowMs });
    return { ...car, ...step, target: wakeStep(car.charger, step.target, nowMs) };
  });
  return { targets, series };
}

interface Outcome<M> {
  readonly id: string;
  readonly decision: Decision;
  readonly memory: M;
}

/** The decisions about chargers in the order of the snapshot. */
function inOrder(snapshot: EnergySnapshot, outcomes: readonly Outcome<ChargerMemory>[]): readonly Decision[] {
  const byCharger = new Map(outcomes.map(({ id, decision }) => [id, decision]));
  return snapshot.chargers.flatMap(({ id }) => byCharger.get(id) ?? []);
}

function memoryById<M>(outcomes: readonly Outcome<M>[]): ReadonlyMap<string, M> {
  return new Map(outcomes.map(({ id, memory }) => [id, memory]));
}
