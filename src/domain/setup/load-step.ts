/**
 * Judges a load that somebody switches on, such as a kettle, by what the grid meter shows. The checks by physics cannot
 * use such a step, because no other device measures it; here a person says that it is a load, so the meter has to rise.
 */
import type { PointName } from "../../points/points.ts";
import type { Finding, Fix } from "../checks/finding.ts";
import { netOf, resample, type Source } from "../checks/house-history.ts";
import { measured, watts } from "../checks/measured-text.ts";

/** A smaller change may be anything, W. */
const LEAST_STEP_W = 1_000;
/** The readings before the start that say what the house drew without the load, ms. */
const BASELINE_MS = 30_000;
/** A step is believed when it lasts for so long, ms, */
const STEADY_MS = 4_000;
/** and varies by less than this fraction. */
const STEADY_PART = 0.3;
/** The meter shows the load if it changes by this fraction of it; below, a battery carries the load. */
const SHOWN_PART = 0.6;
/** A phase takes part in the step from this fraction of its largest change on. */
const MOVED_PART = 0.5;
/** A heater draws no reactive power, so less power than volts times amperes by this factor is a clamp on a wrong phase. */
const LEAST_POWER_FACTOR = 0.75;
/** Devices that said nothing for so long are left out, ms. */
const TELLS_MS = 15_000;

const LINES = [1, 2, 3] as const;
export type Line = (typeof LINES)[number];

/** The grid meter during the check. Powers in W, positive on import. */
export type LoadStep =
  /** The meter has not been read before the start. */
  | { readonly kind: "no-baseline" }
  /** No step yet. `changeW`: by how much the meter differs from before. */
  | { readonly kind: "waiting"; readonly changeW: number }
  /** A step whose verdict is known. */
  | {
      readonly kind: "right" | "turned" | "other-phase" | "misplaced" | "carried";
      /** Power of the load, W, positive. */
      readonly loadW: number;
      /** How much the meter changed, W. */
      readonly meterW: number;
      /** The phases that changed; empty if the meter does not report them. */
      readonly lines: readonly Line[];
    };

export interface LoadStepInput {
  readonly meter: Source;
  /** The inverters, batteries and chargers of the house. */
  readonly others: readonly Source[];
  /** When the person was asked to switch the load on, monotonic ms. */
  readonly startMs: number;
  readonly nowMs: number;
  /** The phase of the socket, if the person knows it. */
  readonly line: Line | null;
}

/** Looks for a step since the start, and judges it. */
export function loadStep({ meter, others, startMs, nowMs, line }: LoadStepInput): LoadStep {
  const readings = meter.series("meter.power");
  const before = readings.filter(({ atMs }) => atMs > startMs - BASELINE_MS && atMs <= startMs).map(({ atMs }) => atMs);
  const after = readings.filter(({ atMs }) => atMs > startMs && atMs <= nowMs).map(({ atMs }) => atMs);
  if (before.length === 0) return { kind: "no-baseline" };
  const telling = others.filter(({ samples }) => nowMs - (samples.at(-1)?.atMs ?? -Infinity) <= TELLS_MS);
  const grid = rise(resample(meter, "meter.power", before), resample(meter, "meter.power", after));
  const net = telling.length === 0 ? grid.map(() => 0) : rise(netOf(telling, before), netOf(telling, after));
  const step = steadyStep(after, grid, net);
  if (step === null) return { kind: "waiting", changeW: Math.round(grid.at(-1) ?? 0) };
  const phases = LINES.map((each) => {
    const point: PointName = `meter.power.l${each}`;
    return meanOf(rise(resample(meter, point, before), resample(meter, point, after)).slice(step.from));
  });
  const lines = movedLines(phases);
  const common = { loadW: Math.round(Math.abs(step.loadW)), meterW: Math.round(step.meterW), lines };
  if (Math.abs(step.meterW) < SHOWN_PART * Math.abs(step.loadW)) return { kind: "carried", ...common };
  const isMisplaced = lines.some((each) => isOnOtherPhase(meter, each, { before, after: after.slice(step.from) }));
  if (isMisplaced) return { kind: "misplaced", ...common };
  if (step.meterW < 0) return { kind: "turned", ...common };
  const isElsewhere = line !== null && lines.length > 0 && !lines.includes(line);
  return { kind: isElsewhere ? "other-phase" : "right", ...common };
}

