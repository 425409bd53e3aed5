/** What is left of the sun for cars, and how cars in surplus modes share it. */
import type { ChargeRequest } from "./charge-request.ts";
import type { ChargerState } from "./charger-state.ts";
import type { BatteryMemory, CycleMemory, GridSample, TimedPower } from "./cycle-memory.ts";
import { AVERAGE_MS, LAST_SEEN_MS, LEAST_AVERAGE_MS, STEADY_MS } from "./cycle-timing.ts";
import type { BatteryView, EnergySnapshot } from "./energy-snapshot.ts";
import { batteryPower, finite, type GridReading, sampleAt } from "./grid-reading.ts";

/** A battery that holds the grid at zero needs to see some export, or two controllers follow each other. */
const BATTERY_OFFSET_W = 100;
/** Shares of the least change that is followed: by how much less sun lowers it, and by how much more raises it. */
const LOWERED_SHARE = 0.4;
const RAISED_SHARE = 0.8;
/** Import up to this power is noise. */
const IMPORT_TOLERANCE_W = 100;

/** Power for all cars in surplus modes together, W. */
export interface SurplusBudget {
  /** They are lowered to this at once. */
  readonly nowW: number;
  /** They may be raised to this; `null`: not known for long enough. */
  readonly averageW: number | null;
  /** What batteries take of the surplus before cars. */
  readonly batteryFirstW: number;
}

/** For each car, A per phase: what it may keep and what it may rise to. 0: not enough. */
export interface SurplusShare {
  readonly keepA: number;
  readonly riseA: number;
  /** The power that is there for it, whatever number of phases takes it, W; `riseW` is `null` while it is not known. */
  readonly keepW: number;
  readonly riseW: number | null;
}

export const NO_SHARE: SurplusShare = { keepA: 0, riseA: 0, keepW: 0, riseW: null };

/** The budget from readings of the same moment, and the memory of earlier ones. */
export function surplusBudget(
  snapshot: EnergySnapshot,
  grid: GridReading,
  cars: readonly ChargerState[],
  batteries: ReadonlyMap<string, BatteryMemory>,
  memory: CycleMemory,
): { budget: SurplusBudget; series: readonly TimedPower[] } {
  const before = memory.grid.surplus;
  if (grid.isSilent || grid.newest === null) {
    return { budget: { nowW: 0, averageW: null, batteryFirstW: 0 }, series: recent(before, snapshot.nowMs) };
  }
  const active = cars.filter(({ isPlugged, isOn, drawA }) => isPlugged && (isOn || (drawA ?? 0) > 0));
  const readAtMs = Math.min(grid.newest.atMs, ...active.map(momentOf));
  // A charger that is read late is compared with what the grid meter and the batteries measured then.
  const sample = sampleAt(memory.grid.samples, readAtMs) ?? grid.newest;
  const { usableW, firstW, hasController } = batterySurplus(snapshot, batteries, sample);
  const exportW = -sample.powerW + usableW;
  // The sun may be gone since then: no more than if all of them drew what they may.
  const latest = batterySurplus(snapshot, batteries, grid.newest);
  const mostNowW = -grid.newest.powerW + latest.usableW + sumOf(active, ({ highW }) => highW);
  const nowW = Math.min(exportW + sumOf(active, measuredHighW), mostNowW);
  const isCertain = active.every(({ isInFlight }) => !isInFlight);
  const baseW = exportW + sumOf(active, (car) => oldW(car) ?? car.lowW);
  const isNew = (before.at(-1)?.atMs ?? -Infinity) < sample.atMs;
  const series = recent(isCertain && isNew ? [...before, { atMs: sample.atMs, watts: baseW }] : before, sample.atMs);
  const offsetW = hasController ? BATTERY_OFFSET_W : 0;
  const averageW = isCertain ? average(series, sample.atMs, baseW) : null;
  return {
    budget: { nowW, averageW: averageW === null ? null : averageW - offsetW, batteryFirstW: firstW },
    series,
  };
}

/**
 * The values that the average at a moment is made from. A charger that is read seldom has few of them, as old as its reading:
 * then the one before counts too, or it would never be raised.
 */
