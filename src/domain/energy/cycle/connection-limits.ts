/** The limits of the connection to the grid as rows: main fuse per phase, operator, contract, peak, unbalance. */

import { PHASES, type SiteConnection } from "../site/site-connection.ts";
import { drawnAt } from "./charger-draw.ts";
import type { ChargerState } from "./charger-state.ts";
import type { GridSample, QuarterMemory } from "./cycle-memory.ts";
import {
  CONTRACT_DEADLINE_MS,
  FUSE_DEADLINES,
  FUSE_TARGET,
  NOMINAL_V,
  OPERATOR_DEADLINE_MS,
  POWER_TARGET,
} from "./cycle-timing.ts";
import type { ActiveLimit, EnergySnapshot } from "./energy-snapshot.ts";
import { finite, type GridReading, PHASE_INDEXES, type PhaseIndex, recentPower, sampleAt } from "./grid-reading.ts";
import type { LimitRow } from "./limit-row.ts";
import { leftOfPeak, peakW } from "./peak-window.ts";

const OPERATOR_DEADLINES = [{ ratio: 1, ms: OPERATOR_DEADLINE_MS }] as const;
/** A contract is about energy and not about heat: how far it is exceeded does not matter. */
const CONTRACT_DEADLINES = [{ ratio: 1, ms: CONTRACT_DEADLINE_MS }] as const;

export interface LimitInputs {
  readonly snapshot: EnergySnapshot;
  readonly grid: GridReading;
  readonly samples: readonly GridSample[];
  readonly quarter: QuarterMemory | null;
  readonly chargers: readonly ChargerState[];
  /** By the id of each battery, what it draws from the grid until its command to stop is followed, W. */
  readonly stoppingW: ReadonlyMap<string, number>;
  /** By the id of each battery, what it will draw more when its command to charge is followed, W. */
  readonly startingW: ReadonlyMap<string, number>;
}

export function connectionRows(inputs: LimitInputs): readonly LimitRow[] {
  return [...fuseRows(inputs), ...importRows(inputs), ...controllableRows(inputs), ...unbalanceRows(inputs)];
}

function totalOf(batteriesW: ReadonlyMap<string, number>): number {
  return [...batteriesW.values()].reduce((sum, watts) => sum + watts, 0);
}

/** What batteries take of one phase, A. */
function ampsOf(batteriesW: ReadonlyMap<string, number>, i: PhaseIndex, site: SiteConnection): number {
  return [...batteriesW].reduce((sum, [id, watts]) => {
    const phases = site.phasesOf.get(id) ?? PHASES.slice(0, site.phases);
    return phases.includes(PHASES[i]) ? sum + watts / NOMINAL_V / phases.length : sum;
  }, 0);
}

function usesPhase(phase: PhaseIndex): (charger: ChargerState) => number {
  return ({ phases, isPlugged }) => (isPlugged && phases.includes(phase) ? 1 : 0);
}

function fuseRows(inputs: LimitInputs): readonly LimitRow[] {
  const { snapshot, grid, chargers } = inputs;
  const { fuseA, phases } = snapshot.site;
  if (fuseA === null || grid.newest === null) return [];
  return PHASE_INDEXES.slice(0, phases).map((i) => phaseRow(chargers, { i, fuseA }, phaseLoad(inputs, i)));
}

/** The main fuse of one phase. */
export function phaseRow(
  chargers: readonly ChargerState[],
  { i, fuseA }: { readonly i: PhaseIndex; readonly fuseA: number },
  load: Pick<LimitRow, "measured" | "leastMeasured" | "surelyTaken" | "maybeTaken">,
): LimitRow {
  return {
    key: `fuse ${PHASES[i]}`,
    code: "fuse",
    subject: PHASES[i],
    untilMs: null,
    limit: fuseA,
    target: FUSE_TARGET * fuseA,
    perAmp: chargers.map(usesPhase(i)),
    ...load,
    deadlines: FUSE_DEADLINES,
    isHard: true,
  };
}