/** How much later values are above the median of the earlier ones; `null` where one is not known. */
function rise(before: readonly (number | null)[], after: readonly (number | null)[]): readonly (number | null)[] {
  const known = before.filter((value): value is number => value !== null).toSorted((a, b) => a - b);
  const middle = known[Math.floor(known.length / 2)];
  return after.map((value) => (value === null || middle === undefined ? null : value - middle));
}

/** The last readings that all show about the same step of the household; `null` if there is none yet. */
function steadyStep(
  atMs: readonly number[],
  grid: readonly (number | null)[],
  net: readonly (number | null)[],
): { readonly from: number; readonly loadW: number; readonly meterW: number } | null {
  const loads = grid.map((value, index) => sumOrNull(value, net[index] ?? null));
  const last = loads.at(-1) ?? null;
  if (last === null || Math.abs(last) < LEAST_STEP_W) return null;
  const isAlike = (load: number | null): boolean =>
    load !== null && Math.abs(load - last) <= STEADY_PART * Math.abs(last);
  const from = 1 + loads.findLastIndex((load) => !isAlike(load));
  const lastedMs = (atMs.at(-1) ?? 0) - (atMs[from] ?? 0);
  const loadW = meanOf(loads.slice(from));
  const meterW = meanOf(grid.slice(from));
  return lastedMs < STEADY_MS || loadW === null || meterW === null ? null : { from, loadW, meterW };
}

function sumOrNull(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function movedLines(phases: readonly (number | null)[]): readonly Line[] {
  const largest = Math.max(0, ...phases.map((change) => Math.abs(change ?? 0)));
  if (largest < LEAST_STEP_W / LINES.length) return [];
  return LINES.filter((_, at) => Math.abs(phases[at] ?? 0) >= MOVED_PART * largest);
}

/** True if the current of a phase changed by clearly more than its power: the clamp is on another phase than its voltage. */
function isOnOtherPhase(
  meter: Source,
  line: Line,
  { before, after }: { readonly before: readonly number[]; readonly after: readonly number[] },
): boolean {
  const changeOf = (point: PointName): number | null =>
    meanOf(rise(resample(meter, point, before), resample(meter, point, after)));
  const meanBefore = meanOf(resample(meter, `meter.current.l${line}`, before));
  const meanAfter = meanOf(resample(meter, `meter.current.l${line}`, after));
  const volts = meanOf(resample(meter, `meter.voltage.l${line}`, after));
  const [powerW, amps] = [changeOf(`meter.power.l${line}`), changeOf(`meter.current.l${line}`)];
  if (meanBefore === null || meanAfter === null || volts === null || powerW === null || amps === null) return false;
  // A current that changed its direction may have no sign, so it says nothing.
  if (meanBefore * meanAfter < 0) return false;
  const apparentW = volts * Math.abs(amps);
  return apparentW >= LEAST_STEP_W && Math.abs(powerW) < LEAST_POWER_FACTOR * apparentW;
}

/** Returns what a step contradicts, with the fix; `null` if the meter is right or the step says nothing. */
export function loadStepFinding(deviceId: string, step: LoadStep, line: Line | null): Finding | null {
  const about = { deviceId, assetKind: "meter", against: null } as const;
  switch (step.kind) {
    case "turned": {
      const values = { load: watts(step.loadW), lines: namesOf(step.lines), fell: watts(Math.abs(step.meterW)) };
      const what = measured(step.lines.length === 0 ? "loadTurnedMeter" : "loadTurned", values);
      return { ...about, check: "sign", ...what, fix: turnedFix(deviceId, step.lines) };
    }
    case "other-phase": {
      const values = { load: watts(step.loadW), line: `L${line}`, lines: namesOf(step.lines) };
      return { ...about, check: "phase", ...measured("loadOtherPhase", values), fix: null };
    }
    case "misplaced": {
      const values = { load: watts(step.loadW), lines: namesOf(step.lines) };
      return { ...about, check: "phase", ...measured("loadMisplaced", values), fix: null };
    }
    case "right":
    case "carried":
    case "waiting":
    case "no-baseline":
      return null;
    default:
      return step satisfies never;
  }
}

/** The same points as the checks by physics name, so that the same fix is offered once. */
function turnedFix(deviceId: string, lines: readonly Line[]): Fix {
  const phases = lines.map((line): PointName => `meter.power.l${line}`);
  if (phases.length === 0) return { kind: "invert", deviceId, points: ["meter.power"] };
  if (phases.length < LINES.length) return { kind: "invert", deviceId, points: phases };
  return { kind: "invert", deviceId, points: ["meter.power", ...phases] };
}

function namesOf(lines: readonly Line[]): readonly string[] {
  return lines.map((line) => `L${line}`);
}