function recent(series: readonly TimedPower[], nowMs: number): readonly TimedPower[] {
  const within = series.filter(({ atMs }) => nowMs - atMs <= AVERAGE_MS);
  const first = within[0];
  if (first !== undefined && nowMs - first.atMs >= LEAST_AVERAGE_MS) return within;
  const before = series.findLast(({ atMs }) => nowMs - atMs > AVERAGE_MS && nowMs - atMs <= LAST_SEEN_MS);
  return before === undefined ? within : [before, ...within];
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

/** An old reading is compared with the grid at the same moment, so it needs no bound. */
function measuredHighW(car: ChargerState): number {
  return oldW(car) ?? (car.isInFlight ? car.highW : car.lowW);
}

/** The moment at which it is known what a charger drew; infinite: also now. */
function momentOf({ readAtMs, seen }: ChargerState): number {
  return readAtMs ?? (seen === null || seen.isSteady ? Number.POSITIVE_INFINITY : seen.atMs);
}

/** What a charger that has no recent reading drew at its last one; `null` if it has one. */
function oldW({ readAtMs, seen }: ChargerState): number | null {
  return readAtMs === null ? (seen?.watts ?? null) : null;
}

function average(series: readonly TimedPower[], atMs: number, newestW: number): number | null {
  const first = series[0];
  if (first === undefined || atMs - first.atMs < LEAST_AVERAGE_MS) return null;
  const mean = sumOf(series, ({ watts }) => watts) / series.length;
  return Math.min(mean, newestW);
}

/** What batteries add to the surplus or take from it. */
function batterySurplus(
  snapshot: EnergySnapshot,
  memories: ReadonlyMap<string, BatteryMemory>,
  { batteriesW }: GridSample,
) {
  let usableW = 0;
  let firstW = 0;
  let hasController = false;
  for (const battery of snapshot.batteries) {
    const watts = batteriesW.get(battery.id) ?? batteryPower(battery, snapshot.nowMs) ?? 0;
    hasController ||= battery.mode === "SELF_RELIANCE";
    // What a battery discharges is no surplus, whatever it is for.
    if (watts <= 0) usableW += watts;
    else if (memories.get(battery.id)?.isFirst !== false) firstW += watts;
    else usableW += yieldingW(snapshot, battery, watts);
  }
  return { usableW, firstW, hasController };
}

/** How much of its charging a battery would leave to a car. A battery on the DC side only what the inverter can pass. */
function yieldingW({ inverters }: EnergySnapshot, battery: BatteryView, watts: number): number {
  if (battery.mode === "IMPORT_FOCUS") return 0;
  if (battery.isAcCoupled === true || inverters.length === 0) return watts;
  const roomW = sumOf(inverters, ({ ratedW, isRatedKnown, powerW }) => {
    const rated = finite(ratedW);
    // The highest power so far is no limit: in the morning it is that of now, and nothing would ever be left for a car.
    return rated === null || isRatedKnown === false
      ? Number.POSITIVE_INFINITY
      : Math.max(0, rated - (finite(powerW) ?? 0));
  });
  return Math.min(watts, roomW);
}

export interface SurplusUser {
  readonly charger: ChargerState;
  readonly request: ChargeRequest;
  /** It is off and may not start for some time: until then others have the sun. */
  readonly startsLater?: boolean;
}

/** The last: as in `HiddenSurplus`. Shares the budget among the cars in the order in which they are listed: running ones keep their least current first. */
export function shareSurplus(
  users: readonly SurplusUser[],
  budget: SurplusBudget,
  hidden: { readonly slackW: number; readonly followW: number; readonly probeW: number } | null = null,
): readonly SurplusShare[] {
  const { slackW, followW, probeW } = hidden ?? { slackW: 0, followW: 0, probeW: 0 };
  const rise = share(users, Math.min(budget.averageW ?? 0, budget.nowW) + slackW + probeW);
  // What running ones may keep counts as if a command under way were followed: on that nobody starts.
  const waiting = users.map((user, i) =>
    !user.charger.isOn && (rise[i] ?? NOTHING).amps <= 0 ? { ...user, startsLater: true } : user,
  );
  const keep = share(waiting, budget.nowW + IMPORT_TOLERANCE_W + slackW + followW);
  return users.map((_user, i) => {
    const [kept, raised] = [keep[i] ?? NOTHING, rise[i] ?? NOTHING];
    const isKnown = budget.averageW !== null;
    return {
      keepA: kept.amps,
      riseA: isKnown ? raised.amps : 0,
      keepW: kept.watts,
      riseW: isKnown ? raised.watts : null,
    };
  });
}

const NOTHING = { amps: 0, watts: 0, takenW: 0 } as const;

export interface Share {
  readonly amps: number;
  /** The power that is there for it. */
  readonly watts: number;
  /** What it leaves less to those behind it. */
  readonly takenW: number;
}

/** What each gets of a power, in order. */
export function share(users: readonly SurplusUser[], budgetW: number): readonly Share[] {
  let left = budgetW;
  const leastW = users.map(({ charger, request }) => {
    const isReserved = request.takesSurplus && charger.isPlugged && charger.isOn && !charger.isIdle;
    return isReserved ? ownPartW(charger, leastSurplusA(charger)) : 0;
  });
  let reserved = leastW.reduce((total, watts) => total + watts, 0);
  return users.map(({ charger, request, startsLater }, i) => {
    if (!request.takesSurplus || !charger.isPlugged || !mayDraw(charger)) return NOTHING;
    reserved -= leastW[i] ?? 0;
    // What is reserved for cars behind this one cannot raise it, but its own least current comes first.
    const available = Math.max(left - reserved, Math.min(left, leastW[i] ?? 0));
    const leastA = leastSurplusA(charger);
    const carried = toStep({ ...charger, minA: leastA }, currentFor(charger, available), request.maxA);
    const amps = steady(charger, byRule(charger, carried, available), request.maxA);
    const drawsA = Math.max(amps, request.firmA, charger.isOn ? charger.minA : 0);
    const takenW = charger.isIdle || startsLater === true ? 0 : ownPartW(charger, takes(charger, drawsA));
    left -= takenW;
    const own = 1 - gridShareOf(charger.view.gridShare);
    const watts = own <= 0 ? Number.POSITIVE_INFINITY : Math.max(0, available) / own;
    return { amps: charger.isIdle && charger.isOn ? Math.min(amps, leastA) : amps, watts, takenW };
  });
}

/** What it will draw of a current that it may have: a car takes no more because it is offered more. */
function takes({ takesA }: ChargerState, amps: number): number {
  return takesA === null ? amps : Math.min(amps, takesA);
}

/** One that is off and takes no command to start, such as a heat pump that is warm, leaves the sun to others. */
function mayDraw({ isOn, view }: ChargerState): boolean {
  return isOn || view.canSwitch;
}

/** The least current from surplus, A: the charger's own, or a higher one that its owner set. */
export function leastSurplusA({ minA, maxA, view }: Pick<ChargerState, "minA" | "maxA" | "view">): number {
  return Math.max(minA, Math.min(maxA, finite(view.surplusRule?.minA ?? null) ?? 0));
}

/** The current at which its owner wants it to start or go on, where that is set; else what the sun carries. */
function byRule(charger: ChargerState, carriedA: number, availableW: number): number {
  const startW = charger.view.surplusRule?.startExportW ?? null;
  const stopW = charger.view.surplusRule?.stopImportW ?? null;
  const leastA = leastSurplusA(charger);
  if (!charger.isOn) {
    if (startW === null) return carriedA;
    return availableW >= startW ? Math.max(carriedA, leastA) : 0;
  }
  if (carriedA > 0 || stopW === null) return carriedA;
  return ownPartW(charger, leastA) - availableW <= stopW - IMPORT_TOLERANCE_W ? leastA : 0;
}

/**
 * What a charger with small steps gets, so that it is not commanded more often than one with steps of 1 A: it is
 * raised for a greater change of the sun only, goes below what there is when it is lowered, and is not lowered again for little
 * within a minute.
 */
function steady(charger: ChargerState, carriedA: number, limitA: number): number {
  const { offerA, isOn, stepA, followA, maxA } = charger;
  if (stepA >= followA || !isOn || carriedA <= 0 || offerA <= 0) return carriedA;
  const leastA = leastSurplusA(charger);
  const { command } = charger.memory;
  const isNew = command !== null && (charger.readAtMs ?? 0) - command.atMs < STEADY_MS;
  const lessA = LOWERED_SHARE * followA;
  if (carriedA < offerA - (isNew ? lessA : 0) - EPSILON) {
    return Math.max(leastA, toStep({ ...charger, minA: leastA }, carriedA - lessA, limitA));
  }
  const isRaised = carriedA >= Math.min(offerA + RAISED_SHARE * followA, maxA, limitA) - EPSILON;
  return isRaised ? carriedA : Math.min(Math.max(offerA, leastA), limitA);
}

/** The part of the power at a current that has to come from surplus. */
export function ownPartW({ view, phases, volts }: ChargerState, amps: number): number {
  return amps * phases.length * volts * (1 - gridShareOf(view.gridShare));
}

function currentFor({ view, phases, volts }: ChargerState, watts: number): number {
  const own = 1 - gridShareOf(view.gridShare);
  if (watts <= 0 && own > 0) return 0;
  return own <= 0 ? Number.POSITIVE_INFINITY : watts / (own * phases.length * volts);
}

function gridShareOf(value: number): number {
  return Math.min(1, Math.max(0, finite(value) ?? 0));
}

/** A whole number of steps, at most `maxA`; 0 below the least current. */
export function toStep(
  { minA, maxA, stepA }: Pick<ChargerState, "minA" | "maxA" | "stepA">,
  amps: number,
  limitA: number,
) {
  const capped = Math.min(amps, maxA, limitA);
  const stepped = Math.floor(capped / stepA + EPSILON) * stepA;
  if (capped < minA - EPSILON) return 0;
  return Math.round(Math.max(minA, stepped) * 1000) / 1000;
}

const EPSILON = 1e-6;