function phaseLoad({ grid, samples, chargers, snapshot, stoppingW, startingW }: LimitInputs, i: PhaseIndex) {
  const newest = grid.newest;
  const low = chargers.reduce((sum, { lowA }) => sum + lowA[i], 0);
  const high = chargers.reduce((sum, { highA }) => sum + highA[i], 0);
  const amps = newest?.currentA[i] ?? null;
  const stoppingA = ampsOf(stoppingW, i, snapshot.site);
  if (amps !== null) {
    const earlier = alignedCurrent(samples, chargers, i);
    return {
      measured: amps,
      surelyTaken: amps - high - stoppingA,
      maybeTaken: Math.max(amps - low, earlier ?? -Infinity) + ampsOf(startingW, i, snapshot.site),
    };
  }
  const watts = newest?.powerW ?? 0;
  if (grid.currents === "lost") {
    const surelyTaken = watts / NOMINAL_V / snapshot.site.phases - high - stoppingA;
    return { measured: null, surelyTaken, maybeTaken: Number.POSITIVE_INFINITY };
  }
  // Without currents, everything is taken to be on this phase of which it is not known on which it is.
  const knownW = knownPowers(snapshot, newest);
  const unknownA = (ofChargers: number) => Math.max(0, watts - ofChargers - totalOf(knownW)) / NOMINAL_V;
  const knownA = ampsOf(knownW, i, snapshot.site);
  const mostA = unknownA(chargers.reduce((sum, { lowW }) => sum + lowW, 0));
  const surelyA = unknownA(chargers.reduce((sum, { highW }) => sum + highW, 0)) + knownA;
  const maybeA = mostA + knownA;
  return {
    measured: maybeA + low,
    // One of the phases has at least its part of the unknown.
    leastMeasured: mostA / snapshot.site.phases + knownA + low,
    surelyTaken: surelyA - stoppingA,
    maybeTaken: maybeA + ampsOf(startingW, i, snapshot.site),
  };
}

/**
 * What batteries and inverters took from the grid when the meter was read, W, by their ids: on which phases is known. Batteries on
 * the DC side give through the inverter.
 */
function knownPowers({ batteries, inverters }: EnergySnapshot, newest: GridSample | null): ReadonlyMap<string, number> {
  const ofBatteries = batteries.map(({ id, isAcCoupled }): [string, number] => {
    const watts = newest?.batteriesW.get(id) ?? 0;
    const isBehind = isAcCoupled !== true && inverters.length > 0;
    return [id, isBehind ? Math.max(0, watts) : watts];
  });
  const ofInverters = inverters.map(({ id }): [string, number] => [id, -Math.max(0, newest?.invertersW.get(id) ?? 0)]);
  return new Map([...ofBatteries, ...ofInverters]);
}

/** What others took at the moment of the oldest charger reading; `null` while a command is under way. */
function alignedCurrent(samples: readonly GridSample[], chargers: readonly ChargerState[], i: PhaseIndex) {
  const active = chargers.filter(({ phases, isPlugged }) => isPlugged && phases.includes(i));
  if (active.length === 0 || active.some(({ isInFlight }) => isInFlight)) return null;
  const readAtMs = Math.min(...active.map((charger) => charger.readAtMs ?? Number.POSITIVE_INFINITY));
  const amps = Number.isFinite(readAtMs) ? (sampleAt(samples, readAtMs)?.currentA[i] ?? null) : null;
  return amps === null ? null : amps - active.reduce((sum, { lowA }) => sum + lowA[i], 0);
}

/** The limits of the whole house's import. */
function importRows({ snapshot, grid, quarter, chargers, stoppingW, startingW }: LimitInputs): readonly LimitRow[] {
  const watts = grid.newest?.powerW ?? null;
  if (watts === null) return [];
  const lowW = chargers.reduce((sum, charger) => sum + charger.lowW, 0);
  const highW = chargers.reduce((sum, charger) => sum + charger.highW, 0);
  const load = {
    measured: watts,
    surelyTaken: watts - highW - yieldingW(snapshot, watts) - totalOf(stoppingW),
    maybeTaken: watts - lowW - yieldingW(snapshot, watts) + totalOf(startingW),
    perAmp: chargers.map(wattsPerAmp),
  };
  const row = (
    key: string,
    limit: number,
    rest: Pick<LimitRow, "code" | "subject" | "untilMs" | "isHard">,
  ): LimitRow => ({
    key,
    limit,
    target: POWER_TARGET * limit,
    deadlines: rest.code === "grid-operator" ? OPERATOR_DEADLINES : CONTRACT_DEADLINES,
    ...rest,
    ...load,
  });
  const rows: LimitRow[] = importLimits(snapshot, "connection").map(({ id, source, watts: limit, untilMs }) =>
    row(`limit ${id}`, limit, { code: "grid-operator", subject: source, untilMs, isHard: true }),
  );
  const { importKw } = snapshot.site;
  const paidW = peakW(snapshot);
  const contract = { code: "contract", subject: null, untilMs: null } as const;
  if (importKw !== null) rows.push(row("contract", importKw * 1000, { ...contract, isHard: true }));
  if (paidW !== null) rows.push(row("peak", leftOfPeak(paidW, quarter), { ...contract, isHard: false }));
  return rows;
}

