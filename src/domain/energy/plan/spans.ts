/** Values of stretches of time, as means of other stretches. */

/** A value that holds for a stretch of time, wall-clock ms. */
export interface ValuedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
}

/** Returns a reader of means, for stretches that are asked for in order; `null` where a part of one is not known. */
export function meanReader(spans: readonly ValuedSpan[]): (fromMs: number, toMs: number) => number | null {
  let first = 0;
  return (fromMs, toMs) => {
    while (first < spans.length && (spans[first]?.toMs ?? 0) <= fromMs) first++;
    let knownMs = 0;
    let sum = 0;
    for (let index = first; index < spans.length; index++) {
      const span = spans[index];
      if (span === undefined || span.fromMs >= toMs) break;
      const partMs = Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs);
      knownMs += partMs;
      sum += span.value * partMs;
    }
    return knownMs === toMs - fromMs && knownMs > 0 ? sum / knownMs : null;
  };
}
