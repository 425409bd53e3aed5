import { Temporal } from "temporal-polyfill";

/** A stretch of time in which a time zone keeps its offset from UTC. */
export interface EvenStretch {
  /** Milliseconds since 1970, inclusive. */
  readonly fromMs: number;
  /** Milliseconds since 1970, exclusive. */
  readonly toMs: number;
  /** How far the wall clock is ahead of UTC, ms; negative west of Greenwich. */
  readonly offsetMs: number;
}

const NS_PER_MS = 1_000_000;

/** Splits [fromMs, toMs) where an IANA time zone changes its offset. Throws a RangeError if the zone is unknown. */
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

/** Returns how far the zone's wall clock is ahead of UTC at an instant, ms. Throws a RangeError if the zone is unknown. */
export function offsetAt(zone: string, atMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).offsetNanoseconds / NS_PER_MS;
}
