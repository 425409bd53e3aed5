import { Temporal } from "temporal-polyfill";

/** A stretch of time in which a zone's wall clock runs evenly. */
export interface EvenStretch {
  /** Ms since 1970; inclusive. */
  readonly fromMs: number;
  /** Ms since 1970; exclusive. */
  readonly toMs: number;
  /** What the wall clock is ahead of UTC, ms; negative west of Greenwich. */
  readonly offsetMs: number;
}

const NS_PER_MS = 1_000_000;

/** The even stretches of an IANA zone that make up [fromMs, toMs), ascending. Throws a RangeError for no zone. */
export function evenStretches(zone: string, fromMs: number, toMs: number): readonly EvenStretch[] {
  const stretches: EvenStretch[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(zone);
  for (let startMs = fromMs; startMs < toMs; ) {
    const next = at.getTimeZoneTransition("next");
    const endMs = Math.min(next?.epochMilliseconds ?? toMs, toMs);
    stretches.push({ fromMs: startMs, toMs: endMs, offsetMs: at.offsetNanoseconds / NS_PER_MS });
    if (next === null) break;
    at = next;
    startMs = endMs;
  }
  return stretches;
}

/** What the zone's wall clock is ahead of UTC at an instant, ms. Throws a RangeError for no zone. */
export function offsetAt(zone: string, atMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).offsetNanoseconds / NS_PER_MS;
}
