/** The grid meter as the control cycle sees it: valid values, signs, age, and the value at an earlier moment. */

import type { PerPhase } from "../site/site-connection.ts";
import { type CycleMemory, EMPTY_MEMORY, type GridMemory, type GridSample } from "./cycle-memory.ts";
import {
  DEVICE_SILENCE_MS,
  LAST_SEEN_MS,
  LEAST_SILENCE_MS,
  METER_INTERVAL_MS,
  NOMINAL_V,
  SILENT_INTERVALS,
  SLOWEST_METER_MS,
} from "./cycle-timing.ts";
import type { Reason } from "./energy-decision.ts";
import type { BatteryView, EnergySnapshot, MeterView } from "./energy-snapshot.ts";
import { nextQuarter } from "./peak-window.ts";

const HISTORY_MS = 60_000;
const HISTORY_LENGTH = 64;
/** Older readings are kept so far apart, for devices that are read seldom. */
const SPARSE_MS = 10_000;
/** Currents that are this much above the power's are not all of one sign. */
const SIGN_TOLERANCE = 1.25;
const SIGN_TOLERANCE_A = 1;

export const PHASE_INDEXES = [0, 1, 2] as const;
export type PhaseIndex = (typeof PHASE_INDEXES)[number];

export interface GridReading {
  readonly newest: GridSample | null;
  /** No valid reading for so long that nothing may be decided from it. */
  readonly isSilent: boolean;
  /** It counts as silent because it is wired the wrong way round. */
  readonly isReversed: boolean;
  readonly ageMs: number;
  /** `lost`: they were there, and nothing may rise without them. `none`: the meter does not measure them. */
  readonly currents: "measured" | "lost" | "none";
}

const REVERSED: GridReading = {
  newest: null,
  isSilent: true,
  isReversed: true,
  ageMs: Number.POSITIVE_INFINITY,
  currents: "none",
};

export function perPhase<T>(value: (index: PhaseIndex) => T): PerPhase<T> {
  return [value(0), value(1), value(2)];
}

export function sumOfPhases(amps: PerPhase<number>): number {
  return amps[0] + amps[1] + amps[2];
}

/** `null` instead of a value that is no number. */
export function finite(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) ? value : null;
}

/** The power of a device, W; `null` if its last reading is too old to count on. */
export function recentPower(
  { powerW, measuredAtMs }: { readonly powerW: number | null; readonly measuredAtMs: number | null },
  nowMs: number,
): number | null {
  return measuredAtMs !== null && nowMs - measuredAtMs <= DEVICE_SILENCE_MS ? finite(powerW) : null;
}

/**
 * What a battery takes, as the surplus counts it, W; `null`: not known. It may have stopped charging since an old reading, but
 * what it gave then is no surplus.
 */
export function batteryPower(battery: BatteryView, nowMs: number): number | null {
  const watts = finite(battery.powerW);
  const isOld = battery.measuredAtMs === null || nowMs - battery.measuredAtMs > LAST_SEEN_MS;
  return watts === null || !isOld ? watts : Math.min(0, watts);
}

/** True if the grid meter is read too seldom, as over a maker's cloud, for what the house asks of it. */
function isTooSlow({ meterIntervalMs = METER_INTERVAL_MS, site, limits }: EnergySnapshot): boolean {
  const { fuseA, importKw, peakKw, circuits } = site;
  const isLimited = fuseA !== null || importKw !== null || peakKw !== null || circuits.length > 0;
  const isGuarded = isLimited || limits.some(({ direction }) => direction === "import");
  const slowestMs = isGuarded ? SLOWEST_METER_MS.limits : SLOWEST_METER_MS.all;
  return meterIntervalMs > (1 + SAME_INTERVAL / 2) * slowestMs;
}

/** The silence after which a meter with the snapshot's interval counts as gone, ms. */
export function silenceMs({ meterIntervalMs = METER_INTERVAL_MS }: EnergySnapshot): number {
  return Math.max(LEAST_SILENCE_MS, SILENT_INTERVALS * Math.min(meterIntervalMs, SLOWEST_METER_MS.all));
}

/** Why devices have their safe values. */
export function silentReason({ isReversed }: GridReading): Reason {
  return { code: isReversed ? "meter-reversed" : "meter-silent", subject: null, untilMs: null };
}

/** The currents with the sign of the power, where the meter reports amounts only. `null`: not known. */
export function signedCurrents({ powerW, currentA }: MeterView): PerPhase<number | null> {
  const amps: PerPhase<number | null> = [finite(currentA[0]), finite(currentA[1]), finite(currentA[2])];
  const watts = finite(powerW);
  if (watts === null || watts >= 0 || amps.some((value) => value !== null && value < 0)) return amps;
  const sum = amps.reduce<number>((total, value) => total + (value ?? 0), 0);
  // Which phases import and which export is not known then: they stay positive, which is the safe side.
  if (sum > (SIGN_TOLERANCE * -watts) / NOMINAL_V + SIGN_TOLERANCE_A) return amps;
  return [negative(amps[0]), negative(amps[1]), negative(amps[2])];
}

