/** Time series of mean powers with a fixed step. */

/** A series of mean powers. */
export interface PowerSeries {
  /** Start of the first step, wall-clock ms; a multiple of `stepMs` since 1970. */
  readonly startMs: number;
  readonly stepMs: number;
  /** Mean power of each step, W; `null` if not known. */
  readonly valuesW: readonly (number | null)[];
}

/** A mean power between two instants, wall-clock ms. */
export interface PowerSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly powerW: number;
}

/** Returns a series without steps. */
export function emptySeries(stepMs: number): PowerSeries {
  return { startMs: 0, stepMs, valuesW: [] };
}

/** Returns the end of the last step, wall-clock ms. */
export function endOf({ startMs, stepMs, valuesW }: PowerSeries): number {
  return startMs + valuesW.length * stepMs;
}

/** Returns the mean power of the step that begins at an instant, W; `null` if not known. */
export function valueAt({ startMs, stepMs, valuesW }: PowerSeries, atMs: number): number | null {
  return valuesW[(atMs - startMs) / stepMs] ?? null;
}

/** Returns the end of the last known step, wall-clock ms; `null` if there is none. */
export function knownUntil(series: PowerSeries): number | null {
  const last = series.valuesW.findLastIndex((value) => value !== null);
  return last < 0 ? null : series.startMs + (last + 1) * series.stepMs;
}

/** Converts spans that do not overlap to a series in whole watts. A step is known if spans cover all of it. */
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

/** Adds up several series. A step is known if it is known in each of them. */
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
 * Joins two series with the same step: the newer one from `fromMs` on, the older one before. Where the preferred one is not
 * known, the other one is used.
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

/** Returns the steps of a series that begin in [fromMs, toMs). */
export function cut(series: PowerSeries, fromMs: number, toMs: number): PowerSeries {
  const { startMs, stepMs } = series;
  const firstMs = Math.max(startMs, Math.ceil(fromMs / stepMs) * stepMs);
  const endMs = Math.min(endOf(series), Math.ceil(toMs / stepMs) * stepMs);
  if (firstMs >= endMs) return emptySeries(stepMs);
  return made(stepMs, firstMs, endMs, (atMs) => valueAt(series, atMs));
}

/** Converts a series to longer steps, which have to be multiples of its step. A step is known if all of it is known. */
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
