/** Energy by the minute from readings of power, interpolated linearly. */
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { clip, MAX_GAP_MS, type Sampled, type Span } from "./statistics-reading.ts";

const SLOTS = HOUR_MS / MINUTE_MS;
const MWH_PER_WH = 1_000;

/** A device counts as consuming or producing above this power, W; standby and the noise of meters are below. */
export const FLOWS_ABOVE_W = 10;

/** Values for each minute of an hour; energies in mWh, not rounded. */
export interface FlowSlots {
  /** Time with a known power, ms. */
  readonly knownMs: readonly number[];
  readonly inMwh: readonly number[];
  readonly outMwh: readonly number[];
  /** Time and energy between two consecutive readings that both show power in. */
  readonly flowMs: readonly number[];
  readonly flowMwh: readonly number[];
  /** First and last instant of that time; `null` if there is none. */
  readonly edges: readonly (Span | null)[];
  /** Range of the power in, also of single readings; `null` if there is none. */
  readonly ranges: readonly ({ readonly minW: number; readonly maxW: number } | null)[];
}

interface Line {
  readonly fromMs: number;
  readonly toMs: number;
  readonly fromW: number;
  readonly toW: number;
}

type Draft = { -readonly [Field in keyof FlowSlots]: FlowSlots[Field][number][] };

/** Integrates power over an hour. Readings have to be ascending; a null between two of them is a gap. */
export function powerFlows(power: readonly Sampled[], hour: Span): FlowSlots {
  const zeros = (): number[] => new Array<number>(SLOTS).fill(0);
  const nulls = (): null[] => new Array<null>(SLOTS).fill(null);
  const draft: Draft = {
    knownMs: zeros(),
    inMwh: zeros(),
    outMwh: zeros(),
    flowMs: zeros(),
    flowMwh: zeros(),
    edges: nulls(),
    ranges: nulls(),
  };
  let last: Sampled | null = null;
  for (const reading of power) {
    addReading(draft, reading, hour);
    const line = last === null ? null : lineBetween(last, reading);
    const part = line === null ? null : cutLine(line, hour);
    if (part !== null) addLine(draft, part, hour.fromMs);
    last = reading;
  }
  return draft as FlowSlots;
}

function lineBetween(from: Sampled, to: Sampled): Line | null {
  const isNear = to.atMs > from.atMs && to.atMs - from.atMs <= MAX_GAP_MS;
  if (!isNear || from.value === null || to.value === null) return null;
  return { fromMs: from.atMs, toMs: to.atMs, fromW: from.value, toW: to.value };
}

function cutLine(line: Line, within: Span): Line | null {
  const span = clip(line, within);
  if (span === null) return null;
  return { ...span, fromW: powerAt(line, span.fromMs), toW: powerAt(line, span.toMs) };
}

function powerAt({ fromMs, toMs, fromW, toW }: Line, atMs: number): number {
  return fromW + ((toW - fromW) * (atMs - fromMs)) / (toMs - fromMs);
}

function addReading(draft: Draft, { atMs, value }: Sampled, hour: Span): void {
  if (value === null || value <= FLOWS_ABOVE_W || atMs < hour.fromMs || atMs >= hour.toMs) return;
  widen(draft, Math.floor((atMs - hour.fromMs) / MINUTE_MS), value, value);
}

function addLine(draft: Draft, line: Line, hourMs: number): void {
  const isFlow = Math.min(line.fromW, line.toW) > FLOWS_ABOVE_W;
  const first = Math.floor((line.fromMs - hourMs) / MINUTE_MS);
  const last = Math.ceil((line.toMs - hourMs) / MINUTE_MS);
  for (let slot = first; slot < last; slot++) {
    const fromMs = hourMs + slot * MINUTE_MS;
    const part = cutLine(line, { fromMs, toMs: fromMs + MINUTE_MS });
    if (part === null) continue;
    const durationMs = part.toMs - part.fromMs;
    add(draft.knownMs, slot, durationMs);
    add(draft.inMwh, slot, energyAbove(part, durationMs, 1));
    add(draft.outMwh, slot, energyAbove(part, durationMs, -1));
    if (!isFlow) continue;
    add(draft.flowMs, slot, durationMs);
    add(draft.flowMwh, slot, energyAbove(part, durationMs, 1));
    const edges = draft.edges[slot] ?? null;
    draft.edges[slot] = { fromMs: edges?.fromMs ?? part.fromMs, toMs: part.toMs };
    widen(draft, slot, Math.min(part.fromW, part.toW), Math.max(part.fromW, part.toW));
  }
}

/** Returns the energy of the part of a line with the sign, mWh; a line through 0 has a triangle on each side. */
function energyAbove({ fromW, toW }: Line, durationMs: number, sign: 1 | -1): number {
  const from = fromW * sign;
  const to = toW * sign;
  if (from <= 0 && to <= 0) return 0;
  const share = from >= 0 && to >= 0 ? 1 : Math.max(from, to) / (Math.abs(from) + Math.abs(to));
  const meanW = share === 1 ? (from + to) / 2 : Math.max(from, to) / 2;
  return (meanW * share * durationMs * MWH_PER_WH) / HOUR_MS;
}

function widen(draft: Draft, slot: number, minW: number, maxW: number): void {
  const range = draft.ranges[slot] ?? null;
  draft.ranges[slot] = {
    minW: Math.min(range?.minW ?? minW, minW),
    maxW: Math.max(range?.maxW ?? maxW, maxW),
  };
}

function add(slots: number[], slot: number, value: number): void {
  slots[slot] = (slots[slot] ?? 0) + value;
}
