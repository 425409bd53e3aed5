/** Mean powers on an even grid of UTC, where a value that is not known is null. */

export interface PowerSeries {
  /** Start of the first step, wall-clock ms; a whole multiple of the step since 1970. */
  readonly startMs: number;
  readonly stepMs: number;
  /** W, a value a step. */
  readonly valuesW: readonly (number | null)[];
}

/** A mean power from one instant to another. */
export interface PowerSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly powerW: number;
}

export function emptySeries(stepMs: number): PowerSeries {
  return { startMs: 0, stepMs, valuesW: [] };
}

export function endOf({ startMs, stepMs, valuesW }: PowerSeries): number {
  return startMs + valuesW.length * stepMs;
}

/** The mean of the step that begins at an instant; null when it is not known. */
export function valueAt({ startMs, stepMs, valuesW }: PowerSeries, atMs: number): number | null {
  return valuesW[(atMs - startMs) / stepMs] ?? null;
}

/** The end of the last step that is known, wall-clock ms; null when none is. */
export function knownUntil(series: PowerSeries): number | null {
  const last = series.valuesW.findLastIndex((value) => value !== null);
  return last < 0 ? null : series.startMs + (last + 1) * series.stepMs;
}

/** Spans without overlaps as a series. A step is known when spans cover all of it. Whole watts. */
export function seriesOf(spans: readonly PowerSpan[], stepMs: number): PowerSeries {
  if (spans.length === 0) return emptySeries(stepMs);
  const first = Math.floor(Math.min(...spans.map(({ fromMs }) => fromMs)) / stepMs);
  const end = Math.ceil(Math.max(...spans.map(({ toMs }) => toMs)) / stepMs);
  const steps = Array.from({ length: end - first }, () => ({ coveredMs: 0, wattMs: 0 }));
  for (const { fromMs, toMs, powerW } of spans) {
    for (let index = Math.floor(fromMs / stepMs); index * stepMs < toMs; index += 1) {
      const step = steps[index - first];
      const overlapMs = Math.min(toMs, (index + 1) * stepMs) - Math.max(fromMs, index * stepMs);
      if (step === undefined || overlapMs <= 0) continue;
      step.coveredMs += overlapMs;
      step.wattMs += powerW * overlapMs;
    }
  }
  const valuesW = steps.map(({ coveredMs, wattMs }) => (coveredMs < stepMs ? null : Math.round(wattMs / coveredMs)));
  return { startMs: first * stepMs, stepMs, valuesW };
}

/** What several give together; a step is known when it is known of each. */
export function sumOf(series: readonly PowerSeries[], stepMs: number): PowerSeries {
  const startMs = Math.max(...series.map((each) => each.startMs));
  const endMs = Math.min(...series.map(endOf));
  if (series.length === 0 || startMs >= endMs) return emptySeries(stepMs);
  return made(stepMs, startMs, endMs, (atMs) => {
    const values = series.map((each) => valueAt(each, atMs));
    return values.every((value) => value !== null) ? values.reduce((sum, value) => sum + value, 0) : null;
  });
}

/**
 * Two series of one step: from an instant on the newer one, before it the older, and the other of the two where the one
 * does not know. So nothing that was known is lost.
 */
export function spliced(older: PowerSeries, newer: PowerSeries, fromMs: number): PowerSeries {
  if (older.valuesW.length === 0) return newer;
  if (newer.valuesW.length === 0) return older;
  const startMs = Math.min(older.startMs, newer.startMs);
  const endMs = Math.max(endOf(older), endOf(newer));
  return made(older.stepMs, startMs, endMs, (atMs) => {
    const [first, second] = atMs < fromMs ? [older, newer] : [newer, older];
    return valueAt(first, atMs) ?? valueAt(second, atMs);
  });
}

/** The part of a series that begins in [fromMs, toMs). */
export function cut(series: PowerSeries, fromMs: number, toMs: number): PowerSeries {
  const { startMs, stepMs } = series;
  const firstMs = Math.max(startMs, Math.ceil(fromMs / stepMs) * stepMs);
  const endMs = Math.min(endOf(series), Math.ceil(toMs / stepMs) * stepMs);
  if (firstMs >= endMs) return emptySeries(stepMs);
  return made(stepMs, firstMs, endMs, (atMs) => valueAt(series, atMs));
}

/** Means of longer steps, which are multiples of the shorter; one is known when all of it is. */
export function coarser(series: PowerSeries, stepMs: number): PowerSeries {
  const spans = series.valuesW.flatMap((powerW, index): PowerSpan[] => {
    const fromMs = series.startMs + index * series.stepMs;
    return powerW === null ? [] : [{ fromMs, toMs: fromMs + series.stepMs, powerW }];
  });
  return seriesOf(spans, stepMs);
}

function made(stepMs: number, startMs: number, endMs: number, value: (atMs: number) => number | null): PowerSeries {
  const valuesW = Array.from({ length: (endMs - startMs) / stepMs }, (_, index) => value(startMs + index * stepMs));
  return { startMs, stepMs, valuesW };
}
