/** A limit as the allocation sees it: how much is left below it for the chargers, at least and at most. */
import type { ChargerState } from "./charger-state.ts";
import type { OverSince } from "./cycle-memory.ts";
import { DEADLINE_MARGIN_MS, FUSE_DEADLINES } from "./cycle-timing.ts";
import type { ReasonCode } from "./energy-decision.ts";

/** A or W, as the limit has it. */
export interface LimitRow {
  /** Names the row from cycle to cycle. */
  readonly key: string;
  readonly code: ReasonCode;
  readonly subject: string | null;
  readonly untilMs: number | null;
  readonly limit: number;
  /** What is aimed at, a little below the limit. */
  readonly target: number;
  /** What each A of a charger takes from it, in the order of the chargers; 0: the charger does not use it. */
  readonly perAmp: readonly number[];
  /** What others certainly take, and what they take at most. `Infinity`: not known, so nothing may rise. */
  readonly surelyTaken: number;
  readonly maybeTaken: number;
  /** What flows now, at most where a meter shows no currents; `null`: not measured. */
  readonly measured: number | null;
  /** What flows for certain, where a meter shows no currents: no car stops for what only may flow. */
  readonly leastMeasured?: number;
  /** How long the limit may be exceeded, the highest ratio first. */
  readonly deadlines: readonly { readonly ratio: number; readonly ms: number }[];
  /** Minimum times yield to it. */
  readonly isHard: boolean;
}

/** Since when each row is exceeded, by its steps. */
export function overSince(
  rows: readonly LimitRow[],
  before: ReadonlyMap<string, OverSince>,
  nowMs: number,
): ReadonlyMap<string, OverSince> {
  const next = new Map<string, OverSince>();
  for (const { key, limit, measured, leastMeasured } of rows) {
    const flows = leastMeasured ?? measured;
    if (flows === null) {
      // Between two readings nothing is known: what was exceeded stays so.
      const old = before.get(key);
      if (old !== undefined) next.set(key, old);
      continue;
    }
    const since = (step: 0 | 1 | 2) =>
      flows > limit * FUSE_DEADLINES[step].ratio ? (before.get(key)?.[step] ?? nowMs) : null;
    const steps: OverSince = [since(0), since(1), since(2)];
    if (steps[2] !== null) next.set(key, steps);
  }
  return next;
}

/**
 * The chargers whose lower command is under way and shows too late: only after the moment at which another charger would
 * have to be lowered to meet the deadline of a row that is exceeded. A command may be lost, so what they draw counts.
 */
export function lateReductions(
  rows: readonly LimitRow[],
  chargers: readonly ChargerState[],
  since: ReadonlyMap<string, OverSince>,
): ReadonlySet<ChargerState> {
  const isLate = ({ memory, view, fallingA }: ChargerState, i: number): boolean => {
    const { command } = memory;
    if (command === null || fallingA.every((amps) => amps <= 0)) return false;
    const showsAtMs = command.atMs + view.latencyMs;
    return rows.some((row) => {
      if (!row.isHard || (row.perAmp[i] ?? 0) <= 0) return false;
      const others = chargers.filter((other, j) => j !== i && (row.perAmp[j] ?? 0) > 0 && other.offerA > 0);
      if (others.length === 0) return false;
      const fastestMs = Math.min(...others.map((other) => other.view.latencyMs));
      return deadlinesOf(row, since).some((atMs) => showsAtMs > atMs - fastestMs);
    });
  };
  return new Set(chargers.filter(isLate));
}

/** The moments until which a row that is exceeded has to be met. */
function deadlinesOf(row: LimitRow, since: ReadonlyMap<string, OverSince>): readonly number[] {
  const steps = since.get(row.key);
  return row.deadlines.flatMap(({ ratio, ms }) => {
    const index = FUSE_DEADLINES.findIndex((step) => step.ratio === ratio);
    const sinceMs = steps?.[index] ?? null;
    return sinceMs === null ? [] : [sinceMs + ms];
  });
}

/** True if a charger has to stop now, because it takes its time to do so and the deadline is near. */
export function mustStop(
  row: LimitRow,
  charger: ChargerState,
  since: ReadonlyMap<string, OverSince>,
  nowMs: number,
): boolean {
  if (!row.isHard) return false;
  const neededMs = charger.view.latencyMs + 2 * DEADLINE_MARGIN_MS;
  return deadlinesOf(row, since).some((atMs) => atMs - nowMs <= neededMs);
}
