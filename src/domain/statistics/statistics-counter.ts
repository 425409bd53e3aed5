/** Energy from the counters of a device. */
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { clip, MAX_COUNTER_GAP_MS, MAX_GAP_MS, type Sampled, type Span } from "./statistics-reading.ts";

const SLOTS = HOUR_MS / MINUTE_MS;
const MWH_PER_WH = 1_000;

/**
 * The fastest growth of a counter in a house: three phases of 145 A, and one step of the coarsest counter. A larger jump
 * comes from a replaced device or a sentinel value.
 */
const MAX_POWER_W = 100_000;
const MAX_STEP_WH = 1_000;
/** A counter that falls to more than this share of its value is no new one: gateways and clouds show older values again. */
const DIP_SHARE = 0.9;

/** The energy between two readings of a counter, milliwatt hours. */
export interface CounterSpan extends Span {
  readonly mwh: number;
}

/**
 * Returns the energies between the readings of a counter. There is none where the counter went back (a reset) or jumped,
 * where it reads 0 or less ("not accumulated"), or between readings more than a day apart. A reading a little below the
 * one before is left out, so that what was counted already is not counted again.
 */
export function counterSpans(readings: readonly Sampled[]): CounterSpan[] {
  const spans: CounterSpan[] = [];
  let last: { readonly atMs: number; readonly value: number } | null = null;
  for (const { atMs, value } of readings) {
    if (value === null || value <= 0) continue;
    if (last !== null && value < last.value && value > last.value * DIP_SHARE) continue;
    if (last !== null && atMs > last.atMs) {
      const durationMs = atMs - last.atMs;
      const wh = value - last.value;
      const isPlausible = wh >= 0 && wh <= (MAX_POWER_W * durationMs) / HOUR_MS + MAX_STEP_WH;
      if (isPlausible && durationMs <= MAX_COUNTER_GAP_MS) {
        spans.push({ fromMs: last.atMs, toMs: atMs, mwh: wh * MWH_PER_WH });
      }
    }
    last = { atMs, value };
  }
  return spans;
}

/** Energy by the minute, and how much of each minute the counter covers. */
export interface Spread {
  readonly mwh: readonly number[];
  readonly coveredMs: readonly number[];
}

/**
 * Returns the energy of an hour by the minute: from the counter where it covers the time, else from the power. A counter
 * that counts whole Wh or kWh steps late, so each step is distributed over the time since the last one in proportion to the
 * power.
 */
export function spreadCounter(spans: readonly CounterSpan[], powerMwh: readonly number[], hour: Span): Spread {
  const mwh = new Array<number>(SLOTS).fill(0);
  const coveredMs = new Array<number>(SLOTS).fill(0);
  let windowFromMs: number | null = null;
  let windowToMs = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const part = clip(span, hour);
    if (part === null) continue;
    overlaps(part, hour.fromMs, (slot, ms) => add(coveredMs, slot, ms));
    // A window ends where the counter does not cover the time.
    if (windowFromMs === null || windowToMs !== part.fromMs) windowFromMs = part.fromMs;
    windowToMs = part.toMs;
    if (span.mwh === 0) continue;
    const share = (part.toMs - part.fromMs) / (span.toMs - span.fromMs);
    layOut(mwh, span.mwh * share, { fromMs: windowFromMs, toMs: part.toMs }, { powerMwh, last: part, hour });
    windowFromMs = part.toMs;
  }
  for (let slot = 0; slot < SLOTS; slot++) {
    const rest = 1 - Math.min(1, (coveredMs[slot] ?? 0) / MINUTE_MS);
    add(mwh, slot, (powerMwh[slot] ?? 0) * rest);
  }
  return { mwh, coveredMs };
}

interface Shape {
  readonly powerMwh: readonly number[];
  /** The part of the window in which the counter stepped. */
  readonly last: Span;
  readonly hour: Span;
}

function layOut(mwh: number[], amount: number, window: Span, { powerMwh, last, hour }: Shape): void {
  let total = 0;
  overlaps(window, hour.fromMs, (slot, ms) => {
    total += (powerMwh[slot] ?? 0) * ms;
  });
  // Without power, or with a gap in it, the step is distributed evenly over its own span.
  const isShaped = total > 0 && last.toMs - last.fromMs <= MAX_GAP_MS;
  const place = isShaped ? window : last;
  const whole = isShaped ? total : last.toMs - last.fromMs;
  overlaps(place, hour.fromMs, (slot, ms) => {
    add(mwh, slot, (amount * (isShaped ? (powerMwh[slot] ?? 0) * ms : ms)) / whole);
  });
}

/** Calls `visit` for each minute of the hour that overlaps a span, with the length of the overlap. */
function overlaps(span: Span, hourMs: number, visit: (slot: number, ms: number) => void): void {
  const first = Math.floor((span.fromMs - hourMs) / MINUTE_MS);
  const last = Math.ceil((span.toMs - hourMs) / MINUTE_MS);
  for (let slot = first; slot < last; slot++) {
    const fromMs = hourMs + slot * MINUTE_MS;
    const part = clip(span, { fromMs, toMs: fromMs + MINUTE_MS });
    if (part !== null) visit(slot, part.toMs - part.fromMs);
  }
}

function add(slots: number[], slot: number, value: number): void {
  slots[slot] = (slots[slot] ?? 0) + value;
}