function wattsPerAmp({ phases, volts, isPlugged }: ChargerState): number {
  return isPlugged ? phases.length * volts : 0;
}

function importLimits({ limits }: EnergySnapshot, scope: ActiveLimit["scope"]): readonly ActiveLimit[] {
  return limits.filter((limit) => limit.direction === "import" && limit.scope === scope);
}

/**
 * What batteries charge without the grid: they leave it to others by themselves, because they hold the grid at zero. An old
 * reading does not say that they still do.
 */
function yieldingW({ batteries, nowMs }: EnergySnapshot, importW: number): number {
  const charging = batteries.reduce(
    (sum, battery) => sum + (battery.mode === "SELF_RELIANCE" ? Math.max(0, recentPower(battery, nowMs) ?? 0) : 0),
    0,
  );
  return Math.max(0, charging - Math.max(0, importW));
}

/** § 14a EnWG: the controllable devices together; own panels and batteries come on top. */
function controllableRows({ snapshot, chargers, stoppingW, startingW }: LimitInputs): readonly LimitRow[] {
  const positive = (watts: number | null) => Math.max(0, finite(watts) ?? 0);
  // What is not known any more adds nothing to the limit: the sun may be gone, and the battery empty.
  const { nowMs } = snapshot;
  const panelsW = snapshot.inverters.reduce((sum, inverter) => sum + positive(recentPower(inverter, nowMs)), 0);
  const batteryW = snapshot.batteries.reduce(
    (sum, battery) => sum + (recentPower(battery, nowMs) ?? positive(battery.powerW)),
    0,
  );
  const uncontrolledW = chargers
    .filter(({ ignoresLimit }) => ignoresLimit)
    .reduce((sum, { view, offerA, phases }) => sum + (finite(view.powerW) ?? offerA * phases.length * NOMINAL_V), 0);
  const taken = batteryW + uncontrolledW + positive(snapshot.heatPumpsW ?? null) - panelsW;
  // At the nominal voltage, so that a charger that is entitled to 4.2 kW gets its 6 A on three phases everywhere.
  const perAmp = chargers.map((charger) => (wattsPerAmp(charger) > 0 ? charger.phases.length * NOMINAL_V : 0));
  const drawnW = chargers.reduce((sum, charger) => {
    const { lowA } = drawnAt(charger, nowMs);
    return sum + (lowA[0] + lowA[1] + lowA[2]) * NOMINAL_V;
  }, 0);
  return importLimits(snapshot, "controllable").map(
    ({ id, source, watts, untilMs }): LimitRow => ({
      key: `limit ${id}`,
      code: "grid-operator",
      subject: source,
      untilMs,
      // Own production never makes the limit smaller, and the limit never less than nothing.
      limit: Math.max(0, watts),
      target: Math.max(0, watts),
      perAmp,
      surelyTaken: taken - totalOf(stoppingW),
      maybeTaken: taken + totalOf(startingW),
      measured: drawnW + taken,
      deadlines: OPERATOR_DEADLINES,
      isHard: true,
    }),
  );
}

/** Chargers that do not load all three phases may load one phase only so much more than the others. */
function unbalanceRows({ snapshot, chargers }: LimitInputs): readonly LimitRow[] {
  const { unbalanceVa, phases } = snapshot.site;
  const limitVa = finite(unbalanceVa);
  if (limitVa === null || phases === 1) return [];
  const isUneven = (charger: ChargerState) => charger.phases.length < 3;
  return PHASE_INDEXES.map((i): LimitRow => {
    const ignoring = chargers.filter((each) => each.ignoresLimit && isUneven(each) && each.phases.includes(i));
    const ignoringA = ignoring.reduce((sum, { drawA, maxA }) => sum + (drawA ?? maxA), 0);
    return {
      key: `unbalance ${PHASES[i]}`,
      code: "unbalance",
      subject: PHASES[i],
      untilMs: null,
      limit: limitVa / NOMINAL_V,
      target: limitVa / NOMINAL_V,
      perAmp: chargers.map((charger) => (isUneven(charger) ? usesPhase(i)(charger) : 0)),
      surelyTaken: ignoringA,
      maybeTaken: ignoringA,
      measured: chargers.reduce(
        (sum, charger) => sum + (isUneven(charger) ? drawnAt(charger, snapshot.nowMs).lowA[i] : 0),
        ignoringA,
      ),
      deadlines: FUSE_DEADLINES,
      isHard: true,
    };
  });
}
