/** What is remembered of a value that the energy manager regulates. */
import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import type { Firmness, judgeRegulation } from "../../domain/actions/regulation.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { PointValue } from "../../points/points.ts";
import type { LeaseRecord } from "../../store/records.ts";

/** A point that somebody else holds is left alone for this long, ms. */
export const LEFT_ALONE_MS = 10 * MINUTE_MS;

export interface Regulation {
  /** Says what is given back. */
  record: LeaseRecord;
  /** True once the record is on disk. */
  isStored: boolean;
  isStoring: boolean;
  /** True before its first write: what the device is read to have is the value to give back. */
  isUntouched: boolean;
  /** `left-over`: from before a crash. `returning`: the value before is being given back. */
  phase: "held" | "left-over" | "returning";
  firmness: Firmness;
  /** The value to write; of a point that is given back, that value. */
  target: PointValue | null;
  sent: PointValue | null;
  /** Monotonic ms. */
  writtenAtMs: number | null;
  notBeforeMs: number;
  hasMatched: boolean;
  /** The last value of the energy manager's that a reading showed; before the first, the one it begins with. */
  followed: PointValue;
  /** No reading has shown the last write yet. */
  isAwaited: boolean;
  mismatches: number;
  blindReadings: number;
  /** Monotonic ms of the writes that somebody else's value caused. */
  rewritesAtMs: readonly number[];
  /** How often it was written again since a reading last showed a value that was written. */
  lateRewrites: number;
  isNewConnection: boolean;
  /** A reading differs, and the value is to be written again. */
  isRewriteDue: boolean;
  /** Monotonic ms at which a left-over value is given back; infinite before the first reading. */
  giveBackAtMs: number;
}

export function newRegulation(record: LeaseRecord): Regulation {
  return {
    record,
    isStored: false,
    isStoring: false,
    isUntouched: false,
    phase: "held",
    firmness: "wish",
    target: null,
    sent: null,
    writtenAtMs: null,
    notBeforeMs: 0,
    hasMatched: false,
    followed: record.value,
    isAwaited: false,
    mismatches: 0,
    blindReadings: 0,
    rewritesAtMs: [],
    lateRewrites: 0,
    isNewConnection: false,
    isRewriteDue: false,
    giveBackAtMs: Number.POSITIVE_INFINITY,
  };
}

function rewritesSince({ rewritesAtMs }: Regulation, sinceMs: number): readonly number[] {
  return rewritesAtMs.filter((atMs) => atMs >= sinceMs);
}

/** What a reading is compared with. `hasLapsed`: the device's own timer has ended the value, or the connection is new. */
export function asJudged(
  each: Regulation,
  sent: PointValue,
  { nowMs, hasLapsed }: { readonly nowMs: number; readonly hasLapsed: boolean },
): Parameters<typeof judgeRegulation>[0] {
  const { hasMatched, mismatches, phase, isAwaited, writtenAtMs, lateRewrites } = each;
  const firmness = phase === "returning" ? "limit" : each.firmness;
  const awaitedMs = isAwaited && writtenAtMs !== null ? nowMs - writtenAtMs : null;
  const rewrites = awaitedMs === null ? rewritesSince(each, nowMs - LEFT_ALONE_MS).length : lateRewrites;
  // A value that was changed while the device's timer still ran is not that timer's, even if it has run out since.
  const isTimerOver = mismatches === 0 && hasLapsed;
  return { firmness, sent, hasMatched, mismatches, awaitedMs, rewrites, isTimerOver };
}

/**
 * True if the device stays at what the energy manager itself had set, and does not take up what came after it. A number that
 * is still held is left as it is where what is given back would be more.
 */
export function isStuck({ phase, sent, followed, record }: Regulation, reading: PointValue | null): boolean {
  const isNoMore = typeof sent === "number" && typeof record.revertTo === "number" && record.revertTo <= sent;
  if (phase !== "returning" && typeof sent !== "string" && !isNoMore) return false;
  return isSameControlValue(reading, followed) && !isSameControlValue(sent, followed);
}

/**
 * Notes that somebody else changed a value that a limit holds: it is written again, and theirs is what is given back when the
 * limit ends. Returns false for a number: that may be the device's own doing, as of a charger that gets hot.
 */
export function noteChange(each: Regulation, reading: PointValue | null, nowMs: number): boolean {
  each.rewritesAtMs = [...rewritesSince(each, nowMs - LEFT_ALONE_MS), nowMs];
  const { record, phase, isStoring } = each;
  if (phase !== "held" || isStoring || typeof reading !== "string") return false;
  // It is on disk before the next write.
  const isNews = !isSameControlValue(record.revertTo, reading);
  if (isNews) Object.assign(each, { record: { ...record, revertTo: reading }, isStored: false });
  return true;
}