function negative(value: number | null): number | null {
  return value === null ? null : -value;
}

/** So many readings are remembered to tell how often a meter sends by itself, and so many are needed. */
const READINGS = 6;
const LEAST_READINGS = 4;
/** Intervals that differ by no more than this share are the same: no meter is slow now and fast a moment later. */
const SAME_INTERVAL = 0.25;

/** The snapshot with the interval of a meter that sends by itself, once its readings have shown it. */
export function withMeterInterval(snapshot: EnergySnapshot, { intervalMs }: GridMemory): EnergySnapshot {
  if (snapshot.meterIntervalMs !== undefined || intervalMs === null) return snapshot;
  return { ...snapshot, meterIntervalMs: intervalMs };
}

/** The interval in the middle of its last ones; the one before, if it is about the same. `null`: not known yet. */
function nextInterval(readAtMs: readonly number[], before: number | null): number | null {
  if (readAtMs.length < LEAST_READINGS) return before;
  const gapsMs = readAtMs.slice(1).map((atMs, i) => atMs - (readAtMs[i] ?? atMs));
  const middleMs = gapsMs.toSorted((a, b) => a - b)[Math.floor(gapsMs.length / 2)] ?? null;
  const isSame = before !== null && middleMs !== null && Math.abs(middleMs - before) <= SAME_INTERVAL * before;
  return isSame ? before : middleMs;
}

/** Takes the snapshot's reading into the history, and says what can be decided from it. */
export function readGrid(snapshot: EnergySnapshot, memory: CycleMemory): { grid: GridReading; memory: GridMemory } {
  const { grid: view, nowMs } = snapshot;
  // What was learned from it is as wrong as what it says.
  if (view.isReversed === true) return { grid: REVERSED, memory: EMPTY_MEMORY.grid };
  const watts = finite(view.powerW);
  const lastMs = memory.grid.readAtMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  const isNew = watts !== null && view.measuredAtMs !== null && view.measuredAtMs > lastMs;
  const kept = keptSamples(memory.grid.samples, nowMs);
  const batteriesW = new Map(snapshot.batteries.map((battery) => [battery.id, batteryPower(battery, nowMs)]));
  const invertersW = new Map(snapshot.inverters.map((each) => [each.id, recentPower(each, nowMs)]));
  const samples: readonly GridSample[] = isNew
    ? [...kept, { atMs: view.measuredAtMs, powerW: watts, currentA: signedCurrents(view), batteriesW, invertersW }]
    : kept;
  const newest = samples.at(-1) ?? null;
  const readAtMs = isNew ? [...memory.grid.readAtMs, view.measuredAtMs].slice(-READINGS) : memory.grid.readAtMs;
  const phases = snapshot.site.phases;
  const isMeasured = newest !== null && PHASE_INDEXES.every((i) => i >= phases || newest.currentA[i] !== null);
  const hasCurrents = memory.grid.hasCurrents || isMeasured;
  const ageMs = newest === null ? Number.POSITIVE_INFINITY : nowMs - newest.atMs;
  return {
    grid: {
      newest,
      isSilent: ageMs >= silenceMs(snapshot) || isTooSlow(snapshot),
      isReversed: false,
      ageMs,
      currents: isMeasured ? "measured" : hasCurrents ? "lost" : "none",
    },
    memory: {
      ...memory.grid,
      samples,
      readAtMs,
      intervalMs: nextInterval(readAtMs, memory.grid.intervalMs),
      hasCurrents,
      quarter: nextQuarter(snapshot, memory.grid.quarter, newest),
    },
  };
}

function keptSamples(samples: readonly GridSample[], nowMs: number): readonly GridSample[] {
  const recent = samples.filter(({ atMs }) => nowMs - atMs <= HISTORY_MS).slice(-HISTORY_LENGTH);
  const older: GridSample[] = [];
  for (const sample of samples.slice(0, samples.length - recent.length)) {
    if (nowMs - sample.atMs > LAST_SEEN_MS) continue;
    if (sample.atMs - (older.at(-1)?.atMs ?? -Infinity) >= SPARSE_MS) older.push(sample);
  }
  return [...older, ...recent];
}

/** The reading nearest to a moment; `null`: nothing is known about it. */
export function sampleAt(samples: readonly GridSample[], atMs: number): GridSample | null {
  let nearest: GridSample | null = null;
  for (const sample of samples) {
    if (nearest === null || Math.abs(sample.atMs - atMs) <= Math.abs(nearest.atMs - atMs)) nearest = sample;
  }
  return nearest;
}
